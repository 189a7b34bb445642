"""Whether what is said of a person or an animal lasts: "lives in Turin", not "is here"."""

from __future__ import annotations

from nosis.models.offline import (
    dates,
    lexicon,
    names,
    nouns,
    phrases,
    plans,
    traits,
    verbs,
    words,
    work,
)
from nosis.models.offline.phrases import Owned, Possessed

_REPORTING = lexicon.word_set("what how why whether if that")
_NEEDS_DETAIL = lexicon.word_set(
    """
    run use manage lead design sell make write build do go attend study want start finish retire
    take call believe handle move own train keep produce eat sleep look get know sit come need
    feed
    """
)
_MAKING = lexicon.word_set("sell design make write build study produce")
_FINAL = lexicon.word_set(
    """
    passed died retired graduated married emigrated grew became founded remarried divorced
    separated
    """
)
_PASSING = lexicon.word_set(
    """
    went gave left had got changed broke lost started ordered pushed
    """
)  # true for ever only with a date or a lasting object
_NAMED = lexicon.word_set("called named from based born scared afraid")
_PLACES = lexicon.word_set(
    """
    army navy military marines band university uni college school primary nursery kindergarten
    hospital charge year grade marketing sales finance accounting hr
    """
)
_SCHOOLS = lexicon.word_set("nursery kindergarten school university uni college")


def lasting(clause: list[str], at: int, phrase: Possessed) -> bool:
    """Whether the predicate at ``at`` says something lasting of ``phrase``."""
    lowered = words.low(clause)
    verb, after, written = lowered[at], lowered[at + 1 :], clause[at + 1 :]
    if verb in verbs.BE:
        return _state(clause, at, phrase)
    if verb in verbs.AUXILIARIES:
        return _with_auxiliary(verb, after)
    if _REPORTING & set(after[:2]):
        return False
    plain = verbs.base(verb)
    if plain in lexicon.TASTE:
        return bool(after) and (after[0] not in ("the", "to", "when", "how", "a") or len(after) > 1)
    if plain in lexicon.LASTING:
        return after[:1] != ["me"]  # "drives me mad"
    if plain in _NEEDS_DETAIL:
        return bool(after) and _detailed(plain, after, written)
    if verb == "used":
        return after[:1] == ["to"] and len(after) > 2
    if verb in lexicon.PAST:
        return _past(verb, after, written)
    return dates.is_habit(after) or (verb in verbs.present_third() and dates.has_date(after))


def _with_auxiliary(verb: str, after: list[str]) -> bool:
    if after[:1] == ["to"] and dates.has_date(after):
        return True  # "has to go to the vet on 3 May"
    if verb in ("has", "have", "had"):
        if after[:1] == ["been"] or (after and after[0] in lexicon.PAST):
            return bool({"since", "for"} & set(after)) or after[0] in lexicon.PAST
        return (
            "my" not in after
            and _known(after[:6], nouns.CONDITIONS | nouns.BODY)
            and not (set(after[:5]) & lexicon.EVALUATIONS)
        )
    denied = after[1] if after[:1] == ["not"] and len(after) > 1 else ""
    if verb in ("does", "do"):
        also = {"eat", "have", "own", "speak", "work"}
        return denied in lexicon.TASTE | lexicon.LASTING | also
    if verb == "can":
        return denied in ("eat", "drink", "stand", "have") and len(after) > 2
    return verb == "will" and dates.has_date(after)


def _known(found: list[str], more: frozenset[str] = frozenset()) -> bool:
    return any(phrases.kind_of(word) or word in more for word in found)


def _detailed(verb: str, after: list[str], written: list[str]) -> bool:
    named = phrases.has_name(written)
    dated = dates.has_date(after) or dates.is_habit(after)
    if verb in ("look", "get", "call", "know", "move", "sleep"):
        return dated or (verb == "call" and named and after[0] == "me")
    if verb == "want":
        return after[0] == "to" and plans.goal(after[1:], written[1:])
    known = _known(after, nouns.LIFE_NOUNS | nouns.ACTIVITIES)
    if verb == "go":
        return after[0] in ("to", "by") and (named or known or dated or bool(_SCHOOLS & set(after)))
    if named or dated or known:
        return True
    if after[0] in ("a", "an", "and"):
        return not set(after) & lexicon.EVALUATIONS
    return verb in _MAKING and after[0] not in ("the", "me", "sure")


def _past(verb: str, after: list[str], written: list[str]) -> bool:
    if verb in _FINAL:
        return True
    if verb == "turned":
        return dates.has_number(after[:1])
    named = phrases.has_name(written)
    known = _known(after, nouns.LIFE_NOUNS | nouns.BODY)
    dated = dates.has_date(after)
    if verb in ("moved", "relocated"):
        return bool(after) and after[0] in ("to", "from", "in", "into", "out") and (named or known)
    if verb in _PASSING:
        lasting = verb in ("got", "broke", "lost", "started", "had") and known
        return dated or lasting or (verb == "started" and named)
    return named or known or dated


def _state(clause: list[str], at: int, phrase: Possessed) -> bool:
    """Whether "… is X" holds for longer than a moment."""
    lowered = words.low(clause)
    start = at + 1
    while start < len(lowered) - 1 and lexicon.is_adverb(lowered[start]):
        start += 1
    after, written = lowered[start:], clause[start:]
    first = after[0]
    if first == "not":
        return traits.is_trait(after[1:])
    occupied = work.role_of(written) is not None or work.may_be_role(after)
    if lowered[at] in ("was", "were"):
        return first in ("born", "raised", "diagnosed", "promoted") or (
            first in ("a", "an") and occupied
        )
    if first in ("married", "engaged") or (first in _NAMED and len(after) > 1):
        return True
    if _counts_years(after) or traits.is_trait(after) or occupied:
        return True
    if phrases.is_name(written[0]) and first not in lexicon.EVALUATIONS:
        return written[0][:1].isupper() or first in names.FIRST_NAMES
    if first in ("a", "an", "my", "the"):
        return _noun(after, phrase)
    if first in ("in", "at"):
        return bool(_PLACES & set(after[1:4]))
    if first.endswith("ing"):
        return dates.has_date(after) or (
            first not in ("doing", "making", "getting")
            and bool(plans.ongoing(clause, start, whose="other"))
        ) or after[:2] == ["getting", "married"]  # fmt: skip
    return first in ("due", "on", "off", "away") and dates.has_date(after)


def _counts_years(after: list[str]) -> bool:
    if traits.is_age(after):
        return True
    counted = after[0].isdigit() or after[0] in lexicon.NUMBERS
    return counted and (len(after) == 1 or after[1] in ("years", "year", "months", "weeks"))


def _noun(after: list[str], phrase: Possessed) -> bool:
    if after[:3] == ["my", "best", "friend"]:
        return True
    if len(after) < 2 or set(after[:4]) & (lexicon.EVALUATIONS - {"mean"}):
        return False
    if phrase.kind is Owned.PET and after[0] in ("a", "an"):
        return True
    return _known(after) and not (
        phrase.kind is Owned.PERSON and any(phrases.kind_of(w) is Owned.PET for w in after)
    )  # "my brother is a snake"
