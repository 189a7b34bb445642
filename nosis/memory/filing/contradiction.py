"""Whether a new preference contradicts an old one, so that it takes its place.

Only two plain forms count: the same thing affirmed and denied, and two ends of one scale in the
same words. On any doubt both are kept.
"""

from __future__ import annotations

from nosis.memory.filing import negations
from nosis.memory.tokenizer import terms

# Ways to say that one prefers something: they carry no subject. The second kind may be true of
# both ends of a scale at once ("loves short walks" and "loves long walks").
_EXCLUSIVE = frozenset(terms("prefer prefers preferred want wants use uses using please choose"))
_INCLUSIVE = frozenset(
    terms("like likes love loves enjoy enjoys also both too sometimes another as well")
)
_DENYING = frozenset(
    terms(
        "dislike dislikes hate hates avoid avoids stop stopped quit unlike without refuse refuses "
        "former formerly lack lacks longer anymore more any again now still drink drinks eat eats "
        "take takes have has user users"
    )
)
_EMPTY = _EXCLUSIVE | _INCLUSIVE | _DENYING

# Scales of which one can prefer one end at a time, and the words that must be with those that say
# nothing by themselves.
_SCALES = {
    "dark light": "",
    "short long brief detailed concise verbose terse": "",
    "tabs spaces": "",
    "formal informal casual": "",
    "metric imperial": "",
    "celsius fahrenheit": "",
    "morning afternoon evening night": "",
    "early late": "",
    "hot cold iced": "",
    "window aisle": "",
    "vegetarian vegan": "",
    "few many": "",
    "small large big": "",
    "light heavy": "",
    "quiet loud": "",
    "12 24": "hour clock time format",
    "english german french spanish italian portuguese dutch polish swedish danish norwegian "
    "finnish russian ukrainian turkish arabic hindi chinese japanese korean": "answer answers "
    "reply replies response responses write written",
}
_ENDS = [
    ([frozenset(terms(word)) for word in scale.split()], frozenset(terms(beside)))
    for scale, beside in _SCALES.items()
]


def contradicts(old: str, new: str) -> bool:
    """Whether a person who prefers ``new`` now no longer prefers ``old``."""
    before, after = set(terms(old)), set(terms(new))
    denied = len(negations(old)) % 2 == 1, len(negations(new)) % 2 == 1
    if denied[0] != denied[1]:
        negative, positive = (before, after) if denied[0] else (after, before)
        subject = negative - _EMPTY
        return bool(subject) and subject <= positive
    if denied[0] or (before | after) & _INCLUSIVE:
        return False
    gone, come = before - after - _EMPTY, after - before - _EMPTY
    return any(
        gone in ends and come in ends and (not beside or bool(before & after & beside))
        for ends, beside in _ENDS
    )


def conflicts(field: str, old: str, new: str) -> bool:
    """Whether two values of a core field contradict each other, as far as these rules know: they
    know preferences only."""
    return field == "preference" and contradicts(old, new)
