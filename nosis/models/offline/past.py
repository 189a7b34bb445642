"""What happened and stays true: "I moved to Lyon", "we decided to use Postgres"."""

from __future__ import annotations

from collections.abc import Callable

from nosis.models.offline import dates, lexicon, nouns, person, phrases, plans, traits, words, work
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

# A verb a line, and what may follow it at once: words; * anything; N a phrase whose noun is
# known; B a venture or a course; C something with a capital; # a number.
_TABLE = """
    moved to from in into out back house teams abroad across over
    quit my smoking drinking vaping school university uni coffee sugar N C
    switched from to teams jobs careers majors roles over departments schools C
    started learning working studying at playing taking going doing training university uni
    started college school B C
    stopped eating drinking smoking playing going taking buying
    won a an first second third C
    became a an vegetarian vegan C
    worked as at for in
    went C vegan vegetarian freelance
    performed at in with C
    played for in at C
    changed jobs careers N
    left C school teaching nursing university uni college home
    booked N
    joined C N a
    accepted N C a
    trained as at in for
    ran N # a
    lost weight N
    learned to C
    learnt to C
    grew up
    met my
    broke N
    hurt N
    injured N
    tore N
    buried my
    dropped out
    served in
    majored in
    converted to
    donated to
    visited C
    climbed C
    travelled C to
    traveled C to
    bought N
    sold N
    adopted N
    rescued N
    inherited N
    fostered N
    failed N
    finished N
    completed N
    passed N
    opened B
    launched B
    built N
    wrote N
    rented N
    lent C my
    borrowed N my
    earned N
    did N
"""
_WHATEVER = lexicon.word_set(
    """
    graduated studied married divorced retired founded co-founded published emigrated immigrated
    relocated resigned enrolled lived taught volunteered renovated planted proposed separated
    qualified survived named hired swam cycled competed transferred
    """
)
_ALONE = lexicon.word_set(
    """
    graduated married divorced retired resigned relocated separated emigrated qualified
    """
)
_VENTURES = lexicon.word_set(
    """
    company startup business shop store cafe café restaurant bakery practice studio blog podcast
    newsletter channel band collection garden family diet degree phd course therapy medication
    job charity club school class lessons internship apprenticeship
    """
)
_GIVEN_UP = lexicon.word_set(
    """
    smoking drinking sugar meat alcohol coffee caffeine dairy gluten
    """
)
_PLACES = lexicon.word_set(
    """
    city countryside coast suburbs village country house flat apartment place town farm team
    company role office department
    """
)
_ALLOWED: dict[str, set[str]] = {}
for _line in _TABLE.strip().splitlines():
    _verb, *_words = _line.split()
    _ALLOWED.setdefault(_verb, set()).update(_words)

_RESCHEDULED = lexicon.word_set(
    """
    moved pushed postponed rescheduled scheduled cancelled canceled delayed signed lost won
    shipped launched released
    """
)
_GOT = lexicon.word_set(
    """
    married divorced engaged promoted accepted hired fired laid diagnosed rid citizenship tenure
    pregnant sober
    """
)
_WAS = lexicon.word_set(
    """
    born raised diagnosed promoted hired adopted laid brought fired made educated named trained
    """
)
_HAD = lexicon.word_set(
    """
    surgery stroke baby operation transplant lasik braces chemo chemotherapy twins attack
    """
)
_NEWS = lexicon.word_set(
    """
    job promotion role raise offer scholarship grant tattoo degree visa puppy kitten
    """
)
_TESTS = lexicon.word_set("driving blood eye citizenship theory")  # tests of a life, not of code
_OWNING = lexicon.word_set("a an my our two")


