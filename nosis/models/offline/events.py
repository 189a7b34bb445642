"""What happened, what goes on, what is decided, planned and wanted."""

from __future__ import annotations

from nosis.models.offline import identity, lexicon, person, phrases, words
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

# verb -> words that may follow it at once; "*": anything; "N": a phrase whose noun is known;
# "C": something with a capital.
_PAST = {
    "moved": "to from in into out back house teams abroad across over", "grew": "up", "graduated": "*",
    "studied": "*", "married": "*", "divorced": "*", "bought": "N", "sold": "N", "adopted": "N", "rescued": "N",
    "inherited": "N", "fostered": "N", "joined": "C N the a", "retired": "*", "founded": "*", "co-founded": "*",
    "quit": "my smoking drinking vaping school university uni coffee sugar N C", "won": "a an the first second third C",
    "published": "*", "switched": "from to teams jobs careers majors roles over departments schools C",
    "became": "a an the vegetarian vegan C", "emigrated": "*", "immigrated": "*", "relocated": "*", "resigned": "*",
    "enrolled": "*", "met": "my", "lived": "*", "worked": "as at for in on with", "taught": "*", "served": "in",
    "started": "learning working studying a my at playing taking going doing training university uni college school C",
    "stopped": "eating drinking smoking working playing going taking buying using", "lost": "my weight N",
    "broke": "my", "learned": "to how C", "learnt": "to how C", "signed": "up", "booked": "N a our my",
    "visited": "C", "travelled": "C to", "traveled": "C to", "volunteered": "*", "converted": "to", "turned": "#",
    "finished": "N", "completed": "N", "passed": "N", "renovated": "*", "planted": "*", "proposed": "*",
    "separated": "*", "ran": "N # a the", "climbed": "C", "qualified": "*", "majored": "in", "trained": "as at in for",
    "survived": "*", "accepted": "N C a the", "opened": "N", "launched": "N", "built": "N", "wrote": "N", "gave": "up",
    "renamed": "*", "named": "*", "hired": "*", "rented": "N", "swam": "*", "cycled": "*", "competed": "*", "performed": "at in with C",
    "played": "for in at C", "dropped": "out", "changed": "my jobs careers N", "transferred": "*", "agreed": "*", "left": "my C school",
    "went": "C vegan vegetarian freelance", "spent": "*", "invested": "*", "earned": "N", "donated": "to",
}  # fmt: skip
_GOT = frozenset(
    "married divorced engaged promoted accepted hired fired laid diagnosed citizenship tenure pregnant sober".split()
)
_WAS = frozenset(
    "born raised diagnosed promoted hired adopted laid brought fired made educated named trained".split()
)
_HAD = frozenset(
    "surgery stroke baby operation transplant heart hip knee lasik braces chemo chemotherapy twins".split()
)
_NEWS = frozenset(
    "job promotion role raise offer scholarship grant tattoo degree visa haircut? puppy kitten".split()
)
_WORKS = frozenset(
    """novel book thesis dissertation memoir paper phd startup album screenplay blog podcast degree
    masters game cookbook biography comic documentary house boat shed cabin website portfolio
    musical play poetry trilogy app treehouse guitar canoe synth robot telescope manuscript""".split()
)
_PROGRAMMES = frozenset(
    """phd master's masters degree course internship apprenticeship mba lessons classes bootcamp
    doctorate residency break sabbatical antidepressants metformin insulin medication statins
    therapy chemo physio training keto antibiotics supplements diploma certification""".split()
)
_NEVER_ONGOING = frozenset(
    "thinking wondering looking hoping asking talking trying kidding joking feeling having encountering struggling".split()
)


