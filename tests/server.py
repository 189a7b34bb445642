"""A scripted OpenAI-compatible server on loopback, for every test that needs a real one.

In a test::

    with Server("Hello!", Reply(["Go", "ne"], drop_after=1), models=["tiny"]) as server:
        ...  # point OPENAI_BASE_URL at server.url
        assert server.chats[0]["messages"][-1]["content"] == "hi"

As a process, for command line tests (prints its port, runs until it is terminated)::

    python -m tests.server SCRIPT.json [--record FILE.jsonl]

SCRIPT.json holds the arguments of ``Server``: ``{"replies": ["Hello!", {"text": ["Go", "ne"],
"drop_after": 1}], "models": ["tiny"], "default": "OK."}``; or just the list of replies.
``--record`` appends each request as one JSON line.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import re
import select
import socket
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TextIO

from tests.replies import Reply, Scripted, as_reply, completion, error, events, sse, vector


@dataclass
class Received:
    """One request as it arrived; ``left`` if the client went away before the reply was over."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    left: bool = False


class Server:
    """Answers with ``replies``, one a chat request, then with ``default``, then with errors 400.

    Args:
        replies: answers in order; callables get the request's JSON; those with ``when`` are
            standing rules, tried first and never used up.
        models: ids (or whole entries) that ``GET /models`` lists.
        listing: what it answers instead.
        prefix: where the API lives; every other path is 404.
        api_key: the only key that is accepted; None: any, or none.
        refuses: request fields (or "system" for the role) answered with error 400; a mapping
            gives the message of each.
        dimensions: length of the vectors of ``/embeddings``.
    """

    def __init__(
        self,
        *replies: Scripted,
        models: Sequence[str | dict[str, Any]] = ("test-model",),
        listing: Any = None,
        prefix: str = "/v1",
        api_key: str | None = None,
        refuses: Sequence[str] | Mapping[str, str] = (),
        default: Scripted | None = None,
        dimensions: int = 8,
        record: TextIO | None = None,
        port: int = 0,
    ) -> None:
        self.models = list(models)
        self.listing = listing
        self.prefix = prefix
        self.api_key = api_key
        self.refuses = dict(refuses if isinstance(refuses, Mapping) else dict.fromkeys(refuses, ""))
        self.default = default
        self.dimensions = dimensions
        self.received: list[Received] = []
        self.holding = threading.Event()  # set once a reply waits for release()
        self.left = threading.Event()  # set once a client went away while it waited
        self._rules: list[Reply] = []
        self._replies: deque[Scripted] = deque()
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._record = record
        self.add(*replies)
        self._http = _HTTPServer(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The base URL, prefix included."""
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    @property
    def chats(self) -> list[Any]:
        """JSON bodies of the chat requests so far, refused ones included."""
        return [r.body for r in self.received if r.path.endswith("/chat/completions")]

    def add(self, *replies: Scripted) -> None:
        """Append to the script."""
        for reply in replies:
            made = as_reply(reply) if not callable(reply) else None
            if made is not None and made.when is not None:
                self._rules.append(made)
            else:
                self._replies.append(reply)

    def release(self) -> None:
        """Let every held reply go on, now and later."""
        self._released.set()

    def close(self) -> None:
        self._released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _arrived(self, received: Received) -> None:
        with self._lock:
            self.received.append(received)
            if self._record is not None:
                line = {"method": received.method, "path": received.path, "body": received.body}
                self._record.write(json.dumps(line) + "\n")
                self._record.flush()

    def _next(self, body: Any) -> Reply:
        if (refused := self._refusal(body)) is not None:
            return refused
        asked = json.dumps(body.get("messages", []), ensure_ascii=False)
        for rule in self._rules:
            if re.search(rule.when or "", asked):
                return rule
        with self._lock:
            scripted = self._replies.popleft() if self._replies else self.default
        if callable(scripted):
            scripted = scripted(body)
        if scripted is None:
            return error(400, "the script has no reply left")
        return as_reply(scripted)

    def _refusal(self, body: Any) -> Reply | None:
        for name, message in self.refuses.items():
            used = name in body
            if name == "system":
                used = any(m["role"] == "system" for m in body.get("messages", ()))
            if used:
                text = message or f"Unsupported parameter: '{name}' is not supported."
                return error(400, text, param=name, code="unsupported_parameter")
        return None


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30  # idle keep-alive connections end with the test

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._receive(None)
            if not self._authorised():
                return
            if self.path == f"{server.prefix}/models":
                listed = [m if isinstance(m, dict) else {"id": m} for m in server.models]
                whole = {"object": "list", "data": listed}
                self._send(200, whole if server.listing is None else server.listing)
            else:
                self._not_found()

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"null")
            received = self._receive(body)
            if not self._authorised():
                return
            if self.path == f"{server.prefix}/chat/completions":
                self._chat(body, received)
            elif self.path == f"{server.prefix}/embeddings":
                self._embeddings(body)
            else:
                self._not_found()

        def _receive(self, body: Any) -> Received:
            received = Received(
                self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body
            )
            server._arrived(received)
            return received

        def _authorised(self) -> bool:
            if server.api_key in (None, self.headers.get("Authorization", "")[7:]):
                return True
            details = {"message": "Incorrect API key provided.", "code": "invalid_api_key"}
            self._send(401, {"error": details})
            return False

        def _not_found(self) -> None:
            self._send(404, "404 page not found", "text/plain")

        def _send(
            self,
            status: int,
            body: Any,
            content_type: str | None = None,
            headers: Mapping[str, str] | None = None,
        ) -> None:
            plain = body if isinstance(body, str) else json.dumps(body)
            data = plain.encode()
            kind = "text/html" if isinstance(body, str) else "application/json"
            self.send_response(status)
            self.send_header("Content-Type", content_type or kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _embeddings(self, body: Any) -> None:
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            base = body.get("encoding_format") == "base64"
            items = []
            for index, text in enumerate(texts):
                values = vector(text, server.dimensions)
                shown: Any = values.tolist()
                if base:
                    shown = base64.b64encode(values.tobytes()).decode()
                items.append({"object": "embedding", "index": index, "embedding": shown})
            self._send(200, {"object": "list", "data": items, "model": body["model"]})

        def _chat(self, body: Any, received: Received) -> None:
            reply = server._next(body)
            self._pause(reply, -1, received)
            if reply.drop_after == -1:
                self._cut()
            elif reply.body is not None or reply.status != 200:
                content = "" if reply.body is None else reply.body
                self._send(reply.status, content, reply.content_type, reply.headers)
            elif not body.get("stream"):
                self._send(200, completion(reply, body), reply.content_type, reply.headers)
            else:
                self._stream(reply, body, received)

        def _stream(self, reply: Reply, body: Any, received: Received) -> None:
            self.send_response(200)
            self.send_header("Content-Type", reply.content_type or "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            stream = events(reply, body) if reply.events is None else list(reply.events)
            if reply.done:
                stream.append("[DONE]")
            for sent, event in enumerate(stream):
                self._pause(reply, sent, received)
                if reply.drop_after == sent:
                    return self._cut()
                data = event if isinstance(event, bytes) else sse(event)
                try:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                    self.wfile.flush()
                except ConnectionError:
                    received.left = True
                    return self._cut()
            if reply.drop_after == len(stream):
                return self._cut()
            self.wfile.write(b"0\r\n\r\n")
            return None

        def _pause(self, reply: Reply, sent: int, received: Received) -> None:
            if reply.hold_after != sent:
                return
            server.holding.set()
            while not server._released.wait(0.01):
                readable, _, _ = select.select([self.connection], [], [], 0)
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    received.left = True
                    server.left.set()
                    return

        def _cut(self) -> None:
            self.close_connection = True
            with contextlib.suppress(OSError):  # the client may be gone already
                self.connection.shutdown(socket.SHUT_RDWR)

    return Handler


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server.")
    parser.add_argument("script", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--record", type=Path, help="append each request to this file")
    arguments = parser.parse_args()
    script = json.loads(arguments.script.read_text(encoding="utf-8"))
    options = {"replies": script} if isinstance(script, list) else script
    replies = options.pop("replies", [])
    record = arguments.record.open("a", encoding="utf-8") if arguments.record else None
    with Server(*replies, record=record, port=arguments.port, **options) as server:
        print(server.port, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
