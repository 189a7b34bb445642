"""Recall finds the right memory, says why, and brings nothing where nothing fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nosis.memory import Memory
from nosis.memory.embedding import default_embedder
from nosis.memory.recall import CANDIDATES, FLOORS
from nosis.memory.recall.block import recalled_line
from nosis.memory.types import Filter, Kind, Recollection

GATE, FLOOR = FLOORS["nosis"]
NOW = 1_780_000_000.0  # 28 May 2026
FACTS = [
    "The user's dog is called Rex",
    "The user lives in Springfield",
    "Billing uses Postgres since the migration",
    "Ada's team deploys on Fridays",
    "The user prefers short answers",
    "The user is allergic to peanuts",
    "The dentist appointment is on 12 June",
    "Grace is the product manager",
    "The staging server runs Debian",
    "The user plays the cello",
    "The API key rotates every month",
    "The user's sister Mia studies law",
    "The office closes at six",
    "The user drives a blue Volvo",
    "The quarterly report is due on Monday",
    "The user learned Spanish in Madrid",
    "The user's favourite tea is Earl Grey",
    "The garden needs new fences",
    "The user runs a marathon every spring",
    "The team uses Rust for the parser",
]


def opened(folder: Path, *, meaning: bool = True, scoring: str = "nosis") -> Memory:
    embedder = default_embedder() if meaning else None
    return Memory(folder, embedder=embedder, scoring=scoring, clock=lambda: NOW)


@pytest.fixture(params=[True, False], ids=["meaning", "words"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """An empty workspace, with and without an embedding model."""
    with opened(tmp_path, meaning=request.param) as made:
        yield made


@pytest.fixture
def facts(memory: Memory) -> Memory:
    return filled(memory, [{"text": text, "kind": "fact"} for text in FACTS])


def filled(memory: Memory, records: list[dict[str, Any]]) -> Memory:
    memory.import_records(records)
    memory.embed_pending()
    return memory


def turn(text: str, session: str = "s1", **more: Any) -> dict[str, Any]:
    return {"text": text, "kind": "turn", "role": "user", "session": session, **more}


def texts(hits: list[Recollection]) -> list[str]:
    return [hit.entry.text for hit in hits]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What's my dog called?", "The user's dog is called Rex"),
        ("rex", "The user's dog is called Rex"),
        ("which database does billing use?", "Billing uses Postgres since the migration"),
        ("Who is the product manager?", "Grace is the product manager"),
        ("Thanks! When does the office close?", "The office closes at six"),
        ("what tea is my favourite", "The user's favourite tea is Earl Grey"),
    ],
)
def test_a_question_finds_its_fact_first(facts: Memory, question: str, fact: str) -> None:
    hits = facts.recall(question)
    assert texts(hits)[0] == fact
    assert hits[0].score >= FLOOR and all(0 <= hit.score <= 1 for hit in hits)


@pytest.mark.parametrize("count", [1, 2, 3, 20])
def test_a_store_of_few_memories_recalls_as_well(memory: Memory, count: int) -> None:
    filled(memory, [{"text": text} for text in FACTS[:count]])
    assert texts(memory.recall("What's my dog called?"))[:1] == [FACTS[0]]
    assert memory.recall("What is the boiling point of ethanol?") == []


def test_the_words_of_a_turn_are_found_like_a_fact(memory: Memory) -> None:
    filled(memory, [turn("my dog is Rex"), turn("I had pasta for lunch", "s2")])
    assert texts(memory.recall("What's my dog called?"))[:1] == ["my dog is Rex"]


def test_chinese_is_found_by_words_alone(tmp_path: Path) -> None:
    with opened(tmp_path, meaning=False) as memory:
        filled(memory, [{"text": t} for t in ("用户的狗叫小黑", "用户喜欢喝茶", "自行车是红色")])
        assert texts(memory.recall("狗叫什么"))[0] == "用户的狗叫小黑"


def test_meaning_finds_what_shares_no_word(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        filled(memory, [{"text": text} for text in FACTS])
        assert texts(memory.recall("which instrument do I play?"))[0] == "The user plays the cello"
        assert texts(memory.recall("what car do I have?"))[0] == "The user drives a blue Volvo"


@pytest.mark.parametrize(
    "message",
    ["hi", "thanks, great", "how are you", "zzz", "…", "🦊", "谢谢", "What is inflation?", ""],
)
def test_small_talk_and_unrelated_messages_recall_nothing(facts: Memory, message: str) -> None:
    assert facts.recall(message) == []
    assert facts.recollect(message, 1_000).hits == ()


def test_a_store_of_punctuation_and_emoji_breaks_nothing(memory: Memory) -> None:
    filled(memory, [{"text": text} for text in ("!!!", "🦊", "…")])
    assert texts(memory.recall("🦊"))[0] == "🦊"
    assert memory.recall("what is my dog called?") == []


def test_what_narrowly_misses_is_told(facts: Memory) -> None:
    found = facts.search("what is the weather in Springfield tomorrow?", threshold=0.99)
    assert found.hits == () and found.near_misses
    assert found.near_misses[0].entry.text == "The user lives in Springfield"


def test_a_question_for_all_that_is_known_gets_the_most_important_facts(facts: Memory) -> None:
    facts.remember("The user's cat is called Miso", 0.8)
    for question in ("What do you know about me?", "who am I", "Tell me everything you know"):
        hits = facts.recollect(question, 1_000).hits
        assert len(hits) > 2 and hits[0].entry.text == "The user's cat is called Miso"
    assert not facts.recollect("What do you know about Norway?", 1_000).hits


def test_a_critical_fact_comes_along_when_nothing_matches(facts: Memory) -> None:
    facts.mark_important(facts.recall("peanuts")[0].entry.id, 1.0)
    hits = facts.recollect("What is the boiling point of ethanol?", 1_000).hits
    assert texts(list(hits)) == ["The user is allergic to peanuts"]
    assert facts.recollect("hi", 1_000).hits == ()


def test_a_fact_comes_before_the_turn_that_it_came_from(memory: Memory) -> None:
    from nosis.memory.types import Directive, DirectiveKind

    said = "By the way my dog Rex is a beagle, and the weather is nice"
    update = Directive(DirectiveKind.UPDATE, "The user's dog Rex is a beagle")
    memory.record_turn("s1", said, "Noted!", [update])
    memory.embed_pending()
    hits = memory.recall("what breed is my dog Rex?")
    assert [hit.entry.kind for hit in hits][:2] == [Kind.FACT, Kind.TURN]


def test_the_turn_of_a_forgotten_fact_is_not_put_into_a_prompt(memory: Memory) -> None:
    from nosis.memory.types import Directive, DirectiveKind

    update = Directive(DirectiveKind.UPDATE, "The user has two cats, Miso and Tofu")
    memory.record_turn("s1", "I have two cats, Miso and Tofu", "Noted!", [update])
    memory.embed_pending()
    question = "What are my cats called?"

    def shown() -> str:
        return "\n".join(hit.shown for hit in memory.recollect(question, 1_000).hits)

    assert "Miso" in shown()
    (fact,) = memory.list_memories()
    memory.forget(fact.id)
    assert "Miso" not in shown()
    memory.restore(fact.id)
    assert "Miso" in shown()


def test_a_question_behind_other_sentences_finds_its_fact(tmp_path: Path) -> None:
    before = (
        "It rained the whole weekend and we watched three films, two of them terrible, one "
        "surprisingly good. My back hurts from the sofa."
    )
    with opened(tmp_path) as memory:
        filled(memory, [{"text": text, "kind": "fact"} for text in FACTS])
        assert memory.search(before).hits == ()
        hits = memory.search(f"{before} What is the name of my dog?").hits
        assert [hit.entry.text for hit in hits][:1] == ["The user's dog is called Rex"]


def test_a_word_is_found_whatever_stands_at_its_end_and_nothing_is_found_for_nonsense(
    memory: Memory,
) -> None:
    filled(memory, [{"text": "My dog is Rex.", "kind": "fact"}])
    assert [hit.entry.text for hit in memory.search("rex").hits] == ["My dog is Rex."]
    assert memory.search("zzz").hits == ()


def test_the_speaker_asked_about_comes_first(memory: Memory) -> None:
    filled(
        memory,
        [
            turn("I adopted a cat from the shelter", speaker="Ada"),
            turn("I adopted a cat from the shelter", "s2", speaker="Grace"),
        ],
    )
    for name in ("Ada", "Grace"):
        hit = memory.recall(f"What did {name} adopt?")[0]
        assert hit.entry.speaker == name
        assert f"said by {name}" in hit.reasons


def test_i_means_the_user_and_you_said_the_assistant(memory: Memory) -> None:
    filled(
        memory,
        [
            turn("The hotel near the station is good", role="user"),
            turn("The hotel near the station is good", "s2", role="assistant"),
        ],
    )
    assert memory.recall("Which hotel did I find good?")[0].entry.role == "user"
    assert memory.recall("Which hotel did you recommend?")[0].entry.role == "assistant"


def test_the_time_asked_about_comes_first(memory: Memory) -> None:
    filled(
        memory,
        [
            turn(f"I went hiking with friends ({day})", f"s{day}", created_at=f"2023-{day}")
            for day in ("05-07", "08-19")
        ],
    )
    assert "05-07" in memory.recall("Where did I go hiking in May 2023?")[0].entry.text
    assert "08-19" in memory.recall("Where did I go hiking in August?")[0].entry.text


def test_an_answer_is_found_by_the_question_before_it(memory: Memory) -> None:
    filled(
        memory,
        [
            turn("What colour is the new kitchen?", role="assistant"),
            turn("Sage green, with oak shelves"),
            turn("We talked about football for an hour", "s2"),
        ],
    )
    assert "Sage green, with oak shelves" in texts(memory.recall("colour of the kitchen"))


def test_neighbours_obey_the_filter(memory: Memory) -> None:
    filled(
        memory,
        [
            turn("What colour is the kitchen?", created_at="2023-05-01"),
            turn("Sage green", created_at="2023-05-03"),
        ],
    )
    forgotten = memory.conversation("s1")[1]
    memory.forget(forgotten.id)
    assert texts(memory.recall("colour of the kitchen")) == ["What colour is the kitchen?"]
    assert texts(memory.recall("colour of the kitchen", until="2023-05-02")) == [
        "What colour is the kitchen?"
    ]


def test_what_is_not_embedded_yet_is_found_by_its_words(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        filled(memory, [{"text": text} for text in FACTS])
        memory.remember("The user's cat is called Minka")
        assert texts(memory.recall("what is my cat called?"))[0] == "The user's cat is called Minka"


def test_more_memories_than_candidates_do_not_hide_the_one(memory: Memory) -> None:
    crowd = [turn(f"my dog and I walked {n} miles today", f"s{n}") for n in range(3 * CANDIDATES)]
    filled(memory, [*crowd, {"text": "The user's dog is called Rex"}])
    assert "The user's dog is called Rex" in texts(memory.recall("what is my dog called?"))


def test_a_long_turn_is_shown_by_its_passage(memory: Memory) -> None:
    filler = "We compared many options for the website and its colours. " * 60
    filled(memory, [turn(f"{filler}The launch code word is marmalade. {filler}")])
    (hit,) = memory.recollect("what is the launch code word?", 1_000).hits
    assert "marmalade" in hit.shown and len(hit.shown) < 1_000
    assert hit.shown.startswith("…") and hit.shown.endswith("…")


def test_a_prompts_block_stays_within_its_tokens(facts: Memory) -> None:
    def words(text: str) -> int:
        return len(text.split())

    from nosis.memory import recall

    found = facts.search("the user", threshold=0.0, limit=20)
    for budget in (0, 30, 60, 500):
        chosen = recall.block(found, budget, words)
        assert sum(words(recalled_line(hit)) for hit in chosen) <= max(budget, 0)
        assert [hit.score for hit in chosen] == sorted((h.score for h in chosen), reverse=True)


def test_filters_apply_before_the_limit(facts: Memory) -> None:
    hits = facts.search("the user", Filter(kinds=(Kind.TURN,)), threshold=0.0).hits
    assert hits == ()


def test_the_same_instant_scores_the_same_in_any_zone_and_the_future_is_not_old(
    tmp_path: Path,
) -> None:
    times = ["2026-05-03T10:00:00Z", "2026-05-03T19:00:00+09:00", "2030-01-01"]
    for scoring in ("nosis", "daita"):
        with opened(tmp_path / scoring, meaning=False, scoring=scoring) as memory:
            filled(memory, [turn("tea at noon", f"s{t}", created_at=t) for t in times])
            scores = [hit.score for hit in memory.recall("tea at noon")]
            assert len(scores) == 3 and scores[1] == scores[2]


@pytest.fixture
def documented(tmp_path: Path) -> Iterator[Callable[[str], list[Recollection]]]:
    with opened(tmp_path, scoring="daita") as memory:
        filled(memory, [{"text": text} for text in FACTS])
        yield memory.recall


def test_the_documented_formula_scores_on_its_own_scale(
    documented: Callable[[str], list[Recollection]],
) -> None:
    exact = documented("The user's dog is called Rex")[0]
    assert exact.parts["semantic"] == pytest.approx(0.6, abs=0.01)
    assert exact.parts["keyword"] == pytest.approx(0.4, abs=0.01)
    assert exact.parts["phrase"] == 0.15 and exact.parts["both"] == 0.1
    assert exact.score == 1
    related = documented("what is my dog called?")[0]
    assert 0.6 <= related.score < 1 and related.entry.text == exact.entry.text
    assert documented("What is the boiling point of ethanol?") == []
