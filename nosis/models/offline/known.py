"""What memory holds for this turn, as plain sentences: core memory, facts, earlier words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from nosis.memory.core import values
from nosis.memory.text import neutralise
from nosis.memory.types import CORE_FIELDS, CoreMemory, Entry, Kind, Origin, Recollection
from nosis.models import Request
from nosis.models.offline import (
    concepts,
    endings,
    forgetting,
    gate,
    lexicon,
    openings,
    person,
    phrases,
    words,
)
from nosis.models.offline.facts import core_sentence
from nosis.models.offline.names import FIRST_NAMES

EARLIER = 20  # of the user's messages in this conversation may answer, the newest

_FIELD = re.compile(rf"^({'|'.join(CORE_FIELDS)}): (.+)$", re.DOTALL)
_NAMED = re.compile(
    r"\b(?:named|called) \S|\bname is\b|\bis [A-Z][\w'-]+$|^[A-Z][\w'-]+ is the user's\b"
)
_NOUN = r"([a-z][\w-]*(?: [a-z][\w-]*)?)"
_OWNED_BY = re.compile(
    rf"([A-Z][\w-]+) is the user's {_NOUN}"
    rf"|The user's {_NOUN} (?:is (?:called |named )?)?([A-Z][\w-]+)"
)
_SEVERAL = re.compile(
    r"The user(?:'s| has| has got)? (?:[a-z]+ )??([a-z]+s)(?::| are)?(?: called| named)? "
    r"((?:[A-Z][\w-]+(?:, | and |, and )?){2,6})(?= |$|[.,;:])"
)
_ORIGIN = re.compile(r"\b(?:is|are|comes?) (?:originally )?from\b")
_FORMERLY = re.compile(r"\b(?:used to be|was|worked as) an? \w")
_AGED = re.compile(r"\b(?:is|turned|turns|are) (\w+)(?= years| year| months|$| and| on| in)")
_OLD_THING = re.compile(r"\b(?:an?|the|very|my|his|her|their|this|that) old [a-z]", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"\b(?:not|no|never|cannot|without|hates?|dislikes?|detests?|loathes?|despises?|stopped|quit|"
    r"used to)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[A-Z]\S*(?: \S+){2,}[.!]$|[A-Z]\S*(?: \S+)* (?:is|are|was|has|had) ")
_SUBJECT = re.compile(r"^the user(?:'s)?\b", re.IGNORECASE)
_HEAD_WORDS = 6  # of a fact: where its subject stands


@dataclass(frozen=True, slots=True)
class Known:
    """One thing that memory holds, ready to be matched and said."""

    text: str  # third person, one inert line
    entry: Entry | None = None  # None: core memory, or this conversation
    core: tuple[str, str] | None = None  # field and value
    spoken: bool = False  # the user's own words, not a fact
    loose: bool = False  # words that state nothing: a guess, a question, a request
    score: float = 0.0
    held: frozenset[str] = field(default_factory=frozenset)  # concepts

    @property
    def negative(self) -> bool:
        """Whether it denies, or speaks of dislike."""
        return bool(_NEGATIVE.search(self.text))

    @property
    def about_user(self) -> bool:
        """Whether its subject is the user, or a thing of theirs, rather than another being."""
        return not (self.subjects & concepts.beings())

    @property
    def subjects(self) -> frozenset[str]:
        """Concepts of the words in subject position: "the user's sister Mara" → sister, mara."""
        words = self.text.split()[:_HEAD_WORDS]
        if words[:2] == ["The", "user"]:
            return frozenset()
        lowered = [word.lower().strip(".,") for word in words]
        from nosis.models.offline import verbs

        at = verbs.find(lowered, 1, len(lowered))
        return frozenset(concepts.concepts(" ".join(words[: at or len(words)])))

    @property
    def heads(self) -> frozenset[str]:
        """Concepts of what it is about: "The user's car is a red Volvo" → car."""
        return self.subjects if " is " in self.text or " are " in self.text else frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Concepts of its words with a capital."""
        written = re.findall(r"(?<=\w )[A-Z][\w'-]+", self.text)
        return frozenset(concepts.concepts(" ".join(written)))

    @property
    def when(self) -> float:
        """POSIX seconds of its last change; 0 where none is known."""
        if self.entry is None:
            return 0.0
        if self.entry.kind is Kind.TURN or self.entry.origin is Origin.IMPORT:
            return self.entry.created_at  # said then, even if it was brought in today
        return max(self.entry.updated_at, self.entry.created_at)


