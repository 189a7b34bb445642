""" "Remember that …": words that the user asks to keep, whatever they say."""

from __future__ import annotations

from nosis.models.offline import gate, lexicon, nouns, openings, words

_ASKED = lexicon.phrases(
    """
    remember that | remember : | note that | note : | keep in mind that | keep in mind : |
    do not forget that | make a note that | make a note : | take note that | memorise that |
    memorize that | add to memory : | save this : | store this : | note this : |
    remember this : | for future reference : | bear in mind that | bear in mind : |
    you should remember that | i want you to remember that |
    i would like you to remember that | can you remember that | could you remember that |
    will you remember that | do not forget : | never forget that | to remember : |
    make sure you remember that | remember for later : | for later : | store that |
    remind me that | save that | note down that | jot down that | write down that | please note
    """
)
_WEAK = ("note", "please", "take", "bear")
_OWN = lexicon.word_set("i my we our")
_STATING = lexicon.word_set("is are am have has like live was will do does can")
_AFTER = lexicon.phrases(
    """
    remember that | remember it | remember this | please remember that | please remember it |
    please remember this | please remember | keep that in mind | please keep that in mind |
    do not forget it | do not forget that | please do not forget it | please do not forget
    """
)
_CAN_YOU = (["can", "you", "remember"], ["could", "you", "remember"], ["will", "you", "remember"])
_LISTS = (["remember"], ["note"], ["remember", "this"], ["remember", "these"])


def remembered(found: list[str], end: str) -> list[str] | None:
    """What follows "remember that"; None if a sentence does not ask to remember.

    Nothing (an empty list) where what is to be kept follows on the next lines.
    """
    found = openings.strip(found)
    lowered = words.low(found)
    for phrase in _AFTER:
        if end != "?" and lowered[-len(phrase) - 1 :] == [",", *phrase]:
            return found[: -len(phrase) - 1]
    if lowered[:3] in _CAN_YOU and lowered[3:4] and lowered[3] in _OWN | {"the"}:
        rest = found[3:]
        return rest if {"is", "are"} & set(words.low(rest[2:-1])) else None
    for phrase in _ASKED:
        if lowered[: len(phrase)] == phrase and (end != "?" or "you" in phrase):
            rest = found[len(phrase) :]
            if phrase[0] in _WEAK and not (_OWN | nouns.PROJECT_NOUNS) & set(words.low(rest)):
                return None  # "note that Python counts from zero"
            asks = bool(rest) and gate.asks(words.low(rest))
            return None if asks or (not rest and end != ":") else rest
    if end == ":" and lowered in _LISTS:
        return []
    if lowered[:1] != ["remember"] or end == "?" or len(found) < 3:
        return None
    rest = found[2:] if lowered[1] == "," else found[1:]
    # "But remember, small things matter" asks for nothing.
    claim = (_OWN | {"the"} if lowered[1] != "," else _OWN) & set(words.low(rest[:1]))
    if lowered[1] == "," and _OWN & set(words.low(rest)):
        return rest
    return rest if claim and _STATING & set(lowered) and lowered[1:3] != ["the", "time"] else None
