"""Vectors from a server: in order, of unit length, of one dimension, or a clear error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nosis.errors import ModelError, NetworkError, UsageError
from nosis.memory import Memory
from nosis.models.embeddings import ServerEmbedder
from nosis.opening import open_memory
from nosis.settings import Settings
from tests.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(dimensions=16) as running:
        yield running


@pytest.fixture
def made() -> Iterator[list[ServerEmbedder]]:
    embedders: list[ServerEmbedder] = []
    yield embedders
    for embedder in embedders:
        embedder.close()


def embedder_of(server: Server, made: list[ServerEmbedder], **options: Any) -> ServerEmbedder:
    made.append(ServerEmbedder("embed-1", server.url, **options))
    return made[-1]


def test_vectors_are_unit_length_float32_and_in_order(
    server: Server, made: list[ServerEmbedder]
) -> None:
    embedder = embedder_of(server, made)
    assert (embedder.name, embedder.dimensions) == ("server:embed-1", 16)
    texts = [f"text number {n}" for n in range(150)]
    embedded = embedder.embed(texts)
    assert len(embedded) == 150
    for one in embedded:
        assert one.vectors.shape == (1, 16) and one.vectors.dtype == np.float32
        assert np.linalg.norm(one.vectors) == pytest.approx(1, abs=1e-5)
    again = embedder.embed([texts[149]])[0]
    assert np.allclose(again.vectors, embedded[149].vectors)
    sizes = [len(r.body["input"]) for r in server.received]
    assert max(sizes) <= 64


def test_empty_texts_and_surrogates_do_not_break_a_batch(
    server: Server, made: list[ServerEmbedder]
) -> None:
    assert len(embedder_of(server, made).embed(["", "a\ud83d", "b"])) == 3
    assert embedder_of(server, made).embed([]) == []


def test_vectors_of_another_length_are_refused(server: Server, made: list[ServerEmbedder]) -> None:
    embedder = embedder_of(server, made, dimensions=384)
    with pytest.raises(ModelError) as caught:
        embedder.embed(["a"])
    assert "16" in caught.value.message and "384" in caught.value.message
    assert "reindex" in caught.value.hint


def test_a_server_without_embeddings_says_so(made: list[ServerEmbedder]) -> None:
    with Server(prefix="/other") as server, pytest.raises(ModelError) as caught:
        made.append(ServerEmbedder("embed-1", server.url.replace("/other", "/v1")))
        made[0].embed(["a"])
    assert "/v1/embeddings" in caught.value.message
    assert "NOSIS_EMBEDDING_MODEL" in caught.value.hint


def test_a_refused_key_says_so(made: list[ServerEmbedder]) -> None:
    with Server(api_key="right") as server, pytest.raises(ModelError) as caught:
        made.append(ServerEmbedder("embed-1", server.url, "wrong"))
        made[0].embed(["a"])
    assert "OPENAI_API_KEY" in caught.value.hint


def test_no_server_is_a_network_error(made: list[ServerEmbedder]) -> None:
    with Server() as gone:
        url = gone.url
    made.append(ServerEmbedder("embed-1", url))
    with pytest.raises(NetworkError) as caught:
        made[0].embed(["a"])
    assert url in caught.value.message


def test_recall_goes_on_by_words_where_the_server_is_gone(
    tmp_path: Path, made: list[ServerEmbedder]
) -> None:
    with Server() as server:
        made.append(ServerEmbedder("embed-1", server.url))
        with Memory(tmp_path, embedder=made[0]) as memory:
            memory.remember("Ada's team deploys on Fridays")
            memory.embed_all()
            assert memory.search("deploys").notice is None
    with Memory(tmp_path, embedder=made[0]) as memory:
        found = memory.search("deploys")
        assert [hit.entry.text for hit in found.hits] == ["Ada's team deploys on Fridays"]
        assert found.notice and "words only" in found.notice and server.url in found.notice
        memory.remember("The office moves to Utrecht")
        assert memory.embed_pending() == 0
        assert memory.search("Utrecht").hits
        with pytest.raises(NetworkError):
            memory.embed_all()


def test_the_settings_choose_it(tmp_path: Path) -> None:
    with Server(dimensions=24) as server:
        settings = Settings(
            home=str(tmp_path), embedding_model="embed-1", base_url=server.url, api_key="k"
        )
        with open_memory(settings) as memory:
            memory.remember("Ada's team deploys on Fridays")
            memory.embed_all()
            assert memory.store.embedding_model == "server:embed-1"
            assert memory.search("Ada").hits
    assert {r.path for r in server.received} == {"/v1/embeddings"}


def test_a_bad_url_is_refused() -> None:
    with pytest.raises(UsageError):
        ServerEmbedder("embed-1", "localhost")
