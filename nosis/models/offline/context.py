"""Clauses made whole: who "she" is, what "just moved to Lyon" leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from nosis.models.offline import dates, lexicon, phrases, verbs, words
from nosis.models.offline.facts import Fact
from nosis.models.offline.names import FIRST_NAMES
from nosis.models.offline.phrases import Owned

NOBODY: Mapping[str, Sequence[str]] = MappingProxyType({})
_OPENERS = lexicon.word_set(
    """
    yesterday last next in on at since from every these for during after before as recently
    lately usually sometimes this two three ten five tomorrow until by each most outside back
    around growing nowadays previously once sundays mondays tuesdays wednesdays thursdays
    fridays saturdays weekends
    """
)
_SUBORDINATING = lexicon.word_set("since after before as until once")
_BEFORE_SUBJECT = lexicon.word_set("now currently also usually sometimes recently still lately")
# What a person leaves out, before which words.
_ELLIPSES = {
    word: subject
    for subject, listed in {
        "I": """
            moved love hate prefer adopted got quit retired graduated bought grew started joined
            enjoy decided dislike switched live work finished broke ran met passed lost sold
        """,
        "I am": """
            allergic based vegetarian vegan married studying learning working living training
            originally engaged planning
        """,
        "I was": "born",
        "I have": "lived been",
        "my": "favourite favorite birthday allergies",
        "we are": "deploying",
    }.items()
    for word in listed.split()
}
_ALONE = lexicon.word_set("vegetarian vegan retired")  # say enough without another word
_VERBAL = lexicon.word_set("love hate live work prefer")  # may also be nouns
_STATING = lexicon.word_set("is are was has can will have")
_NOT_AFTER = lexicon.word_set("is was on of has you")
_PARENTS = lexicon.word_set(
    """
    mum mom mam dad daddy mummy grandma grandpa gran nan nana granddad grandad
    """
)  # with or without "my"
_SHIFTED = lexicon.word_set("moved pushed postponed rescheduled extended delayed shifted")
_HOUSEHOLD = lexicon.word_set("car van bike motorbike cat dog puppy kitten kids baby")
_THIRD = lexicon.word_set("he she they")
_THIRDS = lexicon.word_set("his her their")
_FANS = lexicon.word_set("big huge massive not total lifelong longtime a")
_TELLING = lexicon.word_set(
    """
    starts ends expires leaves arrives begins lands runs closes opens
    """
)


class Context:
    """What earlier clauses of a message, and the message before, leave to the next one."""

    def __init__(self, before: str = "", known: Mapping[str, Sequence[str]] = NOBODY) -> None:
        self.person = _mentioned(before)
        self.thing: list[str] = []
        self.many = ""  # what several were called, whose names may follow: "brother"
        self.known = dict(known)  # lower-case names, and whose they are: "my sister Mara"

    def whole(self, part: list[str], *, opening: bool) -> list[str]:
        """A clause with its subject in front: pronouns resolved, ellipses filled, openers moved.

        Args:
            part: the clause.
            opening: whether it may leave its subject out.
        """
        part = _set_off(part, words.low(part))
        lowered = words.low(part)
        first = lowered[0]
        if len(part) > 2 and (whose := self.known.get(first.removesuffix("'s"))):
            return [*(_owner(list(whose)) if first.endswith("'s") else whose), *part[1:]]
        if self.many and len(part) > 2 and phrases.is_name(part[0]) and part[0][:1].isupper():
            return ["my", self.many, *part]  # "both my grandmothers are alive, Edna is 91"
        if len(part) > 2 and first.removesuffix("'s") in _PARENTS:
            return ["my", first, *part[1:]]
        if first == "they" and lowered[1:2] and lowered[1] in _SHIFTED and dates.has_date(lowered):
            to = next((i for i, word in enumerate(lowered) if word in ("to", "by", "until")), 0)
            if to > 2:  # "they moved the launch to May"
                return [*part[2:to], "was", part[1], *part[to:]]
        if len(part) > 1 and first in _THIRD and self.person:
            one = first == "they" and not _several(self.person)  # "the client …, and they want"
            verb = verbs.third(part[1]) if one and lowered[1] in verbs.present() else part[1]
            return [*self.person, verb, *part[2:]]
        if len(part) > 1 and first in _THIRDS and self.person:
            return [*_owner(self.person), *part[1:]]
        if first == "it" and self.thing and len(part) > 2 and _telling(part, lowered):
            return [*self.thing, *part[1:]]
        if first in ("i", "we") and self.person and {"him", "her"} & set(lowered[2:]):
            return _object(part, lowered, self.person)
        if first in _BEFORE_SUBJECT and lowered[1:2] in (["i"], ["we"]):
            return [part[1], first, *part[2:]]
        if first in _SUBORDINATING and lowered[1:2] in (["i"], ["we"]):
            again = next((i for i in range(4, len(part)) if lowered[i] in ("i", ",")), len(part))
            return part[1:again]
        if first in _OPENERS or first.isdigit():
            return _turned(part, lowered)
        return _filled(part, lowered) if opening else part

    def notice(self, clause: list[str], found: list[Fact]) -> None:
        """Keep in mind whom the next "she" means."""
        clause = clause[1:] if words.low(clause[:2]) == ["both", "my"] else clause
        lowered = words.low(clause)
        if lowered[0] in ("my", "our", "the"):
            self._notice_owned(clause, lowered, found)
        elif lowered[0] in ("i", "we") and found:
            self._notice_object(clause, lowered)

    def _notice_owned(self, clause: list[str], lowered: list[str], found: list[Fact]) -> None:
        phrase = phrases.possessed(lowered, clause)
        if phrase is None or phrase.kind is Owned.FAVOURITE:
            return
        subject = clause[: phrase.end]
        if phrase.kind not in (Owned.PERSON, Owned.PET):
            self.thing = subject if found else self.thing
            return
        self.person = subject
        if _several(subject) and not phrases.has_name(subject[1:]):
            self.many = phrases.singular(phrase.head)
        if self.many and lowered[phrase.end : phrase.end + 1] == ["are"]:
            listed = [word for word in clause[phrase.end + 1 :] if word not in (",", "and")]
            if all(map(phrases.is_name, listed)):
                self.known |= {word.lower(): ["my", self.many, word] for word in listed}
        for word in subject[1:]:
            if phrases.is_name(word):
                self.known[word.lower()] = subject if word == subject[-1] else []
        self.thing = subject if phrase.kind is Owned.PET else self.thing
        if found and "is" in lowered and phrases.is_name(clause[-1]):
            self.known[lowered[-1]] = [*subject, clause[-1]] if len(subject) == 2 else []

    def _notice_object(self, clause: list[str], lowered: list[str]) -> None:
        for index, word in enumerate(lowered[1:], 1):
            kind = phrases.kind_of(word)
            if kind is Owned.THING:
                self.thing = ["my", word]
            if kind not in (Owned.PERSON, Owned.PET):
                continue
            if phrases.singular(word) in ("family", "parent"):
                continue
            rest = clause[index + 1 :]
            rest = rest[1:] if words.low(rest[:1]) in (["called"], ["named"]) else rest
            name = rest[:1] if rest and phrases.is_name(rest[0]) else []
            listed = [w for w in rest if w not in (",", "and", ":")]
            if phrases.singular(word) != word and listed and all(map(phrases.is_name, listed)):
                one = phrases.singular(word)
                self.known |= {w.lower(): ["my", one, w] for w in listed}
            self.person = ["my", word, *name]
            self.known |= {word.lower(): self.person for word in name}
            self.thing = self.person if kind is Owned.PET else []
            return


def _set_off(part: list[str], lowered: list[str]) -> list[str]:
    """ "Ines, my flatmate, works" as "my flatmate Ines works"; "the cat, Miso" as "my cat Miso"."""
    if lowered[1:3] in ([",", "my"], [",", "our"]) and "," in part[3:]:
        end = part.index(",", 3)
        return [*part[2:end], part[0], *part[end + 1 :]]
    owned = (
        ["my", *part[1:]]
        if lowered[0] == "the" and lowered[1:2] and lowered[1] in _HOUSEHOLD
        else part
    )
    if owned[0].lower() == "my" and part[2:3] == [","] == part[4:5] and phrases.is_name(part[3]):
        return [*owned[:2], part[3], *part[5:]]
    return owned


def _mentioned(before: str) -> list[str]:
    """The one being of the user's that a message speaks of: "my sister Mara"."""
    beings = []
    for sentence in words.sentences(words.clean(before)):
        found = words.tokens(sentence.text)
        lowered = words.low(found)
        for index, word in enumerate(lowered[:-1]):
            if word == "my" and phrases.kind_of(lowered[index + 1]) in (Owned.PERSON, Owned.PET):
                name = [w for w in found[index + 2 : index + 3] if phrases.is_name(w)]
                if not name and index > 1 and found[index - 1] == "," and found[index + 2 :]:
                    name = [w for w in found[index - 2 : index - 1] if phrases.is_name(w)]
                beings.append(["my", lowered[index + 1].removesuffix("'s"), *name])
    return beings[0] if len(beings) == 1 else []


