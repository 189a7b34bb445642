"""Base URLs as people write them, made into the one that works."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit, urlunsplit

from nosis.errors import UsageError

OPENAI = "https://api.openai.com/v1"
_ENDPOINT = re.compile(r"/(chat/)?completions$|/models$|/embeddings$")


def clean(url: str) -> str:
    """``url`` without needless slashes and without an endpoint pasted along with it.

    Raises:
        UsageError: not an http or https URL.
    """
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"OPENAI_BASE_URL: {url!r} is not a URL of a server",
            "Write it in full, for example http://localhost:1234/v1.",
        )
    path = re.sub(r"/{2,}", "/", parts.path).rstrip("/")
    return urlunsplit(parts._replace(path=_ENDPOINT.sub("", path), fragment=""))


def has_version(url: str) -> bool:
    """Whether the path names an API version, like ``/v1`` or ``/v1beta/openai``."""
    return bool(re.search(r"/v\d", urlsplit(url).path))


def with_version(url: str) -> str:
    """The same URL with ``/v1`` at the end of its path."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path}/v1"))


def is_local(url: str) -> bool:
    """Whether the server is on this machine: no key needed, no proxy wanted."""
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified
