"""Commands about the messages on screen."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from nosis.errors import UsageError
from nosis.tui.turns import Draft

if TYPE_CHECKING:
    from nosis.tui.chat import ChatScreen


async def clear(screen: ChatScreen, _: str) -> None:
    await screen.session.clear()


async def copy(screen: ChatScreen, what: str) -> None:
    answer = screen.conversation.last_answer
    if answer is None:
        raise UsageError("there is no answer to copy", "Ask something first.")
    if what.casefold() not in ("", "code"):
        raise UsageError(f"cannot copy {what!r}", "Write /copy, or /copy code.")
    screen.copy(answer.code if what else answer.text, "code" if what else "answer")


async def retry(screen: ChatScreen, _: str) -> None:
    """Send the failed message again, or ask anew for the last answer."""
    _not_busy(screen)
    if failed := screen.turns.failed:
        if screen.prompt.text.strip() == failed.text.strip():
            screen.prompt.set_text("")
        await screen.turns.send(Draft(failed.text, failed.material))
        return
    user = screen.conversation.last_user
    if user is None:
        raise UsageError("there is nothing to ask again", "Write a message first.")
    await screen.turns.retract()
    await screen.turns.send(Draft(user.text, user.material))


async def edit(screen: ChatScreen, _: str) -> None:
    """Put the last message into the prompt; sent, it takes the place of the old one."""
    _not_busy(screen)
    user = screen.conversation.last_user
    if user is None:
        raise UsageError("there is no message to edit", "Write one first.")
    screen.turns.edit(user)
    screen.prompt.set_text(user.text)
    screen.prompt.focus()


async def editor(screen: ChatScreen, _: str) -> None:
    """Write the message in the user's own editor."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        with screen.app.suspend():
            text = await asyncio.to_thread(_edited, command, screen.prompt.text)
    except SuspendNotSupported:
        raise UsageError(
            "an editor cannot be opened here", "Write the message in the prompt."
        ) from None
    screen.prompt.set_text(text)
    screen.prompt.focus()


def _edited(command: list[str], text: str) -> str:
    """The text as it comes back from an editor; the file that it stood in is removed."""
    handle, name = tempfile.mkstemp(prefix="nosis-", suffix=".md")
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([*command, name], check=True)
        return path.read_text(encoding="utf-8", errors="replace").rstrip("\n")
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(
            f"the editor {command[0]!r} did not work: {error}", "Set EDITOR to one that does."
        ) from error
    finally:
        path.unlink(missing_ok=True)


def _not_busy(screen: ChatScreen) -> None:
    if screen.turns.busy:
        raise UsageError("an answer is being given", "Stop it first with esc.")
