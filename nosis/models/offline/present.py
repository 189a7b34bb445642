"""What "I …" and "we …" say about now: homes, work, likes, habits."""

from __future__ import annotations

from nosis.models.offline import dates, lexicon, nouns, person, phrases, verbs, words, work
from nosis.models.offline.facts import Fact
from nosis.models.offline.phrases import Owned

_LIVE = lexicon.ADVERBS | lexicon.word_set(
    """
    in with on near alone at by next outside abroad between off close together under above
    """
)
_WORK = lexicon.word_set(
    """
    as in from on with nights part-time full-time remotely freelance shifts weekends days mostly
    two three four five first second third overtime mainly for at night mornings evenings
    """
)
_NO_TASTE = lexicon.word_set(
    """
    how when what why where that if the to about as i we a an him her them us me better more
    everything all so
    """
)
_NOT_TO = lexicon.word_set(
    """
    know see hear have get order ask thank be think say tell talk buy book understand point add
    share discuss mention request make find check use try start
    """
)
_SCENERY = lexicon.word_set(
    """
    sea ocean mountains beach rain outdoors smell sound taste snow cold heat summer winter
    autumn countryside forest city desert feeling colour color night dark sun silence quiet
    mountain woods piano violin guitar cello theatre theater opera gym
    """
)
_NO_HABIT = lexicon.word_set(
    """
    ask say think feel wonder mean guess know understand agree struggle receive hear try keep
    end appreciate expect assume find notice seem need want like love hate mind thought knew
    said felt am would could should never always no not just really so
    """
)
_NEEDS_MORE = lexicon.word_set("go do have get make take see call meet")
_VAGUE = lexicon.word_set("a few every each once twice all several usually often")
_JUDGED = lexicon.EVALUATIONS - {"up", "down", "early", "late", "long"}
_ASKING = lexicon.word_set("what how why which whether if who where whatever wherever")
_NEEDS_OBJECT = lexicon.word_set(
    """
    own rent earn wear support raise restore grow collect fear study teach speak play belong
    weigh practise practice breed brew
    """
)
_SKILLS = lexicon.word_set("speak know play use teach study")
_PRONOUNS = lexicon.word_set("they he she we i it you my the")
# Verbs that last with these objects, besides names, tools, known nouns and activities.
_OBJECTS = {
    "run": lexicon.word_set("marathons club charity shop bar agency consultancy"),
    "manage": lexicon.word_set("people engineers accounts"),
    "lead": lexicon.word_set("people engineers tours"),
    "keep": lexicon.word_set("diary journal kosher halal"),
    "train": lexicon.word_set("for at with people"),
    "take": lexicon.word_set(
    """
    vitamin metformin insulin antidepressants statins medication vitamins pills lessons classes
    supplements lithium ritalin
    """
),
    "host": frozenset(),
    "maintain": frozenset(),
}  # fmt: skip
_HELD = lexicon.word_set(
    """
    belt degree record passport licence license citizenship visa
    """
)
_SERVED = lexicon.word_set("coffee tea eggs steak whisky")  # "I take my coffee black"
_ERRANDS = lexicon.word_set(
    """
    test check bath risk errand query command program mile light fever temperature ship
    simulation
    """
)
_IDIOMS = lexicon.word_set("bargain mistake mistakes sleeve advocate not")
_NO_OBJECT = lexicon.word_set("the sure up out off on to down")


