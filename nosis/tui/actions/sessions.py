"""Commands about sessions: new, list, resume, rename, search, export."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

from nosis.errors import StorageError, UsageError

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.tui.chat import ChatScreen


async def new(screen: ChatScreen, _: str) -> None:
    await screen.session.switch(None)


async def resume(screen: ChatScreen, wanted: str) -> None:
    if not wanted:
        await browse(screen, "")
        return
    memory = screen.memory
    session = await asyncio.to_thread(memory.find_session, wanted)
    await screen.session.switch(session.id)


async def browse(screen: ChatScreen, _: str) -> None:
    from nosis.tui.sessions import SessionsScreen

    def chosen(session: str | None) -> None:
        if session:
            screen.do(screen.session.switch(session))
        else:
            screen.do(screen.session.load_title())

    memory, current = screen.memory, screen.agent.session
    screen.app.push_screen(SessionsScreen(memory, current), chosen)


async def rename(screen: ChatScreen, title: str) -> None:
    memory, session = screen.memory, screen.agent.session
    if not await asyncio.to_thread(memory.conversation, session, 1):
        raise UsageError("this session is empty", "Give it a title after the first answer.")
    await asyncio.to_thread(memory.rename_session, session, title)
    await screen.session.load_title()


async def search(screen: ChatScreen, words: str) -> None:
    from nosis.tui.search import SearchScreen

    def chosen(session: str | None) -> None:
        if session:
            screen.do(screen.session.switch(session))

    screen.app.push_screen(SearchScreen(screen.memory, words), chosen)


async def export(screen: ChatScreen, name: str) -> None:
    """Write the session beside the user's other files, never over one of them."""
    session = screen.agent.session
    path = await asyncio.to_thread(_export, screen.memory, session, name)
    await screen.tell("session written", str(path))


def _export(memory: Memory, session: str, name: str) -> Path:
    from nosis.memory.exchange.transcript import markdown

    path = Path(name or f"nosis-{session}.md").expanduser().absolute()
    messages = memory.conversation(session)
    if not messages:
        raise UsageError("this session is empty", "Write a message first.")
    if path.suffix.lower() in (".json", ".jsonl"):
        lines = [json.dumps(m.to_json(), ensure_ascii=False) + "\n" for m in messages]
        text = "".join(lines)
    else:
        text = markdown(memory.find_session(session).title, messages)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists already", "Name another file: /export FILE") from None
    except OSError as error:
        raise StorageError(
            f"cannot write {path}: {error.strerror}", "Name another file: /export FILE"
        ) from error
    return path
