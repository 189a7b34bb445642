"""Statements about who and what is around the user: "my sister …", "our flight …", "Tom …"."""

from __future__ import annotations

import re

from nosis.models.offline import (
    beings,
    dates,
    gate,
    lexicon,
    names,
    naming,
    nouns,
    person,
    phrases,
    verbs,
    words,
    work,
)
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned, Possessed

DATED = lexicon.word_set(
    """
    is are was starts start begins ends end expires expire leaves departs arrives lands finishes
    opens closes moved moves shifts takes falls runs happens got gets has boards renews retires
    graduates turns visits comes goes will meets needs
    """
)
SETUP = lexicon.word_set(
    """
    runs uses lives listens sits costs contains includes requires needs depends called named
    """
)
ADDRESS = re.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^[\w-]+(?:\.[\w-]+)+(?:[/:]\S*)?$")
_ANY_VALUE = lexicon.word_set(
    """
    name nickname surname address email e-mail phone number mobile extension username handle
    website blog github twitter instagram linkedin discord postcode zip zipcode timezone zone
    sign zodiac hometown nationality religion pronouns birthday anniversary codename employer
    language motto size shoe major initials locker desk iban tongue
    """
)
_HOPES = lexicon.word_set(
    """
    hobby passion dream goal resolution ambition allergy condition medication
    """
)
_WORK = lexicon.word_set("job role position title salary commute degree major thesis")
_OFFERING = lexicon.word_set("makes builds sells produces has uses offers specialises")
_CONTACT = lexicon.word_set("email e-mail phone number mobile address extension")
_ACCOUNTS = lexicon.word_set(
    """
    username handle github twitter instagram linkedin discord website blog
    """
)
_PASSAGES = lexicon.word_set(
    """
    part bit line one scene example answer option version thing word
    """
)
_PROJECT = lexicon.word_set(
    """
    project database server staging production codename budget stack
    """
)
_TITLES = lexicon.word_set("job role title profession occupation position")
_FORMER = lexicon.word_set("old previous last former first dream next")
_LEADING = lexicon.word_set("leads runs manages handles owns maintains designs")
_NAMES = (["name"], ["full", "name"], ["first", "name"], ["real", "name"])


def owned(clause: list[str]) -> list[Fact]:
    """Facts of a clause that begins with "my" or "our"."""
    lowered = words.low(clause)
    if gate.UNSURE & (set(lowered) - {"may"}) or "may" in lowered[2:4]:
        return []
    if (facts := _about_identity(clause, lowered)) or lowered[1:3] == ["name", "is"]:
        return facts
    if "i" in lowered[:8] and "and" in lowered[:7]:
        return _together(clause, lowered)
    phrase = phrases.possessed(lowered, clause)
    if phrase is None:
        return _dated(clause, lowered)
    return predicate(clause, lowered, phrase) if phrase.end < len(clause) else []