def taste(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I love hiking", "I do not like crowds": a preference of core memory."""
    after = words.low(clause[verb_at + 1 :])
    if not after or phrases.unclear(after):
        return []
    first, second = after[0], after[1] if len(after) > 1 else ""
    if first == "to":
        treated = second == "be" and after[2:3] and after[2].endswith("ed")  # "to be called Liz"
        solid = bool(second) and (second not in _NOT_TO or bool(treated))
    elif first in ("the", "a", "an"):
        scenery = second in _SCENERY or after[2:3] == ["of"]
        kind = first != "the" and len(after) > 2
        solid = scenery or kind or phrases.has_name(clause[verb_at + 2 :])
    elif first == "my":
        solid = len(after) > 2 or second == "job"
    else:
        solid = first not in _NO_TASTE
    return [person.preference(clause)] if solid else []


def lasting(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I live in Berlin", "I play the cello", "I run a bakery"."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if phrases.unclear(after):
        return []
    employed = verb in ("work", "freelance") and "no" not in lowered[:verb_at]
    if employed and (facts := work.employment(clause, verb_at)):
        return facts
    if not _lasts(verb, after):
        return []
    if verb in lexicon.LASTING_WITH_OBJECT and not _evident(clause, verb_at):
        return []
    facts = person.told(clause, "knowledge" if verb in _SKILLS else None, 0.6)
    return [*_led(clause, verb_at), *facts]


def _lasts(verb: str, after: list[str]) -> bool:
    first = after[0] if after else ""
    if verb == "live":
        return first in _LIVE
    if verb == "work":
        return first in _WORK or dates.is_habit(after)
    if verb in ("drive", "ride", "cycle") and first.isdigit():
        return "miles" not in after  # a sum, not a commute
    if verb in ("speak", "report"):
        return first not in ("", "with", "about", "for")
    if _IDIOMS & set(after) or (verb == "play" and first in ("along", "with")):
        return False
    if verb == "identify":
        return first == "as"
    if not first:
        return verb not in _NEEDS_OBJECT
    return first != "the" or not set(after[1:4]) & nouns.CODE_NOUNS


def _led(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I lead the data team at Fabrikam" also tells the employer."""
    lowered = words.low(clause)
    if lowered[verb_at] not in ("lead", "manage") or "at" not in lowered:
        return []
    employer, _ = work.company(clause[lowered.index("at") + 1 :])
    return [Fact(employer, field="company")] if employer and employer[:1].isupper() else []


def _evident(clause: list[str], verb_at: int) -> bool:
    """Whether the object of "use", "run", "make" is a lasting one."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    knows = verb == "know"
    doubts = _ASKING - {"how"} if knows else _ASKING
    judged = lexicon.EVALUATIONS - {"little", "bit"} if knows else lexicon.EVALUATIONS
    if not after or set(after) & (nouns.CODE_NOUNS | doubts | judged):
        return False
    if knows and after[0] in _PRONOUNS:
        return False
    if dates.is_habit(lowered):
        return not knows
    named = phrases.has_name(clause[verb_at + 1 :]) or bool(set(after) & nouns.TOOLS)
    if verb in ("use", "deploy", "know"):
        how = knows and after[:2] == ["how", "to"]
        thing = verb == "use" and any(phrases.kind_of(w) is Owned.THING for w in after)
        return named or how or thing
    if verb == "take" and after[0] == "my":
        return len(after) > 2 and after[1] in _SERVED
    if verb == "run" and after[0] in ("a", "an", "my", "our"):
        return not set(after) & _ERRANDS
    if verb in _OBJECTS:
        if after[0] == "to":
            return False
        listed = set(after) & (nouns.ACTIVITIES | _OBJECTS[verb])
        return named or bool(listed) or any(map(phrases.kind_of, after))
    if verb in ("hold", "do"):
        return bool(set(after) & (_HELD if verb == "hold" else nouns.ACTIVITIES))
    return after[0] not in _NO_OBJECT and not after[0][:1].isdigit()


def habit(clause: list[str], verb_at: int) -> list[Fact]:
    """Anything that the user does regularly."""
    lowered = words.low(clause)
    verb, after = lowered[verb_at], lowered[verb_at + 1 :]
    if not after or not dates.is_habit(lowered) or phrases.unclear(after):
        return []
    if verb in _NO_HABIT | verbs.AUXILIARIES or verb.endswith("ed") or not verb.isalpha():
        return []
    if verb in lexicon.PAST - verbs.present():
        return []
    if set(after) & (_ASKING | nouns.CODE_NOUNS | _JUDGED):
        return []
    if verb in _NEEDS_MORE and (len(after) == 1 or after[0] in _VAGUE):
        return []
    return person.told(clause, "event" if dates.has_date(after) else None)
