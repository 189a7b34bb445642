"""What goes on, is planned and is wanted: "I'm learning Rust", "I want to run a marathon"."""

from __future__ import annotations

from nosis.models.offline import dates, lexicon, nouns, person, phrases, words, work
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

_WORKS = lexicon.word_set(
    """
    novel book thesis dissertation memoir paper phd startup album screenplay blog podcast degree
    masters game cookbook biography comic documentary house boat shed cabin website portfolio
    musical play poetry trilogy app treehouse guitar canoe synth robot telescope manuscript
    """
)
_PROGRAMMES = lexicon.word_set(
    """
    phd master's masters degree class course internship apprenticeship mba msc bsc ba ma mphil
    meng diploma gcses a-levels lessons classes bootcamp doctorate residency sabbatical
    antidepressants metformin insulin medication statins therapy chemo physio training keto
    antibiotics supplements diploma certification
    """
)
_INTENDING = lexicon.word_set("going planning hoping trying aiming intending")
_CREATING = lexicon.word_set(
    """
    working writing building developing designing researching translating making
    """
)
_ATTENDING = lexicon.word_set(
    """
    doing taking pursuing seeing getting running managing leading recording
    """
)
_FITTING = {
    "seeing": {Owned.PERSON},
    "getting": {Owned.PET, Owned.THING},
    "running": {Owned.THING, Owned.DETAIL},
    "recording": {Owned.THING},
}
_WAYS = lexicon.word_set("to from abroad out back house in into")
# What may follow at once, where not anything does.
_LIVING = lexicon.word_set(
    """
    in with on near alone at by next outside abroad together off out
    """
)
_DIRECTED = {
    "living": _LIVING,
    "moving": _WAYS,
    "relocating": _WAYS,
    "training": lexicon.word_set("for at to with as"),
    "recovering": lexicon.word_set("from"),
    "preparing": lexicon.word_set("for"),
    "expecting": lexicon.word_set("twins triplets our my another"),
    "raising": lexicon.word_set("my our two three four chickens money kids twins"),
}
_WORKING = lexicon.word_set("in from remotely part-time full-time nights")
_ALONE = lexicon.word_set("freelancing apprenticing retiring")
_MOMENTARY = lexicon.word_set(
    """
    thinking wondering looking hoping asking talking trying kidding joking feeling having
    encountering struggling
    """
)
_INQUIRING = lexicon.word_set("more about what why whether if when where who which again")
_UNWELL = lexicon.EVALUATIONS | {"so", "ready", "stressed", "used"}
_STOPPED = lexicon.word_set("smoking drinking eating biting working")
_NAMEABLE = lexicon.word_set("visit see go speak live play run")
_ENOUGH = lexicon.word_set("travel retire emigrate volunteer")


def known(found: list[str]) -> bool:
    """Whether words hold a noun of a person's life that the rules know."""
    more = nouns.LIFE_NOUNS | nouns.BODY | nouns.CONDITIONS | _WORKS
    return any(phrases.kind_of(word) or word in more for word in found[:7])


def ongoing(clause: list[str], at: int, *, whose: str = "i") -> list[Fact]:
    """ "I am learning Rust", "we are moving to Lyon in May".

    Args:
        at: where the "-ing" is.
        whose: "i", or "other" where the subject is not the user.
    """
    lowered = words.low(clause)
    verb, after = lowered[at], lowered[at + 1 :]
    if phrases.unclear(after) or set(after) & nouns.CODE_NOUNS:
        return []
    if verb == "learning" and after[:1] and after[0] in ("from", "what", "more", "that"):
        return []
    if verb == "expecting" and "baby" in after:
        return person.told(clause, "event", 0.7)
    if after[:2] == ["up", "the"] and verb == "taking":  # "taking up the viola"
        return person.told(clause, importance=0.6)
    if after[:2] in (["a", "ton"], ["a", "lot"]) or (after[:1] == ["on"] and verb == "moving"):
        return []
    dated = dates.has_date(after)
    if verb in _INTENDING:
        return _intent(clause, at)
    if verb == "working" and whose == "i" and (facts := _working(clause, at)):
        return facts
    if not _lasts(verb, after, clause[at + 1 :], dated=dated):
        return []
    return [Fact(person.third_person(clause), category="event" if dated else None, importance=0.6)]


