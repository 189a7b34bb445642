"""What "I …" and "we …" say about now: work, homes, likes, habits, possessions."""

from __future__ import annotations

from nosis.models.offline import identity, lexicon, person, phrases, verbs, words
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

_LIVE = frozenset(
    "in with on near alone at by next outside abroad between off close together under above".split()
)
_WORK = frozenset(
    """as in from on with nights part-time full-time remotely freelance shifts weekends days mostly
    two three four five mainly for at night mornings evenings""".split()
)
_NO_TASTE = frozenset(
    """how when what why where that if the to about as i we a an him her them us me better more
    everything all so""".split()
)
_NOT_TO = frozenset(
    """know see hear have get order ask thank be think say tell talk buy book understand point add
    share discuss mention request make find check use try start""".split()
)
_SCENERY = frozenset(
    """sea ocean mountains beach rain outdoors smell sound taste snow cold heat summer winter autumn
    countryside forest city desert feeling colour color night dark sun silence quiet mountain woods
    piano violin guitar cello theatre theater opera gym""".split()
)
_HABIT_VERBS = frozenset(
    """get wake go run read watch walk eat drink call visit bring do have meet spend start finish skip
    buy sleep listen exercise jog swim stretch pray fast travel fly clean iron shower nap
    journal lift attend work cook bake train play write take draw paint fish camp garden
    forget wear leave pick bike bring order make host teach drive cycle ride stay charge water feed
    babysit see study sing dance practise practice volunteer commute meditate hike climb""".split()
)
_ASKING = frozenset("what how why which whether if who where whatever wherever".split())


