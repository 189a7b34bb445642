"""Which model answers, and what is said about it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from nosis.errors import ModelError, NetworkError, UsageError
from nosis.models import Message, Model, Request, complete
from nosis.models.connect import choose, connect
from nosis.models.openai import OpenAIModel
from nosis.settings import Settings
from tests.server import Server

HI = Request(messages=(Message("user", "hi"),), user="hi")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(default="hello", models=["nomic-embed-text", "qwen3:8b", "llama3.2"]) as running:
        yield running


def settings(**values: Any) -> Settings:
    return Settings(**values)


@pytest.fixture
def offline() -> None:
    pytest.importorskip("nosis.models.offline")


async def answer(model: Model) -> str:
    try:
        return (await complete(model, HI))[0]
    finally:
        await model.aclose()


async def test_a_base_url_and_a_model_are_taken_as_they_are(server: Server) -> None:
    model = await connect(settings(base_url=server.url, model="mine", api_key="k"))
    assert await answer(model) == "hello"
    assert [r.path for r in server.received] == ["/v1/chat/completions"]
    assert server.received[0].headers["authorization"] == "Bearer k"
    assert server.chats[0]["model"] == model.name == "mine"


@pytest.mark.parametrize("end", ["/v1", "/v1//", ""])
async def test_a_base_url_alone_gives_its_first_chat_model(server: Server, end: str) -> None:
    url = server.url.removesuffix("/v1") + end
    found = await choose(settings(base_url=url))
    assert found.model.name == "qwen3:8b"
    assert "qwen3:8b" in found.notice and url in found.notice
    assert await answer(found.model) == "hello"


async def test_a_base_url_with_no_chat_model_asks_for_one() -> None:
    with Server(models=["nomic-embed-text"]) as server, pytest.raises(UsageError) as caught:
        await connect(settings(base_url=server.url))
    assert "NOSIS_MODEL" in caught.value.hint


async def test_a_base_url_that_cannot_be_reached_is_an_error_not_offline() -> None:
    with Server() as gone:
        url = gone.url
    with pytest.raises(NetworkError) as caught:
        await connect(settings(base_url=url))
    assert url in caught.value.message


async def test_a_base_url_that_refuses_the_key_says_so() -> None:
    with Server(api_key="right") as server, pytest.raises(ModelError) as caught:
        await connect(settings(base_url=server.url, api_key="wrong"))
    assert "OPENAI_API_KEY" in caught.value.hint


async def test_a_key_alone_means_openai() -> None:
    found = await choose(settings(api_key="k", detect="off"))
    assert isinstance(found.model, OpenAIModel)
    assert found.model.url == "https://api.openai.com/v1"
    assert "OpenAI" in found.notice


async def test_a_server_on_this_machine_is_found(server: Server) -> None:
    found = await choose(settings(), {"None": _unused_port(), "Ollama": server.port})
    assert found.notice == "qwen3:8b (Ollama on this machine)"
    assert await answer(found.model) == "hello"


async def test_a_model_by_name_is_found_on_this_machine(server: Server) -> None:
    with Server(models=["other"]) as other:
        ports = {"one": other.port, "two": server.port}
        assert (await choose(settings(model="llama3.2"), ports)).notice.startswith("llama3.2 (two")
        with pytest.raises(UsageError) as caught:
            await choose(settings(model="gpt-5"), ports)
    assert "'gpt-5'" in caught.value.message
    assert "OPENAI_API_KEY" in caught.value.hint


async def test_the_first_server_in_order_wins(server: Server) -> None:
    with Server(models=["other"]) as other:
        found = await choose(settings(), {"one": other.port, "two": server.port})
    assert found.model.name == "other"


async def test_the_context_that_a_server_tells_is_known(server: Server) -> None:
    assert await window_of(server, {}) is None
    assert await window_of(server, {"max_model_len": 32768}) == 32768
    assert await window_of(server, {"meta": {"n_ctx": 8192}}) == 8192
    assert await window_of(server, {"meta": None, "context_length": "big"}) is None
    assert await window_of(server, {"max_model_len": 32768}, context_window=2048) == 2048


async def window_of(server: Server, details: dict[str, Any], **values: Any) -> int | None:
    server.models = [{"id": "m", **details}]
    found = await choose(settings(**values), {"x": server.port})
    return found.model.context_window


@pytest.mark.usefixtures("offline")
class TestOffline:
    async def test_without_anything(self) -> None:
        found = await choose(settings(), {"None": _unused_port()})
        assert found.model.name == "offline"
        assert found.notice.startswith("offline mode (") and "no server" in found.notice

    async def test_as_set(self, server: Server) -> None:
        found = await choose(settings(model="offline", base_url=server.url, api_key="k"))
        assert found.model.name == "offline"
        assert server.received == []

    async def test_detection_can_be_turned_off(self, server: Server) -> None:
        found = await choose(settings(detect="off"), {"Ollama": server.port})
        assert found.model.name == "offline" and "NOSIS_DETECT" in found.notice
        assert server.received == []

    @pytest.mark.parametrize(
        "listed",
        ["<html>", [], "null", {"data": None}, {"data": "x"}, {"data": [None, {"id": 3}, {}]}],
        ids=str,
    )
    async def test_other_programs_on_the_usual_ports_are_not_models(
        self, server: Server, listed: Any
    ) -> None:
        server.listing = listed
        found = await choose(settings(), {"llama.cpp": server.port})
        assert found.model.name == "offline"

    async def test_a_server_that_only_embeds_is_named(self) -> None:
        with Server(models=["text-embedding-nomic-embed-text-v1.5", "bge-m3"]) as server:
            found = await choose(settings(), {"LM Studio": server.port})
        assert "LM Studio" in found.notice and "no chat model" in found.notice

    async def test_a_silent_port_is_left_alone(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            found = await choose(settings(), {"Ollama": silent.getsockname()[1]})
        assert found.model.name == "offline"


def test_choosing_loads_no_heavy_library() -> None:
    program = """
import asyncio, sys
from nosis.models.connect import choose
import nosis.models.hub, nosis.models.embeddings, nosis.models.local, nosis.models.openai
import nosis.models.scripted, nosis.tokens
from nosis.settings import Settings
try:
    asyncio.run(choose(Settings(), {"None": 9}))
except ImportError:
    pass
heavy = {"openai", "httpx", "httpx2", "tiktoken", "xllamacpp", "http.client", "numpy"}
print(sorted(heavy & set(sys.modules)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def _unused_port() -> int:
    with Server() as server:
        return server.port