def past(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I moved to Lyon", "I got promoted", "I was born in Leeds"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if verb in lexicon.DECIDING | {"agreed"} and (facts := decision(clause, verb_at)):
        return facts
    if (
        phrases.points(after)
        or phrases.dangles(after)
        or "today" in after
        or set(after) & lexicon.CODE_NOUNS
    ):
        return []
    allowed = False
    if verb == "got":
        allowed = bool(after[:1]) and after[0] in _GOT or (after[:1] and after[0] in ("a", "an", "my", "our", "two") and _thing(after)) or (
            bool(_NEWS & set(after[:5])))  # fmt: skip
    elif verb in ("was", "were"):
        if after[:1] and after[0] in lexicon.ADVERBS:
            after = after[1:]
        allowed = bool(after) and (
            after[0] in _WAS
            or (after[0] in ("a", "an") and identity.role_of(clause[verb_at + 1 :]) is not None)
        )
    elif verb == "had":
        allowed = bool(_HAD & set(after[:5])) or bool(lexicon.CONDITIONS & set(after[:4]))
    elif verb == "been":
        return _been(clause, after)
    elif verb in _PAST:
        allowed = _follows(_PAST[verb].split(), after, clause[verb_at + 1 :])
    if not allowed:
        return []
    return [Fact(person.third_person(clause), category="event", importance=0.6)]


def _been(clause: list[str], after: list[str]) -> list[Fact]:
    start = len(clause) - len(after)
    if after[:1] == ["to"] and phrases.has_name(clause[start + 1 :]):
        return [Fact(person.third_person(clause), category="event")]
    if after[:1] and after[0] in ("a", "an") and (facts := identity.role_facts(clause[start:])):
        facts = [fact for fact in facts if fact.field]
        return (
            [*facts, Fact(person.third_person(clause))]
            if "for" in after or "since" in after
            else facts
        )
    if identity.is_trait(after):
        return [Fact(person.third_person(clause))]
    if after[:1] and after[0] in lexicon.ADVERBS:
        return []
    return ongoing(clause, start)


def _follows(allowed: list[str], after: list[str], written: list[str]) -> bool:
    if "*" in allowed:
        return True
    if not after:
        return False
    if after[0] == "up" and "up" in allowed and allowed != ["up"]:
        return False
    if allowed == ["up"] and after[1:2] not in (
        ["for"],
        ["with"],
        ["in"],
        ["on"],
        ["outside"],
        ["near"],
        ["speaking"],
        ["as"],
    ):
        return False
    if "#" in allowed and phrases.has_number(after[:1]):
        return True
    if "C" in allowed and phrases.has_name(written[:4]):
        return True
    return after[0] in allowed or ("N" in allowed and _known(after))


def _known(after: list[str]) -> bool:
    return any(
        phrases.kind_of(word)
        or word in lexicon.LIFE_NOUNS | lexicon.BODY | lexicon.CONDITIONS
        or word in _WORKS
        for word in after[:7]
    )


def _thing(after: list[str]) -> bool:
    return any(phrases.kind_of(word) in (Owned.PET, Owned.THING) for word in after[:6])


def ongoing(clause: list[str], at: int, *, whose: str = "i") -> list[Fact]:
    """ "I am learning Rust", "We are moving to Lyon in May" (``at``: where "learning" is)."""
    lowered = words.low(clause)
    verb, after = lowered[at], lowered[at + 1 :]
    if (
        phrases.points(after)
        or phrases.momentary(after)
        or phrases.dangles(after)
        or set(after) & lexicon.CODE_NOUNS
    ):
        return []
    if after[:2] in (["a", "ton"], ["a", "lot"]):
        return []
    fact = Fact(
        person.third_person(clause),
        category="event" if phrases.has_date(after) else None,
        importance=0.6,
    )
    if verb in ("going", "planning", "hoping", "trying", "aiming", "intending"):
        return _intent(clause, at)
    if verb == "working" and whose == "i":
        if facts := _working(clause, at):
            return facts
    if verb in (
        "working",
        "writing",
        "building",
        "developing",
        "designing",
        "researching",
        "translating",
        "making",
    ):
        usual = (
            verb == "working"
            and after[:1]
            and after[0] in ("in", "from", "remotely", "part-time", "full-time", "nights", "with")
        )
        named = verb == "working" and after[:1] == ["on"] and phrases.has_name(clause[at + 2 :])
        return [fact] if usual or named or _WORKS & set(after) or phrases.has_date(after) else []
    if verb == "getting" and set(after) & (
        lexicon.EVALUATIONS | {"so", "ready", "stressed", "used"}
    ):
        return []
    if verb in (
        "doing",
        "taking",
        "pursuing",
        "seeing",
        "getting",
        "running",
        "managing",
        "leading",
        "recording",
    ):
        known = (
            _PROGRAMMES & set(after)
            or lexicon.ACTIVITIES & set(after)
            or after[:1] in (["married"], ["divorced"], ["engaged"])
        )
        known = known or (verb != "doing" and _known(after) and after[:1] != ["the"])
        return [fact] if known or phrases.has_date(after) else []
    if verb == "using":
        return [fact] if phrases.has_name(clause[at + 1 :]) and {"for", "as"} & set(after) else []
    if verb in ("reading", "dating"):
        return [fact] if phrases.has_name(clause[at + 1 :]) else []
    if verb in lexicon.ONGOING:
        return [fact] if after or verb in ("freelancing", "apprenticing", "retiring") else []
    if verb.endswith("ing") and verb not in _NEVER_ONGOING and phrases.has_date(after):
        return [fact]
    return []


def _working(clause: list[str], at: int) -> list[Fact]:
    from nosis.models.offline.present import employment

    as_present = [clause[0], "work", *clause[at + 1 :]]
    facts = employment(as_present, 1)
    if any(not fact.field for fact in facts):
        facts = [fact for fact in facts if fact.field] + [
            Fact(person.third_person(clause), category="knowledge")
        ]
    return facts


def _intent(clause: list[str], at: int) -> list[Fact]:
    """ "I am planning a trip to Japan", "…going to move in May", "…trying to quit smoking"."""
    lowered = words.low(clause)
    verb, after = lowered[at], lowered[at + 1 :]
    fact = Fact(person.third_person(clause), category="event", importance=0.6)
    if after[:1] == ["to"] and len(after) > 1:
        if goal(after[1:], clause[at + 2 :]):
            return [fact]
        future = verb == "going" and phrases.has_date(after)
        return [fact] if future and not phrases.points(after) else []
    if verb == "planning":
        return [fact] if _known(after) or (after[:1] == ["on"] and phrases.has_date(after)) else []
    if verb == "going":
        place = after[:1] == ["to"] and phrases.has_name(clause[at + 2 :])
        return [fact] if place or phrases.has_date(after) else []
    return []


def goal(wanted: list[str], written: list[str]) -> bool:
    """Whether what follows "want to" is a wish for a life, not for this chat."""
    if (
        not wanted
        or phrases.points(wanted)
        or phrases.momentary(wanted)
        or set(wanted) & lexicon.CODE_NOUNS
    ):
        return False
    verb, after = wanted[0], wanted[1:]
    if verb == "make" and after[:1] == ["sure"] or verb == "learn" and after[:1] == ["from"]:
        return False
    if set(after[:2]) & {
        "more",
        "about",
        "what",
        "why",
        "whether",
        "if",
        "when",
        "where",
        "who",
        "which",
        "again",
    }:
        return False
    if verb in lexicon.GOALS_WITH_NOUN:
        noun = any(
            word in lexicon.LIFE_NOUNS or phrases.kind_of(word) in (Owned.PET, Owned.THING)
            for word in after
        )
        named = verb in ("visit", "see", "go", "speak", "live", "play", "run") and phrases.has_name(
            written[1:]
        )
        return noun or named or phrases.has_date(after)
    if verb == "move":
        return bool(after) and after[0] in (
            "to",
            "from",
            "abroad",
            "out",
            "back",
            "house",
            "in",
            "into",
        )
    if verb == "stop":
        return after[:1] in (["smoking"], ["drinking"], ["eating"], ["biting"], ["working"])
    return verb in lexicon.GOALS and (
        bool(after) or verb in ("travel", "retire", "emigrate", "volunteer")
    )


def wish(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I want to learn the cello", "I plan to retire at 60", "I need to renew my visa by May"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if after[:1] != ["to"] or len(after) < 2:
        return []
    if verb in ("need", "have"):
        allowed = (
            phrases.has_date(after)
            and not phrases.points(after)
            and not set(after) & lexicon.CODE_NOUNS
        )
        return (
            [Fact(person.third_person(clause), category="event", importance=0.7)] if allowed else []
        )
    if not goal(after[1:], clause[verb_at + 2 :]):
        return []
    return [Fact(person.third_person(clause), importance=0.6)]


def decision(clause: list[str], verb_at: int) -> list[Fact]:
    """ "We decided to use Postgres for billing"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    content = after[1:] if after[:1] == ["that"] else after
    if (
        phrases.points(content)
        or phrases.dangles(content)
        or phrases.momentary(after)
        or len(after) < 2
    ):
        return []
    named = phrases.has_name(clause[verb_at + 1 :]) or bool(lexicon.TOOLS & set(after))
    if verb in ("decided", "agreed") and after[0] in ("to", "on", "that", "against", "not", "we"):
        solid = (
            named
            or lowered[0] == "we"
            or phrases.has_date(after)
            or goal(after[1:], clause[verb_at + 2 :])
        )
    else:
        solid = named and after[0] in ("on", "to", "from", "the", "a") or named
    if not solid:
        return []
    team = bool(lexicon.TEAM_WORDS & set(lowered)) and not lexicon.HOME_WORDS & set(lowered)
    return [Fact(person.third_person(clause, team), category="decision", importance=0.8)]