def _lasts(verb: str, after: list[str], written: list[str], *, dated: bool) -> bool:
    named = phrases.has_name(written)
    if verb in _CREATING:
        if dated or _WORKS & set(after):
            return True
        if verb != "working" or not after:
            return False
        long = after[0] == "with" and bool({"for", "since"} & set(after))
        return long or after[0] in _WORKING or (after[0] in ("on", "with") and named)
    if verb == "getting" and set(after) & _UNWELL:
        return False
    if verb in _ATTENDING:
        listed = (_PROGRAMMES | nouns.ACTIVITIES) & set(after)
        settled = bool(after) and after[0] in ("married", "divorced", "engaged")
        kinds = {phrases.kind_of(word) for word in after[:7]}
        fits = bool(kinds & _FITTING.get(verb, set())) and after[:1] != ["the"]
        led = verb in ("managing", "leading") and "team" in after
        return bool(listed) or settled or fits or led or dated
    if verb == "using":
        return named and bool({"for", "as"} & set(after))
    if verb in ("reading", "dating"):
        return named
    if verb in _DIRECTED:
        return bool(after) and (after[0] in _DIRECTED[verb] or dated)
    if verb in lexicon.ONGOING:
        if not after:
            return verb in _ALONE
        return after[0] != "the" or named
    return verb.endswith("ing") and verb not in _MOMENTARY and dated


def _working(clause: list[str], at: int) -> list[Fact]:
    from nosis.models.offline.work import employment

    facts = employment([clause[0], "work", *clause[at + 1 :]], 1)
    if all(fact.field for fact in facts):
        return facts
    whole = Fact(person.third_person(clause), category="knowledge")
    return [*(fact for fact in facts if fact.field), whole]


def _intent(clause: list[str], at: int) -> list[Fact]:
    """ "I am planning a trip to Japan", "…going to move in May", "…trying to quit smoking"."""
    lowered = words.low(clause)
    verb, after, written = lowered[at], lowered[at + 1 :], clause[at + 2 :]
    dated = dates.has_date(after)
    if after[:1] == ["to"] and goal(after[1:], written):
        meant = True
    elif verb == "going":
        place = after[:1] == ["to"] and phrases.has_name(written[:1])
        meant = dated or place
    else:
        meant = verb == "planning" and (known(after) or (after[:1] == ["on"] and dated))
    if not meant:
        return []
    return [Fact(person.third_person(clause), category="event", importance=0.6)]


def goal(wanted: list[str], written: list[str]) -> bool:
    """Whether what follows "want to" is a wish for a life, not for this chat."""
    if not wanted or phrases.points(wanted) or dates.momentary(wanted):
        return False
    verb, after = wanted[0], wanted[1:]
    if verb == "be":
        return work.role_of(written[1:]) is not None
    if set(wanted) & nouns.CODE_NOUNS or set(after[:2]) & _INQUIRING:
        return False
    if wanted[:2] in (["make", "sure"], ["learn", "from"]):
        return False
    if wanted[:3] == ["learn", "how", "to"]:  # to sail, not to centre a div
        return bool(wanted[3:]) and wanted[3] in lexicon.LASTING
    if verb in lexicon.GOALS_WITH_NOUN:
        lasting = (Owned.PET, Owned.THING)
        noun = any(w in nouns.LIFE_NOUNS or phrases.kind_of(w) in lasting for w in after)
        named = verb in _NAMEABLE and phrases.has_name(written[1:])
        return noun or named or dates.has_date(after)
    if verb == "move":
        return bool(after) and after[0] in _WAYS
    if verb == "stop":
        return bool(after) and after[0] in _STOPPED
    return verb in lexicon.GOALS and (bool(after) or verb in _ENOUGH)


def wish(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I want to learn the cello", "I plan to retire at 60", "I need to renew it by May"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if verb == "want" and after[:1] in (["a"], ["an"], ["another"]):
        pet = any(phrases.kind_of(word) is Owned.PET for word in after[1:3])
        return person.told(clause) if pet and not phrases.unclear(after) else []
    if after[:1] != ["to"] or len(after) < 2:
        return []
    text = person.third_person(clause)
    if verb in ("need", "have"):
        vague = phrases.points(after) or set(after) & nouns.CODE_NOUNS
        due = dates.has_date(after) and not vague
        return [Fact(text, category="event", importance=0.7)] if due else []
    meant = goal(after[1:], clause[verb_at + 2 :])
    return [Fact(text, importance=0.6)] if meant else []
