"""English verb forms, as far as a statement about a person needs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from nosis.models.offline import lexicon

BE = lexicon.word_set("am is are was were")
MODALS = lexicon.word_set("can could will would should may might must shall")
AUXILIARIES = BE | MODALS | lexicon.word_set("have has had do does did")
_IRREGULAR = {
    "was": "was",
    "have": "has",
    "do": "does",
    "be": "is",
    "am": "is",
    "are": "is",
    "were": "was",
    "go": "goes",
}
_BACK = {"has": "have", "does": "do", "is": "are", "was": "were", "goes": "go"}


def third(verb: str) -> str:
    """The form after "she": work → works, am → is, carry → carries; other tenses as they are."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in MODALS or verb in lexicon.PAST or (verb.endswith("ed") and verb != "need"):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def base(verb: str) -> str:
    """The form after "you": works → work, is → are; other tenses as they are."""
    if verb in _BACK:
        return _BACK[verb]
    if verb in MODALS or verb in lexicon.PAST or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("shes", "ches", "xes", "zes", "sses", "oes")):
        return verb[:-2]
    return verb[:-1]


@cache
def present() -> frozenset[str]:
    """Verbs that the rules know in the plain present ("live")."""
    return (
        lexicon.TASTE | lexicon.LASTING | lexicon.LASTING_WITH_OBJECT | lexicon.LASTING_OTHERS
        | lexicon.word_set(
    """
    have own want need plan hope go eat read watch wake sleep walk visit
    """
)
    )  # fmt: skip


@cache
def present_third() -> frozenset[str]:
    """The same verbs after a third person ("lives")."""
    return frozenset(third(verb) for verb in present())


_BEFORE_NOUNS = lexicon.word_set(
    """
    the a an my our his her their your this that of for to in on at with from by new old next
    last first 's and or no
    """
)


def find(lowered: Sequence[str], start: int, stop: int) -> int | None:
    """Where the verb of a clause is, from ``start`` and before ``stop``."""
    for index in range(start, min(len(lowered), stop)):
        if not is_finite(lowered[index]):
            continue
        if lowered[index] in AUXILIARIES:
            return index
        if lowered[index - 1] not in _BEFORE_NOUNS and not _noun(lowered, index):
            return index
    return None


_REPORTING = lexicon.word_set(
    """
    told tells asked asks recommended recommends suggested said says gave gives helped helps
    lets makes wants needs thinks believes called keeps sent
    """
)  # verbs that the rules take for nothing else


def _noun(lowered: Sequence[str], index: int) -> bool:
    # "the vendor call moved": of two verbs in a row the first is a noun.
    following = lowered[index + 1] if index + 1 < len(lowered) else ""
    return following in BE or (following in lexicon.PAST and following not in present())


def is_finite(word: str) -> bool:
    """Whether a word may be the verb of a clause."""
    return (
        word in AUXILIARIES or word in present() or word in present_third()
        or word in lexicon.PAST or word in _REPORTING or word == "used"
    )  # fmt: skip
