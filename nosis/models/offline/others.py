"""Statements about what is around the user: "my sister …", "the launch …", "Tom …"."""

from __future__ import annotations

import re

from nosis.models.offline import (
    events,
    gate,
    identity,
    lexicon,
    names,
    person,
    phrases,
    verbs,
    words,
)
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned, Possessed

_EMAIL = re.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_ANY_VALUE = frozenset(
    """name nickname surname address email e-mail phone number mobile extension username handle website blog
    github twitter instagram linkedin discord postcode zip zipcode timezone zone sign zodiac hometown
    nationality religion pronouns birthday anniversary passphrase codename employer language motto
    size shoe major initials locker desk iban""".split()
)
_DATED = frozenset(
    """is are was starts start begins ends end expires expire leaves departs arrives lands finishes opens
    closes moved takes falls runs happens got gets has boards renews retires graduates turns visits
    comes goes will meets""".split()
)
_RELATION = frozenset("my our".split())
_SETUP = frozenset(
    "runs uses lives listens sits costs contains includes requires needs depends called named".split()
)


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
    if phrase is None or phrase.end >= len(clause):
        return []
    return predicate(clause, lowered, phrase)


def _about_identity(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "My name is Ada", "my full name is…", "my job is teaching", "my company is Initech"."""
    if "is" not in lowered[:5] or lowered[0] != "my":
        return []
    at = lowered.index("is")
    subject, value = lowered[1:at], clause[at + 1 :]
    while value and value[0].lower() in lexicon.ADVERBS:
        value = value[1:]
    if subject in (["name"], ["full", "name"], ["first", "name"], ["real", "name"]):
        name = identity.proper_name(value, sure=True)
        return [Fact(name, field="name")] if name else []
    if (
        subject
        and subject[-1] in ("job", "role", "title", "profession", "occupation", "position")
        and len(subject) < 3
    ):
        if subject[0] in ("old", "previous", "last", "former", "first", "dream", "next"):
            return []
        found = identity.role_of(value)
        return identity.role_facts(value) if found else []
    if subject in (["company"], ["employer"], ["firm"]) and value and value[0][:1].isupper():
        employer, _ = identity.company(value)
        return [Fact(employer, field="company")] if employer else []
    return []


def _together(clause: list[str], lowered: list[str]) -> list[Fact]:
    """ "My wife and I have two kids": what "we" would say, with the other named."""
    from nosis.models.offline.subject import statement

    at = lowered.index("i")
    if at + 1 >= len(clause) or not phrases.kind_of(lowered[1]):
        return []
    facts = statement(["we", *clause[at + 1 :]])
    return (
        [Fact(person.third_person(clause), category=facts[0].category, importance=0.6)]
        if facts
        else []
    )


def predicate(clause: list[str], lowered: list[str], phrase: Possessed) -> list[Fact]:
    """Facts from what is said of "my sister Mara", "our flight", "the staging server"."""
    at = phrase.end
    while at < len(lowered) - 1 and lowered[at] in lexicon.ADVERBS | {"no", "longer"}:
        at += 1
    verb, after, written = lowered[at], lowered[at + 1 :], clause[at + 1 :]
    if (
        not after
        and verb not in verbs.present_third()
        or phrases.momentary(after)
        or phrases.points(after)
    ):
        return []
    if set(after) & lexicon.CODE_NOUNS and phrase.head not in ("name", "email"):
        return []
    if phrase.kind in (Owned.PERSON, Owned.PET):
        allowed = _of_being(clause, lowered, at, phrase)
    elif phrase.kind is Owned.FAVOURITE:
        allowed = verb in verbs.BE and after[0] not in ("not", "when", "how", "what")
    elif verb in verbs.BE:
        allowed = _detail(phrase, after, written)
    else:
        allowed = (
            verb in _DATED
            and phrases.has_date(after)
            or verb in _SETUP
            and _specific(after, written)
        )
        perfect = after[:1] == ["been"] or after[:1] and after[0] in lexicon.PAST
        allowed = allowed or (not perfect and phrase.kind is not Owned.EVENT and verb in ("makes", "builds", "sells", "produces", "has",
                                                                          "uses", "offers", "specialises"))  # fmt: skip
    if not allowed:
        return []
    return [
        Fact(
            person.third_person(clause),
            category=_category(phrase, after),
            importance=_weight(phrase),
        )
    ]


def _category(phrase: Possessed, after: list[str]) -> str | None:
    if phrase.head in ("email", "e-mail", "phone", "number", "mobile", "address", "extension"):
        return "contact"
    if phrase.kind is Owned.FAVOURITE:
        return "preference"
    if (
        phrase.kind is Owned.EVENT
        or phrase.head in ("birthday", "anniversary")
        or phrases.has_date(after)
    ):
        return "event"
    if phrase.head in (
        "project",
        "database",
        "server",
        "staging",
        "production",
        "codename",
        "budget",
        "stack",
    ):
        return "project"
    return "contact" if phrase.kind is Owned.PERSON and phrase.head not in lexicon.KIN else None


def _weight(phrase: Possessed) -> float:
    return 0.7 if phrase.kind in (Owned.PERSON, Owned.EVENT, Owned.DETAIL) else 0.6


def _of_being(clause: list[str], lowered: list[str], at: int, phrase: Possessed) -> bool:
    """Whether a predicate says something lasting of a person or an animal."""
    verb, after, written = lowered[at], lowered[at + 1 :], clause[at + 1 :]
    if verb in verbs.BE:
        return _is_lasting(clause, at, phrase)
    if verb in ("has", "have"):
        if after[:1] and (after[0] in lexicon.PAST or after[0] in ("been", "lived", "worked")):
            return "since" in after or "for" in after or after[0] in lexicon.PAST
        known = any(
            phrases.kind_of(word) or word in lexicon.CONDITIONS | lexicon.BODY for word in after[:6]
        )
        return known and not set(after[:5]) & lexicon.EVALUATIONS
    if verb in ("does", "do"):
        return after[:1] == ["not"] and after[1:2] != [] and after[1] in (
            lexicon.TASTE | lexicon.LASTING | {"eat", "have", "own", "speak", "work"})  # fmt: skip
    if verb == "can":
        return (
            after[:1] == ["not"]
            and len(after) > 2
            and after[1] in ("eat", "drink", "stand", "have")
        )
    if verb == "will":
        return phrases.has_date(after)
    if set(after[:2]) & gate_words():
        return False
    plain = verbs.base(verb)
    if plain in lexicon.TASTE:
        return (
            bool(after)
            and after[0] not in ("the", "to", "when", "how", "a")
            or after[:1] == ["to"]
            and len(after) > 1
        )
    if plain in lexicon.LASTING:
        return True
    if plain in ("run", "use", "manage", "lead", "design", "sell", "make", "write", "build", "do", "go", "attend", "study",
                 "want", "start", "finish", "retire", "take", "call", "believe", "handle", "move", "own", "train", "keep",
                 "produce", "eat", "sleep", "look", "get", "know"):  # fmt: skip
        return _solid(plain, after, written)
    if verb in lexicon.PAST:
        return _solid_past(verb, after, written)
    return phrases.is_habit(after)


def gate_words() -> frozenset[str]:
    """Words after a verb that make a report or a question of it."""
    return frozenset("what how why whether if that".split())


def _solid(verb: str, after: list[str], written: list[str]) -> bool:
    if not after:
        return False
    named = phrases.has_name(written)
    dated = phrases.has_date(after) or phrases.is_habit(after)
    known = any(
        phrases.kind_of(word) or word in lexicon.LIFE_NOUNS | lexicon.ACTIVITIES for word in after
    )
    if verb in ("look", "get", "call", "know", "move", "sleep"):
        return verb == "call" and named and after[0] == "me" or dated
    if verb == "want":
        return after[0] == "to" and events.goal(after[1:], written[1:])
    if verb == "go":
        return after[0] in ("to", "by") and (
            named or known or dated or {"nursery", "kindergarten", "school"} & set(after)
        )
    return named or dated or known or (after[0] in ("a", "an", "and") and not set(after) & lexicon.EVALUATIONS) or (
        verb in ("sell", "design", "make", "write", "build", "study", "produce") and after[0] not in ("the", "me", "sure"))  # fmt: skip


def _solid_past(verb: str, after: list[str], written: list[str]) -> bool:
    if verb in (
        "passed",
        "died",
        "retired",
        "graduated",
        "married",
        "emigrated",
        "grew",
        "became",
        "founded",
        "remarried",
    ):
        return True
    named = phrases.has_name(written)
    known = any(
        phrases.kind_of(word) or word in lexicon.LIFE_NOUNS | lexicon.BODY for word in after
    )
    if verb == "turned":
        return phrases.has_number(after[:1])
    if verb in ("moved", "relocated"):
        return after[:1] in (["to"], ["from"], ["in"], ["into"], ["out"]) and (named or known)
    if verb in (
        "went",
        "gave",
        "left",
        "had",
        "got",
        "changed",
        "broke",
        "lost",
        "started",
        "ordered",
        "pushed",
    ):
        return phrases.has_date(after) or (
            verb in ("got", "broke", "lost", "started", "had") and known
        )
    return named or known or phrases.has_date(after)


def _is_lasting(clause: list[str], at: int, phrase: Possessed) -> bool:
    lowered = words.low(clause)
    after, written = lowered[at + 1 :], clause[at + 1 :]
    start = 0
    while start < len(after) - 1 and after[start] in lexicon.ADVERBS:
        start += 1
    after, written = after[start:], written[start:]
    if after[0] == "not":
        return identity.is_trait(after[1:])
    if lowered[at] in ("was", "were"):
        return after[0] in ("born", "raised", "diagnosed", "promoted") or (
            after[0] in ("a", "an") and identity.role_of(written) is not None)  # fmt: skip
    if after[0] in (
        "called",
        "named",
        "from",
        "based",
        "born",
        "married",
        "engaged",
        "scared",
        "afraid",
        "like?",
    ):
        return len(after) > 1 or after[0] in ("married", "engaged")
    if (
        identity.is_age(after)
        or after[0].isdigit()
        and (len(after) == 1 or after[1] in ("years", "months", "weeks", "year"))
    ):
        return True
    if after[0] in lexicon.NUMBERS and (
        len(after) == 1 or after[1] in ("years", "months", "weeks")
    ):
        return True
    if identity.is_trait(after) or identity.role_of(written) is not None:
        return True
    if phrases.is_name(written[0]) and written[0].lower() not in lexicon.EVALUATIONS:
        return written[0][:1].isupper() or after[0] in names.FIRST_NAMES
    if (
        phrase.kind is Owned.PET
        and after[0] in ("a", "an")
        and not set(after) & lexicon.EVALUATIONS - {"mean"}
    ):
        return True
    if (
        after[0] in ("a", "an")
        and any(phrases.kind_of(word) for word in after)
        and not set(after[:4]) & lexicon.EVALUATIONS
    ):
        return True
    if after[0] in ("my", "the") and len(after) > 1:
        return any(phrases.kind_of(w) for w in after) and not set(after[:3]) & lexicon.EVALUATIONS
    if after[0] in ("in", "at") and len(after) > 1:
        place = {"university", "uni", "college", "school", "primary", "nursery", "kindergarten", "hospital", "charge", "year",
                 "grade", "marketing", "sales", "finance", "accounting", "hr"}  # fmt: skip
        return bool(place & set(after[:4]))
    if after[0].endswith("ing"):
        return bool(events.ongoing(clause, at + 1 + start, whose="other")) and after[0] not in ("doing", "getting", "making") or (
            after[:2] == ["getting", "married"] or after[0].endswith("ing") and phrases.has_date(after))  # fmt: skip
    return after[0] in ("due", "on", "off", "away") and phrases.has_date(after)


def _detail(phrase: Possessed, after: list[str], written: list[str]) -> bool:
    """Whether "my birthday is …", "our flight is …", "my car is …" gives a value."""
    if after[0] == "not" or set(after[:2]) & (lexicon.EVALUATIONS - {"late", "early"}):
        return False
    if phrase.head in _ANY_VALUE:
        return len(after) < 14
    if phrase.kind is Owned.EVENT or phrase.head in ("deadline", "due"):
        return phrases.has_date(after) or phrases.has_number(after[:3])
    if after[0] == "to":
        return len(after) > 2
    if phrase.head in (
        "job",
        "role",
        "position",
        "title",
        "salary",
        "commute",
        "degree",
        "major",
        "thesis",
    ):
        return _specific(after, written) or after[0] in ("about", "in", "on")
    if phrase.head in (
        "hobby",
        "passion",
        "dream",
        "goal",
        "resolution",
        "ambition",
        "allergy",
        "condition",
        "medication",
    ):
        return True
    if after[0] in ("called", "named", "in", "on", "at", "from", "based", "made", "based", "near"):
        return len(after) > 1
    return _specific(after, written)


def _specific(after: list[str], written: list[str]) -> bool:
    if not after or set(after) & lexicon.EVALUATIONS:
        return False
    named = any(word[:1].isupper() or _EMAIL.match(word) for word in written)
    return (
        named
        or after[0] in ("a", "an", "called", "named")
        and len(after) > 1
        or phrases.has_number(after)
        or phrases.has_date(after)
    )


def project(clause: list[str]) -> list[Fact]:
    """ "The launch is on 3 June", "The staging server runs on port 5433"."""
    lowered = words.low(clause)
    if gate.UNSURE & (set(lowered) - {"may"}) or phrases.points(lowered[1:]):
        return []
    end = verbs.find(lowered, 2, 9)
    if end is None or not any(phrases.singular(word) in lexicon.PROJECT_NOUNS or word in lexicon.PROJECT_NOUNS
                              for word in lowered[1:end]):  # fmt: skip
        return []
    verb, after, written = lowered[end], lowered[end + 1 :], clause[end + 1 :]
    while after and after[0] in lexicon.ADVERBS:
        after, written = after[1:], written[1:]
    if (
        not after
        or phrases.momentary(after)
        or set(after) & lexicon.CODE_NOUNS
        or set(after[:3]) & lexicon.EVALUATIONS
    ):
        return []
    value = (
        phrases.has_date(after)
        or phrases.has_number(after)
        or after[0] in ("called", "named", "under", "behind")
    )
    named = phrases.has_name(written)
    if verb in verbs.BE:
        solid = value or named or after[0] in ("due", "in", "on", "at")
    else:
        solid = (verb in _DATED | _SETUP | {"are", "go", "goes"} or verb in lexicon.PAST) and (
            value or named
        )
    if not solid:
        return []
    kind = "event" if phrases.has_date(after) else "project"
    return [Fact(person.third_person(clause), category=kind, importance=0.6)]


def _related(after: list[str]) -> Owned | None:
    if after[1:2] in (["favourite"], ["favorite"]):
        return Owned.FAVOURITE
    return next((kind for word in after if (kind := phrases.kind_of(word))), None)


def named(clause: list[str], known: frozenset[str]) -> list[Fact]:
    """ "Tom is my manager", "Mara moved to Lyon" (``known``: names heard of before)."""
    lowered = words.low(clause)
    if (
        not phrases.is_name(clause[0])
        or lowered[0] in gate.COMMANDS
        or gate.UNSURE & (set(lowered) - {"may"})
    ):
        return []
    end = verbs.find(lowered, 1, 7)
    if end is None or end >= len(clause) - 1:
        return []
    after, verb = lowered[end + 1 :], lowered[end]
    if phrases.points(after) or phrases.momentary(after):
        return []
    owner = lowered[0].removesuffix("'s")
    if verb in verbs.BE and set(after[:1]) & _RELATION and (kind := _related(after)):
        if kind in (Owned.PERSON, Owned.PET):
            named_so = all(
                word[:1].isupper() or word.lower() in names.FIRST_NAMES for word in clause[:1]
            )
            single = named_so and not lowered[0].endswith("ing") and end <= 4
            return (
                [Fact(person.third_person(clause), category="contact", importance=0.7)]
                if single
                else []
            )
        return (
            [Fact(person.third_person(clause), category="preference")]
            if kind is Owned.FAVOURITE
            else []
        )
    birthday = (
        lowered[0].endswith("'s") and lowered[1:2] == ["birthday"] and phrases.has_date(after)
    )
    ours = bool(_RELATION & set(after)) and any(phrases.kind_of(w) for w in after) and (
        verb in ("leads", "runs", "manages", "handles", "owns", "maintains", "designs"))  # fmt: skip
    if birthday or ours:
        return [Fact(person.third_person(clause), category="contact", importance=0.6)]
    if owner in known:
        about = Possessed(end, "friend", Owned.PERSON)
        if lowered[0].endswith("'s"):
            inner = phrases.possessed(["my", *lowered[1:]], ["my", *clause[1:]])
            if inner is None:
                return []
            about = Possessed(inner.end, inner.head, inner.kind)
        return [f for f in predicate(clause, lowered, about)]
    return []
