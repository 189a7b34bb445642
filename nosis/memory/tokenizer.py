"""Text to search terms: one function for what is stored and for what is asked.

Text is normalised (NFKC, case-folded), cut at word boundaries, freed of function words and
stemmed in its own language. Numbers, versions and identifiers stay whole; identifiers are
findable by their parts too. Chinese, Japanese and Korean, written without spaces, become
bigrams (and single Han characters).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from nosis.memory.languages import CJK_FUNCTION, FUNCTION_WORDS, IRREGULAR, LETTERS, SCRIPTS

VERSION = 4
"""Raised whenever ``terms`` or ``language`` answer differently: stores rebuild their index."""

DEFAULT_LANGUAGE = "english"
_DETECTION_CHARACTERS = 1_000  # of a text; more would not change the answer
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_SPOKEN_WHERE: dict[str, list[str]] = {}  # function word -> its languages
for _name, _listed in FUNCTION_WORDS.items():
    for _listed_word in _listed:
        _SPOKEN_WHERE.setdefault(_listed_word, []).append(_name)

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA, _HANGUL = "\u3040-\u30ff\u31f0-\u31ff", "\uac00-\ud7af\u1100-\u11ff"
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
_RUN = f"{_HAN}{_KANA}{_HANGUL}{_SPACELESS}"
_LETTER = rf"(?:(?![{_RUN}])[^\W\d_]|[\u0300-\u036f])"
_MARKS = "\u0900-\u0903\u093a-\u094f\u0b80-\u0b83\u0bbe-\u0bcd"  # Indic vowel signs
_WORD = rf"(?:{_LETTER}|[{_MARKS}])+(?:['’](?:{_LETTER})+)*"
_TOKEN = re.compile(
    rf"(?P<run>[{_RUN}]+)"
    rf"|(?P<symbol>{_LETTER}(?:\+\+|\#)(?!\w))"
    rf"|(?P<number>v?\d+(?:[.:/-]\d+)+|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?)(?![^\W\d_])"
    rf"|(?P<name>(?:{_LETTER}|\d)+(?:[._](?:{_LETTER}|\d)+)+)"
    rf"|(?P<mixed>\d+{_LETTER}+|{_LETTER}+\d(?:{_LETTER}|\d)*)"
    rf"|(?P<word>{_WORD})"
    r"|(?P<digits>\d+)"
    r"|(?P<emoji>[\u2600-\u27bf\U0001f300-\U0001faff])",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_UNIT = re.compile(r"(\d+)(\D+)")
_ORDINAL = frozenset({"st", "nd", "rd", "th"})
_CLITIC = re.compile(r"['’](?:s|m|re|ve|ll|d|t)$")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)['’](?=\w{2})")


class Term(NamedTuple):
    """A search term and where it stands in the normalised text."""

    text: str
    start: int
    end: int


class _Token(NamedTuple):
    word: str  # case-folded; stemmed unless it is kept whole
    whole: bool
    start: int
    end: int


def normalise(text: str) -> str:
    """The text whose positions ``spans`` speaks of."""
    return unicodedata.normalize("NFKC", text)


def terms(text: str) -> list[str]:
    """The search terms of a text, in order."""
    return [term.text for term in spans(text)]


def spans(text: str) -> list[Term]:
    """The search terms of a text with their places in ``normalise(text)``, in order."""
    spoken = language(text)
    return [Term(_stem(t, spoken), t.start, t.end) for t in _content(text, spoken)]


def alternatives(text: str, languages: Iterable[str]) -> list[tuple[str, ...]]:
    """For each of ``terms(text)`` the terms that it may stand for in texts of the languages.

    A short query hardly tells its language; stemmed in each of those that a store holds, its
    words meet whatever text they occur in.
    """
    spoken = language(text)
    every = dict.fromkeys((spoken, DEFAULT_LANGUAGE, *languages))
    return [
        tuple(dict.fromkeys(_stem(token, name) for name in every))
        for token in _content(text, spoken)
    ]


def language(text: str) -> str:
    """The language of a text by its script, letters and function words; English in doubt."""
    folded = normalise(text).casefold()[:_DETECTION_CHARACTERS]
    votes: Counter[str] = Counter()
    words = _LETTERS_ONLY.findall(folded)
    for word in words:
        if listed := _SPOKEN_WHERE.get(word):
            votes.update(listed)
        elif not word.isascii() and (script := SCRIPTS.get(_script(word[0]))):
            votes[script] += 1
    if not folded.isascii():
        votes.update(LETTERS[letter] for letter in folded if letter in LETTERS)
    best = max(votes, key=lambda name: votes[name], default=DEFAULT_LANGUAGE)
    # One vote proves little: "son", "man", "met" and "van" are words of several languages.
    needed = max(votes[DEFAULT_LANGUAGE], int(all(map(str.isascii, words))))
    return best if votes[best] > needed else DEFAULT_LANGUAGE


def _content(text: str, spoken: str) -> list[_Token]:
    """Tokens that are not function words; all tokens where there are no others."""
    tokens = list(_tokens(normalise(text)))
    listed = FUNCTION_WORDS.get(spoken, frozenset())
    content = [token for token in tokens if token.word not in listed]
    return content or tokens


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        start, end, found = match.start(), match.end(), match.group()
        folded = found.casefold()
        match match.lastgroup:
            case "run":
                yield from _run(folded, start)
            case "number":
                yield _Token(folded.lstrip("v").replace(",", ""), True, start, end)
            case "name":
                yield _Token(folded, True, start, end)
                for part in re.finditer(r"[^._]+", found):
                    yield from _identifier(part.group(), start + part.start())
            case "mixed" if unit := _UNIT.fullmatch(folded):
                number, letters = unit.groups()
                yield _Token(number, True, start, end)
                if letters not in _ORDINAL:
                    yield _Token(letters, False, start + len(number), end)
            case "word" | "mixed":
                yield from _identifier(found, start)
            case _:
                yield _Token(folded, True, start, end)


def _identifier(found: str, start: int) -> Iterator[_Token]:
    """A word; a camelCase one is followed by its parts."""
    end = start + len(found)
    yield _Token(_plain(found.casefold()), any(map(str.isdigit, found)), start, end)
    if re.search("[a-z][A-Z]", found):
        for part in _CAMEL.finditer(found):
            yield _Token(part.group().casefold(), False, start + part.start(), start + part.end())


def _plain(word: str) -> str:
    """A word without clitics, elided articles and apostrophes."""
    return re.sub("['’]", "", _ELISION.sub("", _CLITIC.sub("", word)))


def _run(run: str, start: int) -> Iterator[_Token]:
    """Single Han characters, and bigrams, of the stretches between function characters."""
    for stretch in re.finditer(f"[^{''.join(CJK_FUNCTION)}]+", run):
        text, offset = stretch.group(), start + stretch.start()
        for at, character in enumerate(text):
            if len(text) == 1 or re.match(f"[{_HAN}]", character):
                yield _Token(character, True, offset + at, offset + at + 1)
            if at + 1 < len(text):
                yield _Token(text[at : at + 2], True, offset + at, offset + at + 2)


@lru_cache(4096)
def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]


def _stem(token: _Token, name: str) -> str:
    return token.word if token.whole else _stemmed(token.word, name)


@lru_cache(65536)
def _stemmed(word: str, name: str) -> str:
    if name == DEFAULT_LANGUAGE:
        word = IRREGULAR.get(word, word)
    return str(_stemmer(name).stemWord(word))


@cache
def _stemmer(name: str) -> Any:
    import Stemmer

    return Stemmer.Stemmer(name)
