"""Vectors from a server: in order, of unit length, of one dimension, or a clear error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from nosis.errors import ModelError, NetworkError, UsageError
from nosis.models.embeddings import ServerEmbedder
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
        ServerEmbedder("embed-1", server.url.replace("/other", "/v1"))
    assert "/v1/embeddings" in caught.value.message
    assert "NOSIS_EMBEDDING_MODEL" in caught.value.hint


def test_a_refused_key_says_so() -> None:
    with Server(api_key="right") as server, pytest.raises(ModelError) as caught:
        ServerEmbedder("embed-1", server.url, "wrong")
    assert "OPENAI_API_KEY" in caught.value.hint


def test_no_server_is_a_network_error() -> None:
    with Server() as gone:
        url = gone.url
    with pytest.raises(NetworkError) as caught:
        ServerEmbedder("embed-1", url)
    assert url in caught.value.message


def test_a_bad_url_is_refused() -> None:
    with pytest.raises(UsageError):
        ServerEmbedder("embed-1", "localhost")
