"""Vectors from an OpenAI-compatible server's ``/embeddings``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nosis.errors import ModelError
from nosis.models import address
from nosis.tokens import well_formed

if TYPE_CHECKING:
    from nosis.memory.store import Embedded

_BATCH = 64  # texts a request; servers refuse many more


class ServerEmbedder:
    """The server's embedding model as an Embedder: one vector a text.

    Args:
        model: its name on the server.
        base_url: as for chat; None is OpenAI.
        api_key: None where the server wants none.
        timeout: seconds for one request, retries not included.
        dimensions: of its vectors, if known; None learns it from the first one.

    Nothing is asked of the server before it is used.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        dimensions: int | None = None,
    ) -> None:
        self._model = model
        self._url = address.clean(base_url or address.OPENAI)
        self._api_key = api_key
        self._timeout = timeout
        self._client: Any = None
        self.name = f"server:{model}"
        self._dimensions = dimensions

    @property
    def dimensions(self) -> int:
        """Length of the vectors; asks the server if none was made yet."""
        if self._dimensions is None:
            self._dimensions = len(self._request(["dimensions"])[0])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        """One unit-length vector a text, in order. Blocking; call from a worker thread.

        Raises:
            ModelError: the server cannot be asked, or its vectors have another length.
        """
        import numpy as np

        from nosis.memory.store import Embedded

        embedded: list[Embedded] = []
        for start in range(0, len(texts), _BATCH):
            batch = [well_formed(text) or " " for text in texts[start : start + _BATCH]]
            for values in self._request(batch):
                self._dimensions = self._dimensions or len(values)
                vector = np.asarray(values, dtype=np.float32)
                length = float(np.linalg.norm(vector))
                if vector.shape != (self._dimensions,) or not np.isfinite(length) or length == 0:
                    raise ModelError(
                        f"{self._model} gave a vector of {vector.size} dimensions, "
                        f"not {self._dimensions} usable ones",
                        "Check NOSIS_EMBEDDING_MODEL; after a change of model run: nosis reindex",
                    )
                embedded.append(Embedded(vectors=(vector / length)[None, :]))
        return embedded

    def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _request(self, texts: list[str]) -> list[list[float]]:
        import openai

        from nosis.models import failures

        try:
            answered = self._connected().embeddings.create(
                model=self._model, input=texts, encoding_format="float"
            )
            vectors = [item.embedding for item in sorted(answered.data, key=lambda i: i.index)]
        except openai.NotFoundError as error:
            raise failures.no_embeddings(self._url, self._model, error) from error
        except openai.OpenAIError as error:
            raise failures.translate(error, self._url, self._model, self._timeout) from error
        except (AttributeError, TypeError, ValueError) as error:
            raise failures.no_embeddings(self._url, self._model, error) from error
        if len(vectors) != len(texts):
            raise ModelError(
                f"{self._url} gave {len(vectors)} vectors for {len(texts)} texts",
                "Check NOSIS_EMBEDDING_MODEL, or unset it to embed on this machine.",
            )
        return vectors

    def _connected(self) -> Any:
        import openai

        if self._client is None:
            local = address.is_local(self._url)
            self._client = openai.OpenAI(
                api_key=self._api_key or "none",
                base_url=self._url,
                timeout=openai.Timeout(self._timeout, connect=min(10.0, self._timeout)),
                max_retries=2,
                http_client=openai.DefaultHttpxClient(trust_env=False) if local else None,
            )
        return self._client