def _several(whom: list[str]) -> bool:
    return any(word.lower() != phrases.singular(word.lower()) for word in whom)


def _owner(whom: list[str]) -> list[str]:
    return [*whom[:-1], f"{whom[-1]}'s"]


def _telling(part: list[str], lowered: list[str]) -> bool:
    """Whether "it …" says something of a thing, not of the weather or of what was told."""
    if lowered[1] not in ("is", "was"):
        return lowered[1] in _TELLING
    value = lowered[2] in ("called", "named", "on", "at", "in", "due")
    return value or phrases.has_name(part[2:4]) or dates.has_number(lowered[2:3])


def _object(part: list[str], lowered: list[str], whom: list[str]) -> list[str]:
    """ "I named her Pixel" as "I named my kitten Pixel"."""
    at = next(i for i, word in enumerate(lowered) if i > 1 and word in ("him", "her"))
    following = lowered[at + 1] if at + 1 < len(part) else ""
    if lowered[at] == "her" and phrases.kind_of(following):
        return [*part[:at], *_owner(whom), *part[at + 1 :]]
    return [*part[:at], whom[0].lower(), *whom[1:], *part[at + 1 :]]


def _turned(part: list[str], lowered: list[str]) -> list[str]:
    """ "In 2018 I moved" as "I moved in 2018"."""
    for starts in (("i", "we"), ("my", "our")):
        for index in range(1, min(len(part) - 2, 9)):
            said = verbs.find(lowered, 1, index) is not None
            if lowered[index] in starts and not said and not phrases.points(lowered[:index]):
                opener = [word for word in part[:index] if word != ","]
                return [*part[index:], opener[0].lower(), *opener[1:]]
    return part


