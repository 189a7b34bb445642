"""Who the user is: name, role, company, and what follows "I am"."""

from __future__ import annotations

import re

from nosis.models.offline import lexicon, names, person, phrases, words
from nosis.models.offline.facts import Fact

_TITLES = frozenset("dr dr. mr mr. mrs mrs. ms ms. prof prof. sir".split())
_PARTICLES = frozenset("de van von der den da di del la le al bin ibn o mac".split())
_NAME_WORD = re.compile(r"^[^\W\d_][\w'’.-]*$")
_AFTER_NAME = frozenset(", from and the a an but your new in at by here aka or - with".split())
_ROLE_ENDS = frozenset(
    "at for with from in who that , and but by of on since near based here".split()
)
_STOP_COMPANY = frozenset(
    """as in on since for and but , who that which from near where now as doing with because until
    after before to via full-time part-time fulltime remotely these currently building
    making designing managing leading monday tuesday wednesday thursday friday""".split()
)
_NO_COMPANY = frozenset(
    "home night work least all once school university college uni times sea large".split()
)
_AGE = re.compile(r"^(?:1[0-9]|[2-9][0-9]|10\d)$")
_YEARS_OLD = re.compile(r"^(\d{1,3})[- ]years?[- ]old ")
_SIZE = re.compile(r"^\d(?:'\d{0,2}\"?|ft)|^\d{3}cm$|^\d\.\d{1,2}m$")


def proper_name(clause: list[str], *, sure: bool) -> str | None:
    """The name that words open with; ``sure``: they follow "my name is"."""
    taken: list[str] = []
    for index, word in enumerate(clause[:6]):
        low = word.lower()
        if word == "," or not _NAME_WORD.match(word) and low not in _TITLES:
            break
        if low in _TITLES or (taken and low in _PARTICLES and index + 1 < len(clause)):
            taken.append(word)
            continue
        if (
            low in _AFTER_NAME
            or low in lexicon.NOT_NAMES
            and not (sure and word[:1].isupper() and taken)
        ):
            break
        plain = not word[:1].isupper()
        if plain and not (low in names.FIRST_NAMES or (sure and not taken) or
                          (taken and not taken[0][:1].isupper() and index == len(clause) - 1)):  # fmt: skip
            break
        if not sure and not taken and not _may_be_name(word, low):
            break
        taken.append(word if not plain else word.capitalize())
    while taken and (taken[-1].lower() in _PARTICLES | _TITLES):
        taken.pop()
    if not taken:
        return None
    rest = words.low(clause[len(taken) : len(taken) + 1])
    if rest and rest[0] not in _AFTER_NAME and not (sure and rest[0] in ("is", "too")):
        return None
    return " ".join(taken)


def _may_be_name(word: str, low: str) -> bool:
    if low in names.FIRST_NAMES:
        return True
    return not (
        low in lexicon.NATIONALITIES | lexicon.TRAITS | lexicon.ROLE_NOUNS | lexicon.TRAIT_NOUNS
        or low in lexicon.MONTHS | lexicon.WEEKDAYS | lexicon.EVALUATIONS
        or low.endswith(("ing", "ed", "ful", "less", "ious"))
        or (word.isupper() and len(word) > 1)
    )


def company(rest: list[str]) -> tuple[str | None, int]:
    """The employer that follows "at"/"for", and how many words it takes."""
    lowered = words.low(rest)
    start = 0
    for mark in ("called", "named"):
        if (
            mark in lowered[:8]
            and lowered[:1]
            and lowered[0] in ("a", "an", "the", "this", "our", "my")
        ):
            start = lowered.index(mark) + 1
    end = start
    while end < len(rest) and end - start < 5 and lowered[end] not in _STOP_COMPANY:
        if end > start and phrases.has_date(lowered[end : end + 1]):
            break
        end += 1
    taken = rest[start:end]
    if (
        not taken
        or lowered[start] in _NO_COMPANY
        or lowered[start].isdigit()
        or phrases.points(lowered[start:end])
    ):
        return None, 0
    if lowered[start] in ("a", "an", "my", "our", "his", "her", "some", "various", "myself", "several", "one", "two",
                          "different", "multiple", "many", "their"):  # fmt: skip
        return None, 0
    if lowered[start] == "the" and not any(word[:1].isupper() for word in taken):
        return None, 0
    return words.join(taken), end


def role_of(complement: list[str]) -> tuple[str, list[str]] | None:
    """("data engineer", the words after it) if a noun phrase names an occupation."""
    lowered = words.low(complement)
    start = 1 if lowered[:1] and lowered[0] in ("a", "an", "the") else 0
    end = start
    while end < len(lowered) and lowered[end] not in _ROLE_ENDS:
        end += 1
    # "head of marketing", "professor of law": "of" belongs to the title.
    if (
        end < len(lowered)
        and lowered[end] in ("of", "in")
        and end > start
        and _is_role(lowered[end - 1])
    ):
        further = end + 1
        while further < len(lowered) and lowered[further] not in _ROLE_ENDS and further - end < 5:
            further += 1
        if lowered[end] == "of":
            end = further
            phrase_head = lowered[start:end]
            if phrase_head and phrase_head[-1] in ("three", "two", "four", "five"):
                return None
            return words.join(complement[start:end]), complement[end:]
    phrase = lowered[start:end]
    if not phrase or len(phrase) > 6 or not _is_role(phrase[-1]) or phrase[0].endswith("ing"):
        return None
    if set(phrase) & (
        lexicon.EVALUATIONS - {"lead"} | lexicon.POINTERS | {"not", "no", "former", "ex"}
    ):
        return None
    return words.join(complement[start:end]), complement[end:]