def taste(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I love hiking", "I do not like crowds": a preference of core memory."""
    lowered = words.low(clause)
    after = lowered[verb_at + 1 :]
    if not after or phrases.points(after) or phrases.momentary(after) or phrases.dangles(after):
        return []
    first = after[0]
    if first == "to":
        if len(after) < 2 or after[1] in _NOT_TO:
            return []
    elif first in ("the", "a", "an"):
        named = phrases.has_name(clause[verb_at + 2 :])
        scenery = after[1:2] and after[1] in _SCENERY or after[2:3] == ["of"]
        if not (named or scenery or (first != "the" and len(after) > 2)):
            return []
    elif first in _NO_TASTE or (first == "my" and not after[2:] and after[1:2] != ["job"]):
        return []
    text = person.third_person(clause).removeprefix(f"{person.USER} ")
    return [Fact(text, field="preference")]


def lasting(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I live in Berlin", "I play the cello", "I run a bakery"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if phrases.points(after) or phrases.momentary(after) or phrases.dangles(after):
        return []
    if verb == "live" and not (after and after[0] in _LIVE | lexicon.ADVERBS):
        return []
    if (
        verb in ("work", "freelance")
        and "no" not in lowered[:verb_at]
        and (facts := employment(clause, verb_at))
    ):
        return facts
    if verb == "work" and not (
        after and (after[0] in _WORK | {"at", "for"} or phrases.is_habit(after))
    ):
        return []
    if verb in ("drive", "ride", "cycle") and after[:1] and after[0].isdigit() and "miles" in after:
        return []
    if verb in ("speak", "report") and after[:1] and after[0] in ("with", "about", "for"):
        return []
    if verb == "identify" and after[:1] != ["as"]:
        return []
    needs = verb in ("own", "rent", "earn", "wear", "support", "raise", "restore", "grow", "collect", "fear", "study",
                     "teach", "speak", "play", "belong", "weigh", "practise", "practice", "breed", "brew")  # fmt: skip
    if needs and not after or after[:1] == ["the"] and set(after[1:4]) & lexicon.CODE_NOUNS:
        return []
    if verb in lexicon.LASTING_WITH_OBJECT and not _evident(clause, verb_at):
        return []
    return [Fact(person.third_person(clause), category=_category(verb), importance=0.6)]


def _category(verb: str) -> str | None:
    return "knowledge" if verb in ("speak", "know", "play", "use", "teach", "study") else None


def employment(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I work as a nurse at St Thomas'": role and company, and the rest if there is more."""
    rest = clause[verb_at + 1 :]
    facts: list[Fact] = []
    more = False
    direct = True  # only adverbs, a role or an employer so far
    while rest:
        mark, tail = rest[0].lower(), rest[1:]
        if mark in ("at", "for") and direct and not any(fact.field == "company" for fact in facts):
            employer, used = identity.company(tail)
            if not employer:
                return facts
            facts.append(Fact(employer, field="company"))
            rest = tail[used:]
        elif mark == "as" and direct and not any(fact.field == "role" for fact in facts):
            found = identity.role_of(tail) or _any_role(tail)
            if not found:
                return facts
            facts.append(Fact(found[0], field="role"))
            rest = found[1]
        else:
            more = more or mark not in (",", "currently", "now")
            direct = direct and mark in lexicon.ADVERBS | {
                "part-time",
                "full-time",
                "remotely",
                "freelance",
                "now",
                ",",
            }
            rest = tail
    if facts and more:
        facts.append(Fact(person.third_person(clause), category="knowledge"))
    return facts


def _any_role(tail: list[str]) -> tuple[str, list[str]] | None:
    # After "work as a" any noun phrase is the role, known or not.
    if words.low(tail[:1]) not in (["a"], ["an"]):
        return None
    end = 1
    while end < len(tail) and tail[end].lower() not in (
        "at",
        "for",
        "in",
        "with",
        "since",
        ",",
        "and",
        "on",
        "from",
    ):
        end += 1
    return (words.join(tail[1:end]), tail[end:]) if 1 < end <= 5 else None


def _evident(clause: list[str], verb_at: int) -> bool:
    """Whether the object of "use", "run", "make" is a lasting one."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if (
        not after
        or set(after) & lexicon.CODE_NOUNS
        or set(after) & _ASKING - ({"how"} if verb == "know" else set())
    ):
        return False
    first = after[0]
    if (
        verb == "know"
        and first in ("they", "he", "she", "we", "i", "it", "you", "my", "the")
        or set(after) & lexicon.EVALUATIONS
    ):
        return False
    named = phrases.has_name(clause[verb_at + 1 :])
    tool = bool(set(after) & lexicon.TOOLS)
    if phrases.is_habit(lowered):
        return verb != "know"
    if verb in ("use", "deploy", "know"):
        how = verb == "know" and after[:2] == ["how", "to"]
        return (
            named
            or tool
            or how
            or (verb == "use" and any(phrases.kind_of(w) is Owned.THING for w in after))
        )
    if verb in ("run", "manage", "lead", "host", "maintain", "keep", "take", "train"):
        known = any(phrases.kind_of(w) for w in after) or set(after) & lexicon.ACTIVITIES
        more = {"run": {"marathons", "club", "charity", "shop", "bar", "agency", "consultancy"},
                "manage": {"people", "engineers", "accounts"}, "lead": {"people", "engineers", "tours"},
                "keep": {"diary", "journal", "kosher", "halal"}, "train": {"for", "at", "with", "people"},
                "take": {"metformin", "insulin", "antidepressants", "statins", "medication", "vitamins", "pills",
                         "lessons", "classes", "supplements", "lithium", "ritalin"}}  # fmt: skip
        return bool(known or named or tool or set(after) & more.get(verb, set()))
    if verb == "do":
        return bool(set(after) & lexicon.ACTIVITIES)
    return (
        first not in ("the", "sure", "up", "out", "off", "on", "to", "down")
        and not first[:1].isdigit()
    )


def habit(clause: list[str], verb_at: int) -> list[Fact]:
    """Anything that the user does regularly."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if verb not in _HABIT_VERBS or not phrases.is_habit(lowered):
        return []
    if (
        phrases.points(after)
        or phrases.momentary(after)
        or set(after) & (_ASKING | lexicon.CODE_NOUNS | lexicon.EVALUATIONS)
    ):
        return []
    empty = (
        after[0]
        in ("a", "few", "every", "each", "once", "twice", "all", "several", "usually", "often")
        if after
        else True
    )
    if (
        len(after) < 2
        or phrases.dangles(after)
        or (empty and verb in ("go", "do", "have", "see", "get", "make"))
    ):
        return []
    return [
        Fact(person.third_person(clause), category="event" if phrases.has_date(after) else None)
    ]


def possession(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I have two cats", "I do not have a car", "I have an interview on Friday"."""
    lowered = words.low(clause)
    obj = lowered[verb_at + 1 :]
    at = 1 if obj[:1] == ["got"] else 0
    obj = obj[at:]
    if (
        not obj
        or obj[0] == "the"
        or phrases.points(obj)
        or phrases.momentary(obj)
        or phrases.dangles(obj)
        or set(obj[:6]) & (lexicon.EVALUATIONS - {"long", "real", "mean"})
    ):
        return []
    head = _object_head(obj, clause[verb_at + 1 + at :])
    if head is None:
        return []
    noun, kind = head
    if set(obj) & lexicon.CODE_NOUNS:
        return []
    named = "called" in obj or "named" in obj or phrases.has_name(clause[verb_at + 2 + at :])
    fact = Fact(person.third_person(clause))
    if noun in lexicon.EVENTS and phrases.has_date(obj):
        return [Fact(fact.text, category="event", importance=0.7)]
    if kind is Owned.EVENT:
        return []
    if kind is Owned.PERSON and noun not in lexicon.KIN:
        return [Fact(fact.text, category="contact", importance=0.6)] if named else []
    if kind is Owned.DETAIL and noun not in ("allergy", "goal", "dream", "hobby", "degree", "passion", "condition",
                                             "company", "startup", "business", "blog", "website", "stutter"):  # fmt: skip
        return []
    return [Fact(fact.text, importance=0.6)]


def _object_head(obj: list[str], written: list[str]) -> tuple[str, Owned] | None:
    """The noun that "have" takes, if the rules know it and it is the phrase's head."""
    closers = frozenset(
        "called named who that which and with in on at from of since for to , by my named: aged too or".split()
    )
    for index, word in enumerate(obj[:8]):
        following = obj[index + 1] if index + 1 < len(obj) else ""
        known: Owned | None = phrases.kind_of(word)
        if word in lexicon.CONDITIONS or (word in lexicon.BODY and index):
            known = Owned.THING
        if word in closers and word not in ("of", ","):
            return None
        if known is None:
            continue
        capital = index + 1 < len(written) and written[index + 1][:1].isupper()
        date = phrases.has_date(obj[index + 1 : index + 3]) or following in (
            "every",
            "each",
            "tomorrow",
            "next",
            "this",
        )
        if not following or following in closers or capital or date:
            return phrases.singular(word), known
    return None
