"""Which model answers: the one that is set, else one found on this machine, else offline."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from nosis.errors import UsageError
from nosis.models import Model, address
from nosis.settings import Settings

SERVERS: Mapping[str, int] = {
    "Ollama": 11434,
    "LM Studio": 1234,
    "llama.cpp": 8080,
    "LiteLLM": 4000,
}
DEFAULT_OPENAI_MODEL = "gpt-4.1-mini"
OFFLINE = "offline"  # a value of NOSIS_MODEL

_PROBE_SECONDS = 0.25
_OLLAMA_WINDOW = 4096  # tokens; its default, which no API tells; what is over it is cut silently
_NOT_CHAT = re.compile(
    r"(?i)embed|rerank|minilm|whisper|\b(bge|e5|gte|tts|clip|dall-e|flux|moderation)\b"
)


@dataclass(frozen=True, slots=True)
class Connection:
    """A model, and in words which one it is and why."""

    model: Model
    notice: str


@dataclass(frozen=True, slots=True)
class Offered:
    """One model of a server's list."""

    id: str
    context_window: int | None = None

    @property
    def chats(self) -> bool:
        """Whether it looks like a chat model by its name."""
        return not _NOT_CHAT.search(self.id)


async def connect(settings: Settings) -> Model:
    """The model that the settings name, or that is found. See ``choose``."""
    return (await choose(settings)).model


async def choose(settings: Settings, servers: Mapping[str, int] = SERVERS) -> Connection:
    """A model by the first of these that applies.

    ``NOSIS_MODEL`` is "offline"; a base URL; a ``.gguf`` file as model; a key (OpenAI); a
    server on one of the usual ports of this machine; the offline mode.

    Args:
        servers: names and ports on this machine that are asked, in order of preference.

    Raises:
        UsageError: settings that name no model, or one that nothing here serves.
        ModelError: the server that is set cannot be asked which models it has.
    """
    if settings.model == OFFLINE:
        return _offline("as set by NOSIS_MODEL")
    if settings.base_url:
        return await _at_base_url(settings, settings.base_url)
    if settings.model and settings.model.lower().endswith(".gguf"):
        return _local(settings, settings.model)
    if settings.api_key:
        await _load_sdk()
        name = settings.model or DEFAULT_OPENAI_MODEL
        return _server(settings, Offered(name), address.OPENAI, "OpenAI, since a key is set")
    return await _detected(settings, servers)


async def _at_base_url(settings: Settings, url: str) -> Connection:
    await _load_sdk()
    if settings.model:
        return _server(settings, Offered(settings.model), url, f"{url}, as set")
    from nosis.models.openai import OpenAIModel

    server = OpenAIModel("", url, settings.api_key, settings.timeout)
    try:
        listed = await server.list_models()
    finally:
        await server.aclose()
    chat = [model for model in map(_offered, listed) if model and model.chats]
    if not chat:
        raise UsageError(
            f"NOSIS_MODEL is not set, and {url} lists no chat model",
            "Set NOSIS_MODEL to the name of a model of that server.",
        )
    if len(chat) > 1 and not address.is_local(address.clean(url)):
        shown = ", ".join(model.id for model in chat[:10]) + (", …" if len(chat) > 10 else "")
        raise UsageError(
            f"NOSIS_MODEL is not set, and {url} has several models", f"Set it to one of: {shown}."
        )
    return _server(settings, chat[0], url, f"{url}, whose first chat model it is")


async def _detected(settings: Settings, servers: Mapping[str, int]) -> Connection:
    found = await _probe_all(servers) if settings.detect == "on" else {}
    if found:
        await _load_sdk()
    for name, models in found.items():
        for model in models:
            if model.id == settings.model or (settings.model is None and model.chats):
                url = f"http://127.0.0.1:{servers[name]}/v1"
                return _server(settings, model, url, f"{name} on this machine")
    if settings.model:
        raise UsageError(
            f"there is neither a key nor a server for the model {settings.model!r}",
            "Set OPENAI_API_KEY or OPENAI_BASE_URL, start the server, or name a .gguf file.",
        )
    if settings.detect == "off":
        return _offline("no key or base URL is set, and NOSIS_DETECT is off")
    if found:
        return _offline(f"{' and '.join(found)} on this machine has no chat model")
    return _offline("no key or base URL is set, and no server was found on this machine")


async def _load_sdk() -> None:
    """Import the SDK beside the event loop: it takes a second, in which a screen would freeze."""
    await asyncio.to_thread(import_module, "nosis.models.openai")


def _server(settings: Settings, offered: Offered, url: str, why: str) -> Connection:
    from nosis.models.openai import OpenAIModel

    window = settings.context_window or offered.context_window
    if window is None and f":{SERVERS['Ollama']}" in url:
        window = _OLLAMA_WINDOW
    model = OpenAIModel(offered.id, url, settings.api_key, settings.timeout, window)
    return Connection(model, f"{offered.id} ({why})")


def _local(settings: Settings, path: str) -> Connection:
    from nosis.models.local import LocalModel

    model = LocalModel(path, settings.context_window, settings.timeout)
    return Connection(model, f"{model.name} (a file, in this process)")


def _offline(why: str) -> Connection:
    from nosis.models.offline import OfflineModel

    return Connection(OfflineModel(), f"offline mode ({why})")


async def _probe_all(servers: Mapping[str, int]) -> dict[str, list[Offered]]:
    """The models of every server that answers in time, in the order of ``servers``."""
    probes = {
        name: asyncio.create_task(asyncio.to_thread(_probe, port)) for name, port in servers.items()
    }
    await asyncio.wait(probes.values(), timeout=_PROBE_SECONDS)
    answers = {name: task.result() for name, task in probes.items() if task.done()}
    return {name: models for name, models in answers.items() if models is not None}


def _probe(port: int) -> list[Offered] | None:
    """The models that a port of this machine lists; None if no such server is there."""
    try:
        connected = socket.create_connection(("127.0.0.1", port), timeout=_PROBE_SECONDS)
    except OSError:
        return None
    import http.client  # only now: most of the time no port is open

    with connected:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PROBE_SECONDS)
        connection.sock = connected
        try:
            connection.request("GET", "/v1/models", headers={"Connection": "close"})
            response = connection.getresponse()
            listed = json.loads(response.read()) if response.status == 200 else None
        except (OSError, http.client.HTTPException, ValueError):
            return None
    if not isinstance(listed, dict) or not isinstance(listed.get("data"), list | None):
        return None
    return [model for model in map(_offered, listed.get("data") or ()) if model]


def _offered(listed: Any) -> Offered | None:
    if not isinstance(listed, Mapping) or not isinstance(listed.get("id"), str):
        return None
    meta = listed.get("meta")
    windows = [listed.get("max_model_len"), listed.get("context_length")]
    windows.append(meta.get("n_ctx") if isinstance(meta, Mapping) else None)
    return Offered(listed["id"], next((w for w in windows if isinstance(w, int) and w > 0), None))