def past(clause: list[str], verb_at: int) -> list[Fact]:
    """Facts of "I/we" and a verb of the past at ``verb_at``."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if verb in lexicon.DECIDING and (facts := decision(clause, verb_at)):
        return facts
    if after[:1] == ["here"] and after[1:2] and after[1] in ("from", "in", "when", "with"):
        return past([*clause[: verb_at + 1], *clause[verb_at + 2 :]], verb_at)
    if phrases.unclear(after):
        return []
    if set(after) & nouns.CODE_NOUNS and not _TESTS & set(after):
        return []
    if verb == "been":
        return _been(clause, after)
    written = clause[verb_at + 1 :]
    moved = lowered[0] == "we" and verb in _RESCHEDULED and _work(after)
    rescheduled = moved and (dates.has_date(after) or phrases.has_name(written))
    if not rescheduled and not _lasts(verb, after, written):
        return []
    return [*person.told(clause, "event", 0.6), *_employer(verb, written)]


def _lasts(verb: str, after: list[str], written: list[str]) -> bool:
    """Whether what was done stays true of the user."""
    if rule := _RULES.get(verb):
        return rule(after, written)
    if verb in _WHATEVER:
        if not after:
            return verb in _ALONE
        return after[:1] != ["the"] or phrases.has_name(written) or dates.has_date(after)
    return _follows(_ALLOWED.get(verb, set()), after, written)


def _was(_: list[str], written: list[str]) -> bool:
    while written and lexicon.is_adverb(written[0].lower()):
        written = written[1:]
    first = written[0].lower() if written else ""
    if first in ("made", "brought"):
        return words.low(written[1:2]) in (["redundant"], ["up"])
    return first in _WAS or (first in ("a", "an") and work.role_of(written) is not None)


def _got(after: list[str], _: list[str]) -> bool:
    if not after:
        return False
    if after[:2] == ["fired", "up"]:
        return False
    thing = any(phrases.kind_of(word) in (Owned.PET, Owned.THING) for word in after[:6])
    return after[0] in _GOT or (after[0] in _OWNING and thing) or bool(_NEWS & set(after[:5]))


def _had(after: list[str], _: list[str]) -> bool:
    if "baby" in after[:3]:
        rest = after[after.index("baby") + 1 :]
        return not rest or rest[0] in ("girl", "boy", "in", "on", "last", "this", "called", "named")
    return bool(_HAD & set(after[:5]) or nouns.CONDITIONS & set(after[:4]))


def _turned(after: list[str], _: list[str]) -> bool:
    aged = dates.has_number(after[:1]) and after[:1] != ["two"]
    return aged and (
        len(after) == 1 or after[1] in ("last", "this", "in", "on", "years", "yesterday")
    )


def _gave(after: list[str], _: list[str]) -> bool:
    return after[:1] == ["up"] and bool(_GIVEN_UP & set(after[1:3]))


def _broke(after: list[str], written: list[str]) -> bool:
    return after[:2] == ["up", "with"] or _follows({"N"}, after, written)


def _moved(after: list[str], written: list[str]) -> bool:
    if after[:1] == ["to"] and after[1:2] in (["the"], ["a"]):
        return bool(_PLACES & set(after[2:6]))  # "moved to the next step" is no move
    return _follows(_ALLOWED["moved"] | _ALLOWED["switched"], after, written)


def _changed(after: list[str], written: list[str]) -> bool:
    return after[:2] != ["my", "mind"] and _follows(_ALLOWED["changed"], after, written)


def _worked(after: list[str], written: list[str]) -> bool:
    known = after[:1] == ["with"] and phrases.has_name(written[1:2])
    return known or _follows(_ALLOWED["worked"], after, written)


def _signed(after: list[str], _: list[str]) -> bool:
    return after[:2] == ["up", "for"]


_RULES: dict[str, Callable[[list[str], list[str]], bool]] = {
    "was": _was, "were": _was, "got": _got, "had": _had, "gave": _gave, "broke": _broke,
    "moved": _moved, "switched": _moved, "changed": _changed, "worked": _worked, "signed": _signed,
    "turned": _turned,
}  # fmt: skip


def _employer(verb: str, written: list[str]) -> list[Fact]:
    """ "Started at Siemens", "got a job at Siemens" also tell the employer."""
    lowered = words.low(written)
    if "at" not in lowered or verb not in ("started", "got"):
        return []
    at = lowered.index("at")
    if lowered[:at] not in ([], ["working"]) and "job" not in lowered[:at]:
        return []
    name, _ = work.company(written[at + 1 :])
    return [Fact(name, field="company")] if name and name[:1].isupper() else []


def _been(clause: list[str], after: list[str]) -> list[Fact]:
    start = len(clause) - len(after)
    whole = Fact(person.third_person(clause))
    if after[:2] == ["made", "redundant"]:
        return [whole]
    if after[:1] == ["to"]:
        told = phrases.has_name(clause[start + 1 :]) or dates.has_number(after)
        return [whole] if told else []
    if after[:1] in (["a"], ["an"]) and (facts := work.role_facts(clause[start:])):
        facts = [fact for fact in facts if fact.field]
        return [*facts, whole] if {"for", "since"} & set(after) else facts
    if traits.is_trait(after):
        return [whole]
    if after[:1] in (["at"], ["with"], ["in"]) and {"for", "since"} & set(after[2:]):
        return [whole]
    return [] if after and lexicon.is_adverb(after[0]) else plans.ongoing(clause, start)


def _follows(allowed: set[str], after: list[str], written: list[str]) -> bool:
    if not after:
        return False
    if "#" in allowed and dates.has_number(after[:1]):
        return True
    if "C" in allowed and phrases.has_name(written[:4]):
        return True
    if "B" in allowed and set(after[:5]) & _VENTURES:
        return True
    definite = after[0] == "the" and not dates.has_date(after)  # "lost the game"
    return after[0] in allowed or ("N" in allowed and plans.known(after) and not definite)


def _work(after: list[str]) -> bool:
    held = nouns.PROJECT_NOUNS | nouns.EVENTS
    return any(phrases.singular(word) in held for word in after[:4])


def decision(clause: list[str], verb_at: int) -> list[Fact]:
    """ "We decided to use Postgres for billing"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    content = after[1:] if after[:1] == ["that"] else after
    if phrases.unclear(content) or len(after) < 2 or "disagree" in after:
        return []
    named = phrases.has_name(clause[verb_at + 1 :]) or bool(nouns.TOOLS & set(after))
    if verb in ("decided", "agreed") and after[0] in ("to", "on", "that", "against", "not", "we"):
        planned = plans.goal(after[1:], clause[verb_at + 2 :])
        named = named or lowered[0] == "we" or dates.has_date(after) or planned
    if not named:
        return []
    team = lexicon.TEAM_WORDS & set(lowered) and not lexicon.HOME_WORDS & set(lowered)
    text = person.third_person(clause, team=bool(team))
    return [Fact(text, category="decision", importance=0.8)]
