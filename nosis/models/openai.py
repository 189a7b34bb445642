"""Any OpenAI-compatible server, through the official SDK.

Servers differ in what they refuse and in how they fail; ``dialect`` knows the first,
``failures`` the second, ``answer`` the shapes of their chunks. Nothing is ever asked again
once a piece of the answer was given out.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from nosis.errors import ModelError, NosisError
from nosis.models import Chunk, Delta, Request, address
from nosis.models.answer import Answer
from nosis.models.dialect import Dialect

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

_NO_KEY = "none"  # the SDK insists on a key; a local server takes any
_CONNECT_SECONDS = 10.0
_LIST_SECONDS = 10.0
_AFTER_END_SECONDS = 5.0  # for the usage, once the model said that it is done

_OVER = object()

_dialects: dict[tuple[str, str], Dialect] = {}  # (URL, model), learnt in this process
_versioned: dict[str, str] = {}  # URL as given -> the one with /v1 that worked


class OpenAIModel:
    """A model behind an OpenAI-compatible API.

    Args:
        name: the model as the server calls it.
        base_url: with or without ``/v1``; None is OpenAI.
        api_key: None where the server wants none.
        timeout: seconds for a whole answer, retries included.
        context_window: tokens, if known.
    """

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 300.0,
        context_window: int | None = None,
    ) -> None:
        self.name = name
        self.context_window = context_window
        self._given = address.clean(base_url or address.OPENAI)
        self._api_key = api_key or _NO_KEY
        self._timeout = timeout
        self._client: openai.AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def url(self) -> str:
        """The base URL in use."""
        return _versioned.get(self._given, self._given)

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """The answer in pieces, its tool calls, then one Finish.

        Raises:
            NetworkError: no connection, or it broke off (perhaps after some Deltas).
            ModelTimeout: not finished within the timeout.
            ModelError: the server refused or answered with something unusable.
        """
        deadline = asyncio.get_running_loop().time() + self._timeout
        opened = await self._within(deadline, self._open(request))
        answer = Answer()
        if not hasattr(opened, "__aiter__"):  # a whole completion at once
            for delta in self._take(answer.take_whole, opened):
                yield delta
        else:
            chunks = aiter(opened)
            try:
                while (chunk := await self._next(chunks, answer, deadline)) is not _OVER:
                    for delta in self._take(answer.take, chunk):
                        yield delta
            finally:
                await opened.close()
        for delta in answer.end():
            yield delta
        if not answer.complete:
            from nosis.models.failures import dropped

            raise dropped(self.url)
        for call in answer.calls():
            yield call
        yield answer.finish()

    async def list_models(self) -> list[Any]:
        """The entries of the server's list of models, as it sends them.

        Raises:
            ModelError: as for ``stream``; also where the server has no such list.
        """
        deadline = asyncio.get_running_loop().time() + min(self._timeout, _LIST_SECONDS)
        return await self._within(deadline, self._list_models())

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None and self._loop is asyncio.get_running_loop():
            await self._client.close()
        self._client = None

    async def _next(self, chunks: Any, answer: Answer, deadline: float) -> Any:
        if not answer.complete:
            return await self._within(deadline, anext(chunks, _OVER), started=not answer.empty)
        # All that may still come is the usage: not worth a failure, nor a long wait.
        soon = asyncio.get_running_loop().time() + _AFTER_END_SECONDS
        try:
            return await self._within(min(soon, deadline), anext(chunks, _OVER), started=True)
        except NosisError:
            return _OVER

    async def _within(self, deadline: float, step: Awaitable[T], started: bool = False) -> T:
        import openai

        from nosis.models import failures

        try:
            async with asyncio.timeout_at(deadline):
                return await step
        except Exception as error:
            if not failures.is_servers(error):
                raise
            lost = isinstance(error, openai.APIConnectionError)
            if started and lost and not isinstance(error, openai.APITimeoutError):
                raise failures.dropped(self.url) from error
            translated = failures.translate(error, self.url, self.name, self._timeout)
            raise self._without_key(translated) from error

    def _take(self, take: Callable[[Any], list[Delta]], chunk: Any) -> list[Delta]:
        from nosis.models.failures import one_line

        try:
            return take(chunk)
        except ModelError as error:
            raise self._without_key(ModelError(one_line(error.message), error.hint)) from None

    def _without_key(self, error: NosisError) -> NosisError:
        if self._api_key != _NO_KEY and self._api_key in error.message:
            error.message = error.message.replace(self._api_key, "[key]")
            error.args = (error.message,)
        return error

    async def _open(self, request: Request) -> Any:
        """An SDK stream with the answer's first bytes on their way, or a whole completion."""
        import openai

        from nosis.models import failures

        tried: list[str] = []
        while True:
            dialect = _dialects.setdefault((self._given, self.name), Dialect())
            payload = dialect.payload(self.name, request)
            url = address.with_version(self._given) if tried else self.url
            try:
                opened = await self._create(url, payload)
                if not (isinstance(opened, str) or _is_misplaced(opened)):
                    if tried:
                        _versioned[self._given] = url
                    return opened
                words = str(opened)
            except openai.APIStatusError as error:
                words = failures.said(error)
                if error.status_code not in (401, 403, 429) and dialect.learn(
                    words, error.param, payload
                ):
                    if tried:
                        _versioned[self._given], tried = url, []
                    continue
                if error.status_code not in (404, 405):
                    raise
                if failures.names_model(error):
                    offered = await self._offered()
                    raise failures.unknown_model(url, self.name, offered) from error
            tried.append(f"{url}/chat/completions")
            if len(tried) > 1 or address.has_version(url):
                raise failures.wrong_address(tried, words)

    async def _create(self, url: str, payload: dict[str, Any]) -> Any:
        client = self._connected().with_options(base_url=url)
        opened = await cast(Any, client.chat.completions).create(**payload)
        if not hasattr(opened, "__aiter__"):
            return opened
        kind = opened.response.headers.get("content-type", "")
        if "event-stream" in kind:
            return opened
        body = (await opened.response.aread()).decode("utf-8", "replace").strip()
        if body.startswith(("data:", "event:", ":")):
            return opened
        await opened.close()
        try:
            parsed = json.loads(body)
        except ValueError:
            return body
        return parsed if isinstance(parsed, dict) else body

    async def _list_models(self) -> list[Any]:
        import openai

        from nosis.models import failures

        urls = [self.url]
        if not address.has_version(self.url):
            urls.append(address.with_version(self.url))
        words = ""
        for url in urls:
            client = self._connected().with_options(base_url=url)
            try:
                listed = await client.get("/models", cast_to=cast(Any, object))
            except openai.NotFoundError as error:
                words = failures.said(error)
                continue
            entries = listed.get("data") if isinstance(listed, dict) else None
            if isinstance(entries, list):
                return entries
            words = str(listed)
        raise failures.wrong_address([f"{url}/models" for url in urls], words)

    async def _offered(self) -> list[str]:
        try:
            return [str(entry["id"]) for entry in await self.list_models()]
        except (NosisError, KeyError, TypeError):
            return []

    def _connected(self) -> openai.AsyncOpenAI:
        import openai

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            local = address.is_local(self._given)
            connect = min(_CONNECT_SECONDS, self._timeout)
            self._client = openai.AsyncOpenAI(
                api_key=self._api_key,
                base_url=self._given,
                timeout=openai.Timeout(self._timeout, connect=connect),
                max_retries=1 if local else 2,
                http_client=openai.DefaultAsyncHttpxClient(trust_env=False) if local else None,
            )
            self._loop = loop
        return self._client


def _is_misplaced(opened: Any) -> bool:
    """Whether a status of 200 hides the answer of a server that does not know the address."""
    return isinstance(opened, dict) and "unexpected endpoint" in str(opened.get("error")).lower()
