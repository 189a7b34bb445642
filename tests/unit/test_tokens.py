"""Counting tokens: as OpenAI does, offline, whatever is in the text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nosis import tokens

SAMPLES = {
    "English": "Ada's team deploys on Fridays, and she prefers concise explanations.",
    "Chinese": "用户的狗叫小黑，用户喜欢喝茶，自行车是红色。我在北京的一家软件公司担任工程师。",
    "Japanese": "私の犬の名前はポチで、毎朝公園を散歩します。",
    "Korean": "제 강아지 이름은 초코이고 매일 아침 공원을 산책합니다.",
    "Russian": "Моя собака по имени Рекс живёт в Москве и любит гулять по утрам.",
    "Hindi": "मेरे कुत्ते का नाम रेक्स है और वह सुबह घूमना पसंद करता है।",
    "emoji": "😀🎉🚀🐶👍🏽👩‍👩‍👧‍👦🏳️‍🌈🫠",
    "code": "def f(x: int) -> list[str]:\n    return [str(x + 1), 'y_1']\n",
    "JSON": '{"id":"m3f2","importance":0.75,"created_at":"2026-11-30T20:19:15Z"}',
    "key": "c2stcHJvai1BYmNEZWZHaGlKa2xNbm9QcXJTdHVWd3hZejAxMjM0NTY3ODk=",
}


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    tokens.warm().join()
    tokens.warm("gpt-4").join()


def test_counts_are_those_of_the_models() -> None:
    text = "The dog of Ada is called 小黑 🐶"
    assert tokens.count(text) == tokens.count(text, "gpt-5-mini") == 11
    assert tokens.count(text, "gpt-4") == tokens.count(text, "openai/gpt-3.5-turbo") == 12
    assert tokens.count(text, "gpt-4o") == 11
    assert tokens.count("") == 0


def test_special_tokens_are_text() -> None:
    assert tokens.count("<|endoftext|>") == 7
    assert tokens.fit("a <|endoftext|> b", 100) == "a <|endoftext|> b"


def test_lone_surrogates_are_counted_as_replaced() -> None:
    assert tokens.count("a\ud83db") == tokens.count("a\ufffdb")
    assert tokens.well_formed("\ud83d\ude00 \udc80") == "😀 \ufffd"
    assert tokens.estimate("a\ud83db") > 0


def test_the_tables_never_come_from_the_network(tmp_path: Path) -> None:
    """A process without network and with an empty cache counts exactly, and imports no bpe."""
    program = """
import socket, sys
def refuse(*args, **kwargs): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
from nosis import tokens
first = tokens.count("Hello, world")
tokens.warm().join()
print(first, tokens.count("Hello, world"), "bpe_openai" in sys.modules, "requests" in sys.modules)
"""
    said = _run(program, tmp_path)
    assert said.split()[1:] == ["3", "False", "False"]
    assert int(said.split()[0]) >= 3
    assert list((tmp_path / "nosis" / "tokens").iterdir())


@pytest.mark.parametrize("fault", ["missing", "damaged"])
def test_without_tables_estimates_go_on_for_ever(tmp_path: Path, fault: str) -> None:
    program = f"""
import gzip, importlib.util, pathlib, sys, types
sys.path.insert(0, {str(tmp_path)!r})
from nosis import tokens
if {fault!r} == "missing":
    importlib.util.find_spec = lambda name: None
else:
    data = pathlib.Path({str(tmp_path)!r}, "bpe_openai", "data")
    data.mkdir(parents=True)
    (data.parent / "__init__.py").write_text("raise SystemExit('imported')")
    (data / "o200k_base.tiktoken.gz").write_bytes(gzip.compress(b"IQ== 0"))
tokens.warm().join()
print(tokens.count("Hello, world"), tokens.estimate("Hello, world"), tokens.fit("abc " * 50, 3))
"""
    counted, estimated, *fitted = _run(program, tmp_path / "cache").split()
    assert counted == estimated
    assert fitted


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    program = """
from nosis import tokens
tokens.warm().join()
print(tokens.count("Hello, world"))
"""
    assert _run(program, tmp_path / "file").strip() == "3"


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    program = """
from nosis import tokens
tokens.warm().join()
print(tokens.count("Hello, world"))
"""
    folder = tmp_path / "nosis" / "tokens"
    folder.mkdir(parents=True)
    table = folder / "fb374d419588a4632f3f557e76b4b70aebbca790"
    table.write_bytes(b"cut")
    assert _run(program, tmp_path).strip() == "3"
    assert len(table.read_bytes()) > 1_000_000


@pytest.mark.parametrize("language", SAMPLES)
def test_estimates_err_upwards(language: str) -> None:
    text = SAMPLES[language]
    exact = tokens.count(text)
    assert 0.9 * exact <= tokens.estimate(text) <= 3 * exact + 5


@given(st.text(max_size=200), st.integers(0, 60))
def test_what_fits_is_a_beginning_within_the_budget(text: str, budget: int) -> None:
    kept = tokens.fit(text, budget)
    assert text.startswith(kept)
    assert tokens.count(kept) <= budget
    assert kept == text or tokens.count(text[: len(kept) + 8]) >= budget


@given(text=st.text(max_size=200), budget=st.integers(0, 60))
def test_what_fits_by_estimate_does_too(text: str, budget: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_encodings", {})
        kept = tokens.fit(text, budget)
    assert text.startswith(kept)
    assert tokens.estimate(kept) <= budget
    assert kept == text or tokens.estimate(text[: len(kept) + 1]) > budget


def _run(program: str, cache: Path) -> str:
    environment = {"PATH": "", "PYTHONPATH": ":".join(sys.path), "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return run.stdout
