"""What happened and stays true: "I moved to Lyon", "we decided to use Postgres"."""

from __future__ import annotations

from nosis.models.offline import dates, lexicon, nouns, person, phrases, plans, traits, words, work
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

# A verb a line, and what may follow it at once: words; * anything; N a phrase whose noun is
# known; C something with a capital; # a number.
_TABLE = """
    moved to from in into out back house teams abroad across over
    quit my smoking drinking vaping school university uni coffee sugar N C
    switched from to teams jobs careers majors roles over departments schools C
    started learning working studying a my at playing taking going doing training university uni
    started college school C
    stopped eating drinking smoking working playing going taking buying using
    won a an the first second third C
    became a an the vegetarian vegan C
    worked as at for in on with
    went C vegan vegetarian freelance
    performed at in with C
    played for in at C
    changed my jobs careers N
    left my C school
    booked N a our my
    joined C N the a
    accepted N C a the
    trained as at in for
    ran N # a the
    lost my weight N
    learned to how C
    learnt to how C
    grew up
    met my
    broke my
    buried my
    gave up
    dropped out
    served in
    majored in
    converted to
    donated to
    turned #
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
    opened N
    launched N
    built N
    wrote N
    rented N
    earned N
"""
_WHATEVER = lexicon.word_set(
    """
    graduated studied married divorced retired founded co-founded published emigrated immigrated
    relocated resigned enrolled lived taught volunteered renovated planted proposed separated
    qualified survived renamed named hired swam cycled competed transferred agreed spent
    invested
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
    married divorced engaged promoted accepted hired fired laid diagnosed citizenship tenure
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
    surgery stroke baby operation transplant heart hip knee lasik braces chemo chemotherapy
    twins
    """
)
_NEWS = lexicon.word_set(
    """
    job promotion role raise offer scholarship grant tattoo degree visa puppy kitten
    """
)
_OWNING = lexicon.word_set("a an my our two")


def past(clause: list[str], verb_at: int) -> list[Fact]:
    """Facts of "I/we" and a verb of the past at ``verb_at``."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if verb in lexicon.DECIDING and (facts := decision(clause, verb_at)):
        return facts
    if phrases.points(after) or phrases.dangles(after) or "today" in after:
        return []
    if set(after) & nouns.CODE_NOUNS:
        return []
    if verb == "been":
        return _been(clause, after)
    written = clause[verb_at + 1 :]
    rescheduled = lowered[0] == "we" and verb in _RESCHEDULED and _work(after)
    if rescheduled and (dates.has_date(after) or phrases.has_name(written)):
        allowed = True
    elif verb in ("was", "were"):
        allowed = _was(written)
    elif verb == "got":
        allowed = _got(after)
    elif verb == "had":
        allowed = bool(_HAD & set(after[:5]) or nouns.CONDITIONS & set(after[:4]))
    elif verb == "signed":
        allowed = after[:2] == ["up", "for"]
    else:
        allowed = verb in _WHATEVER or _follows(_ALLOWED.get(verb, set()), after, written)
    if not allowed:
        return []
    return [
        Fact(person.third_person(clause), category="event", importance=0.6),
        *_employer(verb, written),
    ]


def _was(written: list[str]) -> bool:
    while written and written[0].lower() in lexicon.ADVERBS:
        written = written[1:]
    first = written[0].lower() if written else ""
    return first in _WAS or (first in ("a", "an") and work.role_of(written) is not None)


def _got(after: list[str]) -> bool:
    if not after:
        return False
    thing = any(phrases.kind_of(word) in (Owned.PET, Owned.THING) for word in after[:6])
    return after[0] in _GOT or (after[0] in _OWNING and thing) or bool(_NEWS & set(after[:5]))


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
    if after[:1] == ["to"]:
        return [whole] if phrases.has_name(clause[start + 1 :]) else []
    if after[:1] in (["a"], ["an"]) and (facts := work.role_facts(clause[start:])):
        facts = [fact for fact in facts if fact.field]
        return [*facts, whole] if {"for", "since"} & set(after) else facts
    if traits.is_trait(after):
        return [whole]
    return [] if after and after[0] in lexicon.ADVERBS else plans.ongoing(clause, start)


def _follows(allowed: set[str], after: list[str], written: list[str]) -> bool:
    if not after:
        return False
    if "#" in allowed and dates.has_number(after[:1]):
        return True
    if "C" in allowed and phrases.has_name(written[:4]):
        return True
    return after[0] in allowed or ("N" in allowed and plans.known(after))


def _work(after: list[str]) -> bool:
    held = nouns.PROJECT_NOUNS | nouns.EVENTS
    return any(phrases.singular(word) in held for word in after[:4])


def decision(clause: list[str], verb_at: int) -> list[Fact]:
    """ "We decided to use Postgres for billing"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    content = after[1:] if after[:1] == ["that"] else after
    if phrases.unclear(content) or len(after) < 2:
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
