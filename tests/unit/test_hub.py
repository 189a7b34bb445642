"""Fetching a model file: whole, right, resumable, from where one says."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from filelock import FileLock

from nosis.errors import ModelError, NetworkError, UsageError
from nosis.models import hub

DATA = bytes(range(256)) * 10_000  # 2.5 MB: several pieces


class Mirror:
    """Serves DATA with ranges; the first ``cuts`` answers break off after 1.5 MB."""

    def __init__(self, data: bytes = DATA, cuts: int = 0, ranges: bool = True) -> None:
        self.asked: list[tuple[str, str | None]] = []
        mirror = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                wanted = self.headers.get("Range")
                mirror.asked.append((self.path, wanted))
                if not self.path.endswith(".gguf"):
                    self.send_error(404)
                    return
                start = int(wanted[6:-1]) if wanted and ranges else 0
                body = data[start:]
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                whole = len(mirror.asked) > cuts
                self.wfile.write(body if whole else body[:1_500_000])

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = hub.KnownModel(
        "small",
        "http://127.0.0.1:9/small.gguf",
        hashlib.sha256(DATA).hexdigest(),
        len(DATA),
        "",
        "",
    )
    monkeypatch.setattr(hub, "KNOWN", (model,))
    monkeypatch.setattr(hub, "folder", lambda: tmp_path / "cache" / "models")


@pytest.fixture
def mirrors() -> Iterator[list[Mirror]]:
    running: list[Mirror] = []
    yield running
    for mirror in running:
        mirror.close()


def serve(mirrors: list[Mirror], **options: object) -> Mirror:
    mirrors.append(Mirror(**options))  # type: ignore[arg-type]
    return mirrors[-1]


@pytest.mark.parametrize("end", ["", "/", "/small.gguf", "/other-name.gguf"])
def test_a_mirror_may_be_a_folder_or_a_file(mirrors: list[Mirror], end: str) -> None:
    mirror = serve(mirrors)
    seen: list[tuple[int, int]] = []
    path = hub.get("small", mirror.url + end, lambda *step: seen.append(step))
    assert path.read_bytes() == DATA
    assert path == hub.known("small").path and hub.known("small").is_here
    assert seen[-1] == (len(DATA), len(DATA)) and len(seen) > 1
    assert [p.name for p in path.parent.iterdir() if p.suffix != ".lock"] == ["small.gguf"]


def test_what_is_here_is_not_fetched_again(mirrors: list[Mirror]) -> None:
    mirror = serve(mirrors)
    first = hub.get("small", mirror.url)
    assert hub.get("small") == first
    assert len(mirror.asked) == 1


def test_a_download_that_broke_off_goes_on_where_it_stopped(mirrors: list[Mirror]) -> None:
    mirror = serve(mirrors, cuts=1)
    with pytest.raises(NetworkError) as caught:
        hub.get("small", mirror.url)
    assert "again" in caught.value.hint
    assert not hub.known("small").is_here
    assert hub.get("small", mirror.url).read_bytes() == DATA
    resumed = mirror.asked[1][1]
    assert resumed is not None and 0 < int(resumed[6:-1]) <= 1_500_000


def test_a_server_without_ranges_starts_over(mirrors: list[Mirror]) -> None:
    mirror = serve(mirrors, cuts=1, ranges=False)
    with pytest.raises(NetworkError):
        hub.get("small", mirror.url)
    assert hub.get("small", mirror.url).read_bytes() == DATA


@pytest.mark.parametrize("wrong", [DATA[:-1] + b"\0", DATA + b"more"], ids=["changed", "longer"])
def test_wrong_bytes_are_never_kept(mirrors: list[Mirror], wrong: bytes) -> None:
    mirror = serve(mirrors, data=wrong)
    with pytest.raises(ModelError) as caught:
        hub.get("small", mirror.url)
    assert "sha256" in caught.value.message and caught.value.hint
    assert not hub.known("small").path.exists()
    good = serve(mirrors)
    assert hub.get("small", good.url).read_bytes() == DATA


def test_a_file_is_taken_and_checked(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(DATA)
    assert hub.get("small", str(mine)).read_bytes() == DATA
    assert mine.exists()


@pytest.mark.parametrize(
    "wrong", [DATA[:-1], b"", DATA[:-1] + b"\0"], ids=["cut", "empty", "changed"]
)
def test_a_wrong_file_is_refused(tmp_path: Path, wrong: bytes) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(wrong)
    with pytest.raises(ModelError) as caught:
        hub.get("small", str(mine))
    assert caught.value.hint
    assert not hub.known("small").path.exists()


@pytest.mark.parametrize("source", ["nowhere.gguf", "", "http://", "http://127.0.0.1:9"])
def test_a_source_that_is_not_there_says_so(source: str) -> None:
    with pytest.raises((UsageError, NetworkError)) as caught:
        hub.get("small", source)
    assert "--from" in caught.value.hint


def test_a_refusal_of_the_server_names_its_url(mirrors: list[Mirror]) -> None:
    mirror = serve(mirrors)
    with pytest.raises(ModelError) as caught:
        hub._download(f"{mirror.url}/gone", Path("x"), hub.known("small"), lambda *_: None)
    assert "404" in caught.value.message and mirror.url in caught.value.message


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        hub.get("gpt-7")
    assert "small" in caught.value.hint


def test_only_one_process_fetches_at_a_time(mirrors: list[Mirror]) -> None:
    hub.folder().mkdir(parents=True)
    with FileLock(hub.folder() / "small.gguf.part.lock"), pytest.raises(UsageError) as caught:
        hub.get("small", serve(mirrors).url)
    assert "already" in caught.value.message


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(UsageError) as caught:
        hub.get("small")
    assert "GB" in caught.value.hint


def test_the_table_of_known_models_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for model in hub.KNOWN:
        assert model.url.startswith("https://") and model.filename.endswith(".gguf")
        assert len(model.sha256) == 64 and model.size > 100_000_000 and model.licence