def _dated(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "Our kitchen renovation starts on the 9th": a noun that the rules do not know."""
    at = verbs.find(lowered, 2, 8)
    if at is None or lowered[at] not in DATED | SETUP:
        return []
    after = lowered[at + 1 :]
    if lowered[0] == "our" and lowered[at] in SETUP and not phrases.unclear(after):
        return person.told(clause, "project", 0.6) if specific(after, clause[at + 1 :]) else []
    vague = set(after) & (lexicon.EVALUATIONS | nouns.CODE_NOUNS) or phrases.points(after)
    if vague or dates.momentary(after) or not dates.has_date(after):
        return []
    return [Fact(person.third_person(clause), category="event", importance=0.6)]


def _about_identity(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "My name is Ada", "my job is teaching", "my company is Initech"."""
    if "is" not in lowered[:5] or lowered[0] != "my":
        return []
    at = lowered.index("is")
    subject, value = lowered[1:at], clause[at + 1 :]
    while value and lexicon.is_adverb(value[0].lower()):
        value = value[1:]
    if subject in _NAMES:
        value = value[1:] if words.low(value[:1]) in (["spelled"], ["spelt"]) else value
        name = naming.proper_name(value, sure=True)
        return [Fact(name, field="name")] if name else []
    if subject and subject[-1] in _TITLES and len(subject) < 3 and subject[0] not in _FORMER:
        return work.role_facts(value)
    if subject in (["company"], ["employer"], ["firm"]) and value and value[0][:1].isupper():
        employer, _ = work.company(value)
        return [Fact(employer, field="company")] if employer else []
    return []


def _together(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "My wife and I have two kids": what "we" would say, with the other named."""
    from nosis.models.offline.subject import statement

    at = lowered.index("i")
    if at + 1 >= len(clause) or not phrases.kind_of(lowered[1]):
        return []
    facts = statement(["we", *clause[at + 1 :]])
    if not facts:
        return []
    return [Fact(person.third_person(clause), category=facts[0].category, importance=0.6)]


def predicate(clause: list[str], lowered: list[str], phrase: Possessed) -> list[Fact]:
    """Facts from what is said of "my sister Mara", "our flight", "my car"."""
    at = phrase.end
    while at < len(lowered) - 1 and (
        lexicon.is_adverb(lowered[at]) or lowered[at] in ("no", "longer")
    ):
        at += 1
    verb, after, written = lowered[at], lowered[at + 1 :], clause[at + 1 :]
    if not after and verb not in verbs.present_third():
        return []
    if dates.momentary(after) or phrases.points(after) or after[1:] == ["me"]:
        return []
    if set(after) & nouns.CODE_NOUNS and phrase.head not in ("name", "email"):
        return []
    if phrase.kind in (Owned.PERSON, Owned.PET):
        allowed = beings.lasting(clause, at, phrase)
    elif phrase.kind is Owned.FAVOURITE:
        lasting = not _PASSAGES & set(lowered[1 : phrase.end])
        allowed = lasting and verb in verbs.BE and after[0] not in ("not", "when", "how", "what")
    elif verb in verbs.BE:
        allowed = _valued(phrase, after, written)
    else:
        allowed = _does(phrase, verb, after, written)
    if not allowed:
        return []
    weight = 0.7 if phrase.kind in (Owned.PERSON, Owned.EVENT, Owned.DETAIL) else 0.6
    return [Fact(person.third_person(clause), category=_category(phrase, after), importance=weight)]


def _does(phrase: Possessed, verb: str, after: list[str], written: list[str]) -> bool:
    if verb in DATED and dates.has_date(after):
        return True
    if verb in SETUP and specific(after, written):
        return True
    perfect = after[:1] == ["been"] or bool(after and after[0] in lexicon.PAST)
    return verb in _OFFERING and phrase.kind is not Owned.EVENT and not perfect


def _category(phrase: Possessed, after: list[str]) -> str | None:
    if phrase.head in _CONTACT:
        return "contact"
    if phrase.kind is Owned.FAVOURITE:
        return "preference"
    dated = phrase.kind is Owned.EVENT or dates.has_date(after)
    if dated or phrase.head in ("birthday", "anniversary"):
        return "event"
    if phrase.head in _PROJECT:
        return "project"
    return "contact" if phrase.kind is Owned.PERSON and phrase.head not in nouns.KIN else None


def _valued(phrase: Possessed, after: list[str], written: list[str]) -> bool:
    """Whether "my birthday is …", "our flight is …", "my car is …" gives a value."""
    head, first = phrase.head, after[0]
    if first == "not" or set(after[:2]) & (lexicon.EVALUATIONS - {"late", "early"}):
        return False
    if head in ("birthday", "anniversary"):
        return dates.has_date(after) or dates.has_number(after)
    if head in _CONTACT | _ACCOUNTS:
        plain = len(after) == 1 and head in _ACCOUNTS and written[0].isalpha()
        return plain or _coded(written)
    if head in _ANY_VALUE or head in _HOPES:
        return len(after) < 14
    if phrase.kind is Owned.EVENT or head in ("deadline", "due"):
        return dates.has_date(after) or dates.has_number(after[:3])
    if first == "to":
        return len(after) > 2
    if head in _WORK:
        return specific(after, written) or first in ("about", "in", "on")
    if first in ("called", "named", "in", "on", "at", "from", "based", "made", "near"):
        return len(after) > 1
    return specific(after, written)


def _coded(written: list[str]) -> bool:
    """Whether words hold a number, an address or a name, as an email or a phone number does."""
    return any(re.search(r"[\d@_./]|^[A-Z]", word) for word in written)


def specific(after: list[str], written: list[str]) -> bool:
    """Whether words give a name, an address, a figure, a date, or a kind of thing."""
    if not after or set(after) & lexicon.EVALUATIONS:
        return False
    if any(word[:1].isupper() or ADDRESS.match(word) for word in written):
        return True
    if after[0] in ("a", "an", "called", "named") and len(after) > 1:
        return True
    return dates.has_number(after) or dates.has_date(after)


def named(clause: list[str], known: frozenset[str]) -> list[Fact]:
    """ "Tom is my manager", "Mara moved to Lyon" (``known``: names heard of before)."""
    lowered = words.low(clause)
    day = lowered[0] in lexicon.WEEKDAYS  # "Thursday is my gym day"
    if not (day or phrases.is_name(clause[0])) or lowered[0] in gate.COMMANDS:
        return []
    if gate.UNSURE & (set(lowered) - {"may"}):
        return []
    at = verbs.find(lowered, 1, 7)
    if at is None or at >= len(clause) - 1:
        return []
    after = lowered[at + 1 :]
    if phrases.points(after) or dates.momentary(after):
        return []
    start = at + 1
    while start < len(lowered) - 1 and lexicon.is_adverb(lowered[start]):
        start += 1
    if lowered[at] in verbs.BE and lowered[start] in ("my", "our"):
        return _is_mine(clause, lowered, start - 1)
    if _ours(lowered, at):
        return [Fact(person.third_person(clause), category="contact", importance=0.6)]
    plain = clause[0].capitalize() == clause[0] and not phrases.has_name(clause[1:2])
    if lowered[0].removesuffix("'s") not in known and not (
        plain and lowered[0] in names.FIRST_NAMES
    ):
        return []
    about = Possessed(at, "friend", Owned.PERSON)
    if lowered[0].endswith("'s"):
        inner = phrases.possessed(["my", *lowered[1:]], ["my", *clause[1:]])
        if inner is None:
            return []
        about = inner
    return predicate(clause, lowered, about)


def _is_mine(clause: list[str], lowered: list[str], at: int) -> list[Fact]:
    """ "Tom is my manager", "chess is my favourite game", "Tuesdays are my day off"."""
    after = lowered[at + 1 :]
    text = person.third_person(clause)
    if after[1] in ("favourite", "favorite") if len(after) > 1 else False:
        return [Fact(text, category="preference")]
    kind = next((kind for word in after if (kind := phrases.kind_of(word))), None)
    plain = not lowered[0].endswith("ing") and at <= 5
    if kind in (Owned.PERSON, Owned.PET):
        thing = lowered[0] in nouns.LIFE_NOUNS | nouns.ACTIVITIES | nouns.TOOLS  # "Coffee is…"
        written = not thing and (clause[0][:1].isupper() or lowered[0] in names.FIRST_NAMES)
        return [Fact(text, category="contact", importance=0.7)] if written and plain else []
    kept = (
        after[1:3] == ["day", "off"]
        or "day" in after[1:4]
        or "language" in after
        or "tongue" in after
    )
    return [Fact(text)] if kept and plain else []


def _ours(lowered: list[str], at: int) -> bool:
    after = lowered[at + 1 :]
    if lowered[0].endswith("'s") and lowered[1] == "birthday" and dates.has_date(after):
        return True
    mine = {"my", "our"} & set(after) and any(phrases.kind_of(word) for word in after)
    return bool(mine) and lowered[at] in _LEADING
