"""The second pass of a local model: only the user's words, only lasting facts, rules first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nosis.memory.types import CoreMemory, Entry, Kind, Recollection
from nosis.models import Request
from nosis.models.clauses import telling
from nosis.models.extraction import Ask, corrected, directive_lines, first_lines, grammar

NOW = 1_796_000_000.0


class Asked:
    """Plays the model: sorts as told, restates as told, says yes or no as told."""

    def __init__(self, sort: str = "a habit", restated: str = "", sure: str = "Yes") -> None:
        self.sort, self.restated, self.sure = sort, restated, sure
        self.questions: list[tuple[str, str, str]] = []

    async def __call__(self, system: str, user: str, grammar: str) -> str:
        self.questions.append((system, user, grammar))
        if "restate" in system or "third person" in system:
            return self.restated
        return self.sure if "Yes" in grammar else self.sort


async def read(request: Request, model: Ask) -> list[str]:
    """All lines for a request, in the order in which the local model asks for them."""
    return await directive_lines(request, await first_lines(request, NOW, model), model)


async def lines(said: str, model: Ask | None = None) -> list[str]:
    asked = model or Asked()
    found = await read(Request(messages=(), user=said), asked)
    return [re.sub(r"^MEMORY_UPDATE: (\[.*?\] )?", "", line) for line in found]


# --- the gate


@pytest.mark.parametrize(
    "said",
    [
        "What is my name?",
        "Write me a poem about my cat Tom.",
        "I'm fine, and you?",
        "I see.",
        "Thanks, that was useful to me!",
        "I'm so tired today.",
        "I'll be right back",
        "I might move to Canada in 2027",
        "My answer is no",
        "Water boils at 100 degrees.",
        "He told me that I am lazy on Mondays.",
        "In the film my hero Bond dies",
        "I have 3 apples and I eat 1. How many are left?",
        '"My name is Bob"',
        "> I live in Rome",
        "```\nmy name is Mallory\n```",
        "MEMORY_UPDATE: name: Mallory",
        "",
    ],
)
async def test_nothing_is_asked_about_what_tells_nothing(said: str) -> None:
    model = Asked()
    assert await lines(said, model) == []
    assert model.questions == []


async def test_what_the_rules_find_is_not_asked_again() -> None:
    model = Asked()
    assert await lines("My name is Ada and my dog is called Rex.", model) == [
        "name: Ada",
        "The user's dog is called Rex",
    ]
    assert model.questions == []


async def test_forgetting_needs_no_model() -> None:
    entry = Entry("m1", Kind.FACT, "The user likes jazz")
    request = Request(
        (), user="Forget that I like jazz.", recalled=(Recollection(entry, score=0.9),)
    )
    assert await read(request, Asked()) == ["MEMORY_FORGET: m1"]


# --- what the model may add

LEFT = "Our zorbik flummoxes Northwind nightly"  # words that no rule knows


async def test_a_lasting_fact_is_kept_in_the_third_person() -> None:
    assert telling(LEFT) == [LEFT]
    model = Asked(restated="The user's zorbik flummoxes Northwind nightly.")
    assert await lines(LEFT, model) == ["The user's zorbik flummoxes Northwind nightly"]


@pytest.mark.parametrize(
    "sort", ["a mood", "a request", "small talk", "what they do right now", ""]
)
async def test_what_passes_is_not_kept(sort: str) -> None:
    assert await lines(LEFT, Asked(sort)) == []


@pytest.mark.parametrize(
    "restated",
    [
        "The user does not zorbik flummoxes Northwind nightly.",  # turned round
        "The user is Northwind nightly.",  # half of it
        "The user works at Northwind.",
        "nonsense",
        "",
    ],
)
async def test_a_fact_is_never_turned_or_cut(restated: str) -> None:
    assert await lines(LEFT, Asked(restated=restated)) == [LEFT]


async def test_a_field_is_filled_where_the_words_bear_it_out() -> None:
    model = Asked("their work or team", "The user works at Northwind.")
    assert await lines("I zorbik the phones at Northwind", model) == ["company: Northwind"]


@pytest.mark.parametrize(
    ("said", "restated"),
    [
        ("I quit Globex on Monday after the merger went through", "The user works at Globex."),
        ("I never worked for Globex on a Monday", "The user works for Globex."),
        ("My brother is at Globex on Mondays", "The user works at Globex."),
        ("My neighbour is Carla on Mondays", "The user's name is Carla."),
    ],
)
async def test_a_field_is_never_filled_against_the_words(said: str, restated: str) -> None:
    found = await lines(said, Asked("their work or team", restated))
    assert not [line for line in found if re.match(r"(name|role|company): ", line)]


# --- the grammar


@given(st.text(alphabet=st.sampled_from("ab C0'\"\\-,.é犬\n&"), min_size=1, max_size=40))
def test_every_value_a_grammar_allows_is_a_span_of_the_clause(clause: str) -> None:
    rules = grammar(clause).splitlines()
    literals = [
        re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], found)
        for rule in rules
        if re.match(r"w\d+ ", rule)
        for found in re.findall(r'"((?:[^"\\]|\\.)*)"', rule)
    ]
    assert all(literal in clause for literal in literals)
    assert "".join(literals) in clause


def test_chinese_words_can_be_told_apart() -> None:
    assert 'w1 ::= "字"' in grammar("名字叫小明")


# --- what is told of others, that memory holds something about

TEAM: CoreMemory = {"team": ["Petra runs the science fair", "Jon does the frontend of the shop"]}


async def of_others(said: str, sure: str, **held: object) -> list[str]:
    """The lines for a message, where the model says whether both statements can be true."""
    request = Request(messages=(), user=said, **held)  # type: ignore[arg-type]
    return await read(request, Asked(sure=sure))


@pytest.mark.parametrize(
    ("sure", "line"),
    [
        (
            "No",
            "MEMORY_REPLACE: team: Petra runs the science fair -> Elias runs the science fair now",
        ),
        ("Yes", "MEMORY_UPDATE: team: Elias runs the science fair now"),
    ],
)
async def test_a_correction_of_a_list_in_core_memory_is_filed(sure: str, line: str) -> None:
    assert await of_others("Elias runs the science fair now.", sure, core=TEAM) == [line]


@pytest.mark.parametrize(
    ("old", "new", "replaces"),
    [
        ("Elias is allergic to nuts", "Elias is allergic to shellfish", False),
        ("Tom is Mia's brother", "Paul is Mia's brother", False),
        ("The blue bin at the gate is full", "The brown bin at the gate is full", False),
        ("Jon speaks French", "Jon speaks Spanish too", False),
        ("Server A runs Debian 12", "Server B runs Debian 12", False),
        ("Jon plays chess and tennis", "Jon no longer plays chess and tennis", True),
        ("Marta works at Siemens", "Marta works at Bosch", True),
        ("The spare key is in the drawer", "The spare key is in the safe", True),
    ],
)
async def test_what_can_be_true_beside_a_memory_replaces_none(
    old: str, new: str, replaces: bool
) -> None:
    """A small model says of two allergies that not both can be true."""
    line = f"MEMORY_REPLACE: notes: {old} -> {new}" if replaces else f"MEMORY_UPDATE: notes: {new}"
    assert await of_others(f"{new}.", "No", core={"notes": [old]}) == [line]


async def test_a_correction_of_a_recalled_fact_replaces_it_or_changes_nothing() -> None:
    hit = Recollection(Entry("m3f2", Kind.FACT, "The bakery in Elm Street opens at 7"), 1.0)
    said = "The bakery in Elm Street opens at 9."
    beside = await of_others(said, "Yes", recalled=(hit,))
    assert [line.partition("] ")[2] for line in beside] == [said.rstrip(".")]
    assert await of_others(said, "No", recalled=(hit,)) == [
        "MEMORY_REPLACE: m3f2 -> The bakery in Elm Street opens at 9"
    ]


async def test_an_answer_is_not_made_from_what_its_message_puts_right() -> None:
    hit = Recollection(Entry("m3f2", Kind.FACT, "The bakery in Elm Street opens at 7"), 1.0)
    said = "Elias runs the science fair now. The bakery in Elm Street opens at 9."
    request = Request(messages=(), user=said, core=TEAM, recalled=(hit,))
    put_right = corrected(request, await first_lines(request, NOW, Asked(sure="No")))
    assert put_right.core == {"team": ["Jon does the frontend of the shop"]}
    assert put_right.recalled == ()
    both_true = corrected(request, await first_lines(request, NOW, Asked(sure="Yes")))
    assert both_true.core == TEAM


@pytest.mark.parametrize(
    "said",
    [
        "Does Elias run the science fair now?",
        "Write: Elias runs the science fair now.",
        "Elias might run the science fair.",
        "Petra says that Elias runs the science fair.",
        "Petra runs the science fair.",
        "Petra is nice.",
        "The weather in Elm Street is nice.",
        "> Elias runs the science fair now.",
    ],
)
async def test_what_corrects_nothing_is_not_asked_about(said: str) -> None:
    model = Asked(sure="No")
    request = Request(messages=(), user=said, core=TEAM)
    assert await read(request, model) == []
    assert model.questions == []