def _is_role(noun: str) -> bool:
    if noun in lexicon.ROLE_NOUNS:
        return True
    if noun in lexicon.TRAIT_NOUNS | lexicon.KIN | lexicon.EVALUATIONS | lexicon.NOT_NAMES:
        return False
    return len(noun) > 6 and noun.endswith(("ologist", "grapher", "ician", "keeper", "maker", "smith", "iatrist",
                                            "wright", "therapist", "surgeon", "monger", "engineer", "dealer"))  # fmt: skip


def role_facts(complement: list[str]) -> list[Fact]:
    """Role, and company if "at …" follows, of "(I am / I work as) a nurse at …"."""
    found = role_of(complement)
    if found is None:
        return []
    role, rest = found
    facts = [Fact(role, field="role")]
    if old := _YEARS_OLD.match(role):
        facts = [Fact(role[old.end() :], field="role"), Fact(f"The user is {old[1]} years old")]
    lowered = words.low(rest)
    if lowered[:1] and lowered[0] in ("at", "for", "with"):
        employer, used = company(rest[1:])
        if employer:
            facts.append(Fact(employer, field="company"))
            rest = rest[1 + used :]
        else:
            if lowered[0] != "with":
                facts.append(Fact(person.third_person(["I", "work", *rest]), category="knowledge"))
            rest = []
    elif lowered[:1] == ["from"] and len(rest) > 1:
        facts.append(Fact(person.third_person(["I", "am", *rest])))
        rest = []
    if (place := words.low(rest)) and place[0] in (
        "in",
        "based",
        "since",
        "near",
        "for",
        "specialising",
        "specializing",
    ):
        facts.append(Fact(person.third_person(["I", "am", "a", *role.split(), *rest])))
    return facts


def is_age(lowered: list[str]) -> bool:
    """Whether words after "am"/"is" tell an age or a height."""
    if not lowered or not (
        _AGE.match(lowered[0]) or _SIZE.match(lowered[0]) or lowered[0].isdigit()
    ):
        return False
    rest = lowered[1:]
    if (
        _SIZE.match(lowered[0])
        or rest[:1]
        and rest[0] in ("cm", "kg", "tall", "metres", "meters", "feet", "foot")
    ):
        return True
    return (not rest and bool(_AGE.match(lowered[0]))) or rest[:2] in (["years", "old"], ["year", "old"]) or rest[:1] in (
        ["yo"], [","], ["and"])  # fmt: skip


def is_trait(lowered: list[str]) -> bool:
    """Whether words after "am"/"is" describe a lasting trait ("vegan", "allergic to nuts")."""
    at = 0
    while at < len(lowered) and lowered[at] in lexicon.ADVERBS | {
        "a",
        "an",
        "bit",
        "very",
        "pretty",
        "big",
        "huge",
        "total",
    }:
        at += 1
    article = "a" in lowered[:at] or "an" in lowered[:at]
    rest = lowered[at:]
    if not rest or phrases.points(rest) or phrases.momentary(rest):
        return False
    first = rest[0]
    if first in ("lactose", "gluten"):
        return "intolerant" in rest or "free" in rest
    if not article and (first in lexicon.TRAITS or first in lexicon.NATIONALITIES):
        return first not in ("straight", "short") or len(rest) == 1
    if not article and first in ("half", "part", "originally") and len(rest) > 1:
        return rest[1] in lexicon.NATIONALITIES
    if not article and first in lexicon.ATTITUDES:
        return _attitude(rest)
    noun = _trait_head(rest)
    bare = noun in (
        "fan",
        "user",
        "member",
        "supporter",
        "believer",
        "lover",
        "person",
        "bird",
        "native",
        "survivor",
    )
    return (
        noun in lexicon.TRAIT_NOUNS and (article or noun != "fan") and not (bare and len(rest) == 1)
    )


def _attitude(rest: list[str]) -> bool:
    link = {"into": "into", "allergic": "to", "intolerant": "to", "addicted": "to", "sensitive": "to", "fluent": "in",
            "interested": "in", "proficient": "in", "good": "at", "bad": "at", "terrible": "at", "great": "at",
            "keen": "on", "hooked": "on", "hopeless": "at"}  # fmt: skip
    first, after = rest[0], rest[1:]
    if first == "claustrophobic":
        return not after
    if first != "into":
        expected = (link.get(first), "about", "with", "of")
        if not after or after[0] not in expected or (link.get(first) and after[0] != link[first]):
            return False
        after = after[1:]
    if not after or after[0] in ("the", "my", "me", "him", "her", "them", "how", "what", "making", "all", "knowing",
                                 "hearing", "losing", "seeing", "getting", "buying", "being", "trouble", "doing"):  # fmt: skip
        return False
    return not (
        first in ("scared", "afraid", "terrified", "frightened") and after[0] in ("a", "an")
    )


def _trait_head(rest: list[str]) -> str:
    for index, word in enumerate(rest[:6]):
        if word in ("of", "and", "from", "at", "in", "with", "since", "who", ",", "to", "for"):
            return rest[index - 1] if index else ""
        if word in lexicon.EVALUATIONS:
            return ""
    return rest[-1] if len(rest) <= 6 else ""
