"""A sentence as clauses, each with its own subject: the unit that the rules read."""

from __future__ import annotations

from nosis.models.offline import dates, gate, lexicon, names, openings, verbs, words

_JOINTS = lexicon.word_set("and but so plus also although though while whereas yet then")
_STARTS = lexicon.word_set(
    """
    i my we our he she it they his her their its the everyone everybody people friends
    """
)
_DETERMINERS = lexicon.word_set("a an the my our his her their its to")
_ASIDES = lexicon.word_set("sorry thanks thx lol haha btw though tho saw please")
_OPENERS = lexicon.word_set("these in on at since last next after from")  # "but these days I paint"
_BREAKS = frozenset({";", "-", "–", "—", "...", "…", "|"})
_TAILS = lexicon.phrases(
    """
    by the way | btw | fyi | thanks | thank you | lol | haha | though | tho | too | please |
    as well | if that matters | if that helps | if you are curious | if you must know |
    if that is relevant | in case that matters | in case it matters | in case that helps |
    just so you know | for the record | actually | right now | honestly | to be honest |
    you know | as you know | anyway | of course | sadly | unfortunately | luckily | so far |
    at the moment | xd | cheers | to be fair | believe it or not | in case you wondered |
    nice to meet you | pleased to meet you | i am afraid | for what it is worth | yay |
    it is great | it is fun | it is awesome | finally | hooray | ugh | sorry | then
    """
)


def split(found: list[str]) -> list[list[str]]:
    """The clauses of a statement; a subject shared by two verbs is repeated."""
    pieces: list[list[str]] = [[]]
    lowered = words.low(found)
    depth = 0
    for index, word in enumerate(found):
        if word in "([":
            depth += 1
        elif word in ")]":
            depth = max(0, depth - 1)
            continue
        if depth:
            continue  # an aside is left out
        if word in _BREAKS or _parts(found, lowered, index, words.low(pieces[-1])):
            pieces.append([])
            if word in _BREAKS or word == ",":
                continue
        pieces[-1].append(word)
    return [clause for clause in _finish(pieces) if clause]


def _parts(found: list[str], lowered: list[str], index: int, before: list[str]) -> bool:
    """Whether a new clause begins at this word; ``before``: the clause up to here."""
    word = lowered[index]
    if word == ":":
        return not _lists_names(found, index + 1)
    acts = before[:1] in (["i"], ["we"]) and len(before) > 2  # whatever the verb
    if not acts and not any(verbs.is_finite(other) for other in before[1:] or before):
        return False  # "my wife and I", "Mara, my sister"
    if word == ",":
        ahead = index + 1
        while ahead < len(lowered) and (
            lowered[ahead] in _JOINTS or lexicon.is_adverb(lowered[ahead])
        ):
            ahead += 1
        if ahead < len(lowered) - 2 and _named_at(found, lowered, ahead):
            return True
        return ahead < len(lowered) and _clause_at(lowered, ahead, joined=ahead > index + 1)
    if word in _JOINTS and index and lowered[index - 1] != ",":
        ahead = index + 1
        while ahead < len(lowered) and lexicon.is_adverb(lowered[ahead]):
            ahead += 1
        if ahead < len(lowered) - 2 and _named_at(found, lowered, ahead):
            return True
        return ahead < len(lowered) and _clause_at(lowered, ahead, joined=True)
    return False


def _lists_names(found: list[str], start: int) -> bool:
    """ "three hens: Pip, Dot and Mabel"."""
    rest = [word for word in found[start:] if word.lower() not in (",", "and")]
    return 0 < len(rest) <= 6 and all(word[:1].isupper() and word != "I" for word in rest)


def _named_at(found: list[str], lowered: list[str], start: int) -> bool:
    # "…, and Sunita is the product owner"
    return (
        found[start][:1].isupper()
        and lowered[start + 1] in verbs.AUXILIARIES
        and lowered[start] != "i"
    )


