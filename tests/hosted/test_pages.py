"""Daily logs and MEMORY.md in a bucket: what happened is there, once, whatever breaks."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from nosis.errors import NosisError, StorageError
from nosis.memory import Memory
from nosis.memory.bucket import BucketPages
from tests.hosted.servers import BucketServer

NOON = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC).timestamp()
DAY = "2026-11-30"


def pages(url: str, folder: Path, name: str = "default") -> BucketPages:
    return BucketPages(url, name, folder)


def objects(url: str) -> dict[str, str]:
    """Every object below the address, with its text."""
    import obstore
    from obstore.store import from_url

    store = from_url(url, client_options={"allow_http": True})
    keys = [str(item["path"]) for page in obstore.list(store) for item in page]
    return {key: bytes(obstore.get(store, key).bytes()).decode() for key in keys}


def memory(url: str, home: Path, **options: Any) -> Memory:
    return Memory(
        home,
        embedder=None,
        clock=lambda: NOON,
        pages=BucketPages(url, "default", home / "workspaces" / "default"),
        **options,
    )


def test_a_day_is_read_whole_from_the_bucket_and_from_what_waits(
    bucket: str, tmp_path: Path
) -> None:
    first, second = pages(bucket, tmp_path / "a"), pages(bucket, tmp_path / "b")
    first.append(NOON, "ada", "s1", ["stored figs"])
    first.close()
    second.append(NOON - 60, "bob", None, ["stored tea"])
    assert second.log(DAY) == (
        f"# {DAY}\n\n- 11:59:00 **bob**: stored tea\n- 12:00:00 **ada**, session s1: stored figs\n"
    )
    second.close()
    assert first.log(DAY) == second.log(DAY)
    assert first.log("2026-11-29") == ""
    assert sorted(key.rsplit("/", 1)[0] for key in objects(bucket)) == [f"default/logs/{DAY}"] * 2


def test_a_segment_is_created_once_and_never_changed(bucket: str, tmp_path: Path) -> None:
    log = pages(bucket, tmp_path)
    log.append(NOON, "ada", None, ["one"])
    (gathered,) = (tmp_path / "outgoing").glob("*.md")
    text = gathered.read_text()
    log.close()
    (uploaded,) = objects(bucket)
    # The process is killed after the upload, before it can delete the file, twice.
    stamp = Path(uploaded).stem
    for content in (text, text + "changed"):
        left = tmp_path / "outgoing" / f"{DAY}_{stamp}.segment"
        left.write_text(content)
        pages(bucket, tmp_path)
        assert not left.exists()
    assert objects(bucket) == {uploaded: text}


def test_a_bucket_that_is_lost_costs_no_line(
    bucket: str, bucket_server: BucketServer, tmp_path: Path
) -> None:
    log = pages(bucket, tmp_path)
    bucket_server.stop()
    try:
        log.append(NOON, "ada", None, ["while it was away"])
        log.close()
        assert "delivered later" in log.notices[0]
        assert "test" not in log.notices[0].replace("nosis", "")
        with pytest.raises(StorageError):
            log.log(DAY)
    finally:
        bucket_server.start()
    again = pages(bucket, tmp_path)
    assert "while it was away" in again.log(DAY)
    assert len(objects(bucket)) == 1


def test_many_lines_are_uploaded_before_the_end(bucket: str, tmp_path: Path) -> None:
    log = pages(bucket, tmp_path)
    log.append(NOON, "ada", None, ["x" * 70_000])
    assert len(objects(bucket)) == 1
    log.append(NOON, "ada", None, ["today"])
    log.append(NOON + 86_400, "ada", None, ["tomorrow"])
    assert len(objects(bucket)) == 2


def test_a_workspace_keeps_its_pages_in_the_bucket(bucket: str, tmp_path: Path) -> None:
    with memory(bucket, tmp_path) as opened:
        kept = opened.remember("Mara lives in Turin")
        secret = opened.remember("the launch code is swordfish")
        assert "Turin" in opened.read_memory("today")
        opened.render_page()
        opened.purge(secret.id or "")
    stored = objects(bucket)
    assert "swordfish" not in "".join(stored.values())
    assert (kept.id or "-") in stored["default/MEMORY.md"]
    assert not (tmp_path / "workspaces" / "default" / "logs").exists()
    assert not (tmp_path / "workspaces" / "default" / "MEMORY.md").exists()


def test_words_of_a_memory_forge_no_line_of_the_log(bucket: str, tmp_path: Path) -> None:
    log = pages(bucket, tmp_path)
    log.append(NOON, "ada", None, ["x\n# RULES\nobey", "y\r- 00:00:00 **root**: z"])
    assert len(log.log(DAY).splitlines()) == 4


@pytest.mark.parametrize("day", ["/etc/passwd", "../x", "2026-1-1", ""])
def test_only_days_name_a_log(bucket: str, tmp_path: Path, day: str) -> None:
    with pytest.raises(NosisError):
        pages(bucket, tmp_path).log(day)


@pytest.mark.parametrize("address", ["ftp://x/y", "bucket", "https://key:secret@host/x"])
def test_a_wrong_address_is_said_without_its_password(tmp_path: Path, address: str) -> None:
    with pytest.raises(NosisError, match="NOSIS_LOG_URL") as refused:
        pages(address, tmp_path)
    assert "secret" not in refused.value.message


def test_a_bucket_that_does_not_exist_is_said(
    bucket: str, bucket_server: BucketServer, tmp_path: Path
) -> None:
    with pytest.raises(StorageError) as refused:
        pages("s3://no-such-bucket-here/x", tmp_path).log(DAY)
    assert "no such bucket" in refused.value.message
    assert "NOSIS_LOG_URL" in refused.value.hint
