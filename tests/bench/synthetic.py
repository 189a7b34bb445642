"""Synthetic memories for benchmarks: Zipf words and clustered vectors, no model needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nosis.memory import tokenizer
from nosis.memory.store import Embedded
from nosis.memory.times import to_iso

DIMENSIONS, TOKEN_DIMENSIONS = 384, 96
SYLLABLES = [c + v for c in "bdfgjklmnprtvz" for v in ("a", "e", "i", "o", "u")]
START = 1_700_000_000


class Synthetic:
    """Reproducible memories of about 25 words, one a minute, 20 a session."""

    def __init__(self, seed: int = 7, vocabulary: int = 60_000, clusters: int = 400) -> None:
        self.rng = np.random.default_rng(seed)
        self.words = np.array([word(number) for number in range(vocabulary)])
        weights = 1 / (np.arange(vocabulary) + 20.0)  # no stop words: flat at the top
        self.cumulative = np.cumsum(weights / weights.sum())
        self.centres = unit(self.rng.normal(size=(clusters, DIMENSIONS)))

    def text(self, low: int = 8, high: int = 42) -> str:
        draws = self.rng.random(int(self.rng.integers(low, high)))
        return " ".join(self.words[np.searchsorted(self.cumulative, draws)])

    def event(self, number: int) -> dict[str, Any]:
        """A turn in nine of ten, a fact in the tenth."""
        common = {
            "v": 1,
            "event": f"e{number:08}",
            "at": to_iso(START + 60 * number),
            "op": f"o{number:08}",
            "agent": "bench",
            "id": f"m{number:08}",
            "text": self.text(),
        }
        if number % 10 == 9:
            importance = round(float(self.rng.random()), 2)
            return {**common, "type": "fact", "importance": importance, "origin": "user"}
        role = "assistant" if number % 2 else "user"
        return {**common, "type": "turn", "role": role, "session": f"s{number // 20}"}

    def events(self, count: int, first: int = 0) -> Iterator[dict[str, Any]]:
        return (self.event(number) for number in range(first, first + count))

    def vectors(self, count: int) -> NDArray[np.float32]:
        chosen = self.centres[self.rng.integers(len(self.centres), size=count)]
        noise = self.rng.normal(size=(count, DIMENSIONS)) * (0.9 / np.sqrt(DIMENSIONS))
        return unit(chosen + noise)

    def embedded(self, texts: Sequence[str]) -> list[Embedded]:
        """A vector a text, and a token vector for each of its terms, two for one in four."""
        made = []
        for text, vector in zip(texts, self.vectors(len(texts)), strict=True):
            terms = len(tokenizer.terms(text))
            words = np.arange(terms * 5 // 4, dtype=np.int32) * 4 // 5
            tokens = self.rng.integers(-127, 128, (len(words), TOKEN_DIMENSIONS), np.int8)
            made.append(Embedded(vector[None], tokens, words))
        return made

    def query(self) -> tuple[str, Embedded]:
        """A question of about seven words, near some cluster."""
        text = self.text(4, 11)
        return text, self.embedded([text])[0]


def word(number: int) -> str:
    """A pronounceable word of three syllables or more, another for each number."""
    made = SYLLABLES[number % 70] + SYLLABLES[number // 70 % 70] + SYLLABLES[number // 4900 % 70]
    return made + SYLLABLES[number // 343_000] if number >= 343_000 else made


def unit(vectors: NDArray[Any]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