def _clause_at(lowered: list[str], start: int, *, joined: bool) -> bool:
    word = lowered[start]
    rest = lowered[start + 1 : start + 9]
    if gate.asks(lowered[start:]) or word == "please":
        return True
    if word in ("i", "we", "he", "she", "they") or (word == "it" and not joined):
        return bool(rest) and rest[0] != ","
    if word in _STARTS or (joined and word in names.FIRST_NAMES):
        return _has_verb(rest[1:] if word in _DETERMINERS else rest)
    if joined and word in _OPENERS and {"i", "we"} & set(rest[:4]):
        return True
    if word in _ASIDES:
        return not joined
    if not verbs.is_finite(word) or (not joined and {"who", "which"} & set(lowered[:start])):
        return False
    return _carries(lowered, start)


def _has_verb(rest: list[str]) -> bool:
    for word in rest:
        if word in _JOINTS or word == ",":
            return False
        if verbs.is_finite(word):
            return True
    return False


def _carries(lowered: list[str], start: int) -> bool:
    """Whether a verb after "and" continues the subject: "I live here and work there"."""
    before = lowered[:start]
    verb = lowered[start]
    if lowered[start + 1 : start + 2] in ([], ["and"], [","], ["or"]):
        return False  # "music, dance and art"
    following = lowered[start + 1]
    if lowered[start - 1] == "so":
        return False  # "I'm vegan so use tofu"
    if verb == "like" and lowered[start - 1] == ",":
        return False  # "…, like my old car"
    if verb == "love" and not (following.endswith(("ing", "s")) or following in _DETERMINERS):
        return False  # "the hope and love theme"
    if verb in lexicon.PAST and verb not in verbs.present():
        return any(word in lexicon.PAST or word in verbs.AUXILIARIES for word in before)
    if verb in verbs.present() and verb not in verbs.present_third():
        first = before[:1] in (["i"], ["we"]) or before[:2] in (["and", "i"], ["my", "parents"])
        infinitive = (verbs.MODALS | {"to", "let", "lets", "help", "helps"}) & set(before)
        return first and not infinitive
    if verb in verbs.BE or verb in ("has", "have"):
        return True
    return verb in verbs.present_third() and before[:1] not in (["i"], ["we"])


def _finish(pieces: list[list[str]]) -> list[list[str]]:
    finished: list[list[str]] = []
    subject: list[str] = []
    for piece in pieces:
        clause = list(piece)
        while clause and clause[0].lower() in _JOINTS | {",", ":"}:
            clause = clause[1:]
        if words.low(clause[:1]) == ["please"]:
            continue  # "I'm colour-blind, so please avoid red"
        clause = without_tail(openings.strip(clause))
        if not clause:
            continue
        lowered = words.low(clause)
        skip = 0
        while skip < len(clause) - 1 and lexicon.is_adverb(lowered[skip]):
            skip += 1
        if verbs.is_finite(lowered[skip]) and subject and not gate.asks(lowered):
            clause = subject + clause
        elif lowered[0] in _STARTS:
            subject = _subject(clause, lowered)
        finished.append(clause)
    return finished


def _subject(clause: list[str], lowered: list[str]) -> list[str]:
    start = 1 if lowered[0] in ("i", "we", "he", "she", "it", "they") else 2
    for index in range(start, min(len(clause), 9)):
        if verbs.is_finite(lowered[index]) or lexicon.is_adverb(lowered[index]):
            return clause[:index]
    return []


def without_tail(clause: list[str]) -> list[str]:
    """A clause without what is only said in passing at its end ("btw", "haha")."""
    changed = True
    while changed and clause:
        changed = False
        if len(clause) > 3 and clause[-2] == "," and clause[-1].lower() in verbs.present():
            clause = clause[:-2]  # what a cut left of "we swim, hike, and have…"
        if clause[-1] in {",", "-", "–", "—", ":", ";", "."}:
            clause, changed = clause[:-1], True
            continue
        lowered = words.low(clause)
        if lowered[-1] == "now" and dates.has_number(lowered[-2:-1]):
            clause, changed = clause[:-1], True  # "she is ten now" is what she is
            continue
        for tail in _TAILS:
            if lowered[-len(tail) :] == tail and len(clause) > len(tail):
                clause, changed = clause[: -len(tail)], True
                break
    return clause
