"""One tokenizer for what is stored and what is asked."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nosis.memory.tokenizer import alternatives, language, normalise, spans, terms


def found_by(query: str, text: str) -> set[str]:
    """Terms that the query and the text share."""
    return set(terms(query)) & set(terms(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("rex", "My dog is Rex."),
        ("tea", "She drinks (tea), always."),
        ("0.7.0", "upgraded to v0.7.0, at last"),
        ("v0.7.0", "0.7.0 is out"),
        ("go", "rewritten in Go"),
        ("js", "plain JS, no framework"),
        ("C++", "knows C++ and C#"),
        ("node", "runs node.js"),
        ("node.js", "runs Node.js."),
        ("max_tokens", "set max_tokens=5"),
        ("tokens", "set max_tokens=5"),
        ("store local", "see nosis.memory.store.local"),
        ("connection", "class HttpConnectionPool"),
        ("250 ms", "answers in 250ms"),
        ("1200", "costs 1,200 euros"),
        ("2024-03-15", "due 2024-03-15."),
        ("ada@example.com", "write to ada@example.com!"),
        ("running", "she runs every day"),
        ("bought a bike", "I buy bikes"),
        ("O'Brien", "Ms. O’Brien called"),
        ("café", unicodedata.normalize("NFD", "the café")),
        ("FULL", "ｆｕｌｌ width"),
        ("straße", "Hauptstrasse und Straße"),
        ("狗叫什么", "用户的狗叫小黑"),
        ("犬の名前", "私の犬の名前はポチです"),
        ("강아지", "강아지는 귀여워요"),
        ("собака", "у меня есть собаки"),
        ("🦊", "her sign is 🦊"),
        ("to be or not to be", "to be or not to be"),
    ],
)
def test_what_people_write_finds_what_is_stored(query: str, text: str) -> None:
    assert found_by(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("rate limit", "moderate"),
        ("zzz", "My dog is Rex."),
        ("狗叫什么", "用户喜欢喝茶"),
        ("cat", "category"),
        ("0.7.0", "0.7.1"),
    ],
)
def test_other_words_are_not_found(query: str, text: str) -> None:
    assert not found_by(query, text)


def test_versions_and_identifiers_stay_whole() -> None:
    assert "0.7.0" in terms("v0.7.0") and "7" not in terms("v0.7.0")
    assert {"max_tokens", "max", "token"} <= set(terms("max_tokens"))


def test_a_text_of_function_words_only_keeps_them() -> None:
    assert terms("who am I") == ["who", "am", "i"]
    assert terms("who is my dog") == ["dog"]


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("My dog is called Rex", "english"),
        ("Rex", "english"),
        ("Son: Max", "english"),  # "son" is a function word of French and Spanish
        ("Mein Hund heißt Rex und er mag Katzen", "german"),
        ("Le chien de la voisine est dans le jardin", "french"),
        ("me gusta el café de la casa", "spanish"),
        ("у меня есть собака", "russian"),
        ("मेरा कुत्ता", "hindi"),
    ],
)
def test_language_is_told_by_script_letters_and_function_words(text: str, spoken: str) -> None:
    assert language(text) == spoken


def test_a_short_query_is_stemmed_in_every_language_of_the_store() -> None:
    stored = set(terms("Wir haben mit den Kindern über ihre Häuser gesprochen"))
    assert not stored & set(terms("Häusern Kinder"))  # two words tell no language
    groups = alternatives("Häusern Kinder", ["german"])
    assert all(stored & set(group) for group in groups)


@given(st.text(max_size=80))
def test_any_text_has_terms_in_place_and_the_same_for_its_normal_form(text: str) -> None:
    found = spans(text)
    normal = normalise(text)
    assert [term.text for term in found] == terms(text) == terms(normal)
    assert all(0 <= term.start < term.end <= len(normal) and term.text for term in found)
    assert [term.start for term in found] == sorted(term.start for term in found)
    assert [group[0] for group in alternatives(text, [])] == terms(text)