def _filled(part: list[str], lowered: list[str]) -> list[str]:
    """ "Just moved to Lyon" as "I just moved to Lyon"."""
    at = 0
    while at < len(part) - 1 and lexicon.is_adverb(lowered[at]) and lowered[at] != "originally":
        at += 1
    first_name = lowered[0] in FIRST_NAMES
    key, following = lowered[at], lowered[at + 1 : at + 2]
    if lowered[1:2] == ["here"] and first_name and lowered[2:3] in ([], [","]):
        return ["I", "am", part[0], *part[2:]]  # "Ben here, 27, from Leeds"
    if "fan" in lowered[:4] and "of" in lowered[:5] and lowered[0] in _FANS:
        article = [] if "a" in lowered[:3] else ["a"]
        return ["I", "am", *article, part[0].lower(), *part[1:]]
    if key not in _ELLIPSES or (not following and key not in _ALONE):
        return part
    if (key.endswith("ing") or key in _VERBAL) and (
        (_STATING | {"me"}) & set(lowered) or following[0] in ("and", *_NOT_AFTER)
    ):
        return part  # "Love is blind", "Learning German is hard"
    if key == "got" and following[0] in _NOT_AFTER:
        return part
    return [*_ELLIPSES[key].split(), *part[:at], part[at].lower(), *part[at + 1 :]]