def known(request: Request) -> list[Known]:
    """All that may answer, facts before spoken words, best recollections first."""
    facts = [
        *_core(request.core),
        *(_fact(hit) for hit in request.recalled if hit.entry.kind is Kind.FACT),
    ]
    spoken = [
        _known(Known(_line(hit.entry.text), hit.entry, spoken=True, score=hit.score))
        for hit in request.recalled
        if hit.entry.kind is Kind.TURN and hit.entry.role != "assistant"
    ]
    earlier: list[Known] = []
    for message in request.messages[:-1][-2 * EARLIER :]:
        if message.role == "user":
            earlier = [item for item in earlier if not forgetting.covers(message.content, item)]
            earlier = endings.standing(message.content, earlier)
            earlier.append(_known(Known(_line(message.content), spoken=True)))
    said = [*spoken, *reversed(earlier)]
    return [*facts, *(replace(item, loose=not _states(item.text)) for item in said)]


def near(request: Request) -> list[Known]:
    """Facts that are too far from a message to answer it, and may yet be what it corrects."""
    return [_fact(hit) for hit in request.near if hit.entry.kind is Kind.FACT]


def stated(text: str) -> Known:
    """What is being told right now, as something to answer from."""
    return _known(Known(text))


def _states(text: str) -> bool:
    """Whether words of the user state anything: a question or a command answers nothing."""
    found = words.sentences(words.clean(text))
    if gate.poisoned(found) or forgetting.requested(text, ()):
        return False
    for sentence in found:
        lowered = words.low(openings.strip(words.tokens(sentence.text)))
        unsure = gate.UNSURE & set(lowered)
        if (
            len(lowered) > 2
            and not unsure
            and not gate.is_question(sentence, lowered)
            and not gate.is_command(lowered)
        ):
            return True
    return False


def _core(core: CoreMemory) -> list[Known]:
    return [
        _known(Known(_line(_core_line(name, one)), core=(name, one), score=1.0))
        for name in core
        for one in values(core, name)
    ]


def _core_line(name: str, value: str) -> str:
    own = person.about_user(value)  # what is kept by hand is often in the user's own words
    whole = name not in CORE_FIELDS and _SENTENCE.match(value)
    return own if own != value or whole else core_sentence(name, value)


def _fact(hit: Recollection) -> Known:
    text = hit.entry.text
    match = _FIELD.match(text)
    text = _core_line(match[1], match[2]) if match else person.about_user(text)
    return _known(Known(_line(text), hit.entry, score=hit.score))


def _line(text: str) -> str:
    return neutralise(text[:600])


def _known(item: Known) -> Known:
    held = set(concepts.concepts(_SUBJECT.sub("", item.text)))
    if _NAMED.search(item.text) or _names_a_being(item.text):
        held.add("name")
    if _ORIGIN.search(item.text):
        held.add("origin")
    if (item.core and item.core[0] in ("role", "company")) or _FORMERLY.search(item.text):
        held.add("work")
    if (aged := _AGED.search(item.text.lower())) and (
        aged[1].isdigit() or aged[1] in lexicon.NUMBERS
    ):
        held.add("age")
        held |= {"birthday"} if "turn" in aged[0] else set()
    elif _OLD_THING.search(item.text):
        held.discard("age")
    return replace(item, held=frozenset(held))


def _names_a_being(text: str) -> bool:
    """ "sister Mara", "two cats, miso and tofu"."""
    found = [word.strip(".,;") for word in text.split()]
    beings = concepts.beings()
    return any(
        concepts.concept(noun) in beings
        and (name[:1].isupper() or name.lower() in FIRST_NAMES or comma)
        for noun, name, comma in zip(
            found, found[1:], (w.endswith(",") for w in text.split()), strict=False
        )
    )


def names(items: Sequence[Known]) -> dict[str, list[str]]:
    """Names in what is known, in lower case, with whose they are: ``mara`` → my sister Mara.

    So that "Mara moved" is about someone; the words are empty where only the name is known.
    """
    text = " . ".join(item.text for item in items if not item.spoken)
    found = re.findall(r"(?<=[a-z] )[A-Z][\w'-]+|(?<= \. )[A-Z][\w'-]+(?= is | has )", text)
    listed = {word.lower().removesuffix("'s").strip(".,") for word in [*found, *text.split()]}
    heard = {n for n in listed if n in FIRST_NAMES or n.capitalize() in found} - {"the"}
    whose: dict[str, list[str]] = {name: [] for name in heard}
    for item in items:
        if item.spoken:
            continue
        if match := _SEVERAL.match(item.text):
            noun = phrases.singular(match[1])
            whose |= {n.lower(): ["my", noun, n] for n in re.findall(r"[A-Z][\w-]+", match[2])}
        elif match := _OWNED_BY.match(item.text):
            noun, name = (match[2], match[1]) if match[1] else (match[3], match[4])
            whose[name.lower()] = ["my", *noun.split(), name]
    return whose
