"""What the SDK raises, as errors of ours: one message, one hint that names the fix."""

from __future__ import annotations

import re
from typing import Any

import openai

from nosis.errors import ModelError, ModelTimeout, NetworkError, NosisError
from nosis.models import address
from nosis.models.answer import error_words
from nosis.models.dialect import is_too_long


def one_line(text: str, limit: int = 240) -> str:
    """Words of a server, fit to be shown: one line, no control characters, not endless."""
    if re.match(r"\s*<(!doctype|html|head|body)", text, re.IGNORECASE):
        return "a web page instead of an answer"
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def said(error: openai.APIError) -> str:
    """The words of an error, unshortened."""
    response = getattr(error, "response", None)
    return error_words(error.body) or (response.text if response is not None else error.message)


def is_servers(error: Exception) -> bool:
    """Whether what was raised while an answer was read is the server's or the network's doing.

    The SDK leaves what its HTTP library raises while a body is decoded as it is, and which
    library that is differs between its versions.
    """
    known = (openai.OpenAIError, TimeoutError, ValueError, RecursionError)
    return isinstance(error, known) or type(error).__module__.startswith("httpx")


def translate(error: Exception, url: str, model: str, timeout: float) -> NosisError:
    """The error of ours for one of the SDK's; never holds a key."""
    if isinstance(error, NosisError):
        return error
    if isinstance(error, openai.APIStatusError):
        return _status(error, url, model)
    if isinstance(error, openai.APIConnectionError | TimeoutError):
        return _connection(error, url, timeout)
    if isinstance(error, openai.APIError):
        words = one_line(error_words(error.body) or error.message)
        return ModelError(f"the server reported an error: {words}", "Ask again.")
    return ModelError(
        f"{url} sent something unreadable: {one_line(str(error))}",
        "Check that OPENAI_BASE_URL points at an OpenAI-compatible server.",
    )


def _connection(error: Exception, url: str, timeout: float) -> ModelError:
    if type(error.__cause__).__name__ == "ConnectTimeout":
        return unreachable(url, "it does not answer")
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return timed_out(timeout)
    return unreachable(url, one_line(str(error.__cause__ or error)))


def timed_out(timeout: float) -> ModelTimeout:
    return ModelTimeout(
        f"the model did not finish within {timeout:g} seconds",
        "Raise NOSIS_TIMEOUT (seconds), or use a faster model.",
    )


def unreachable(url: str, why: str) -> NetworkError:
    hint = "Check the network and OPENAI_BASE_URL."
    if address.is_local(url):
        hint = "Start the server, or unset OPENAI_BASE_URL to have nosis look for one."
    return NetworkError(f"cannot reach {url}: {why}", hint)


def dropped(url: str) -> NetworkError:
    return NetworkError(f"{url} broke off before the answer was complete", "Ask again.")


def wrong_address(tried: list[str], words: str) -> ModelError:
    """Nothing that speaks the protocol was found; ``tried`` are the full URLs."""
    hint = "Check the path in OPENAI_BASE_URL; it usually ends in /v1."
    said = one_line(words) or "an empty answer"
    return ModelError(f"no chat API at {' or '.join(tried)}: {said}", hint)


def no_embeddings(url: str, model: str, error: Exception) -> ModelError:
    words = said(error) if isinstance(error, openai.APIError) else str(error)
    return ModelError(
        f"no embeddings from {url}/embeddings for {model!r}: {one_line(words)}",
        "Check NOSIS_EMBEDDING_MODEL and that OPENAI_BASE_URL ends in /v1, "
        "or unset NOSIS_EMBEDDING_MODEL to embed on this machine.",
    )


def unknown_model(url: str, model: str, offered: list[str]) -> ModelError:
    shown = ", ".join(offered[:10]) + (", …" if len(offered) > 10 else "")
    hint = f"Set NOSIS_MODEL to one of: {shown}." if offered else "Check NOSIS_MODEL."
    return ModelError(f"{url} does not know the model {model!r}", hint)


def _status(error: openai.APIStatusError, url: str, model: str) -> ModelError:
    words, status = said(error), error.status_code
    line = one_line(words)
    if status in (401, 403):
        return ModelError(
            f"{url} refused the key ({status}): {line}",
            "Set OPENAI_API_KEY to a key that is valid for this server.",
        )
    if status == 429:
        return ModelError(f"{url} limits requests: {line}", "Wait a little, or check your quota.")
    if is_too_long(words):
        return ModelError(
            f"the prompt does not fit the model: {line}",
            "Set NOSIS_CONTEXT_WINDOW to the model's context size in tokens.",
        )
    if status >= 500:
        return ModelError(f"{url} failed ({status}): {line}", "Try again; see the server's log.")
    return ModelError(
        f"{url} refused the request ({status}): {line}",
        f"Check NOSIS_MODEL ({model}) and its server.",
    )


def names_model(error: openai.APIStatusError) -> bool:
    """Whether a 404 is about the model rather than about the address."""
    body: Any = error.body
    code = body.get("code") if isinstance(body, dict) else None
    return code == "model_not_found" or "model" in error_words(body).lower()
