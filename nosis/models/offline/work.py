"""Roles and employers: "a nurse at St Thomas'", "I work for Initech as …"."""

from __future__ import annotations

import re

from nosis.models.offline import dates, lexicon, nouns, person, phrases, words
from nosis.models.offline.facts import Fact

_ROLE_ENDS = lexicon.word_set(
    """
    at for with from in who that , and but by of on since near based here
    """
)
_COMPANY_ENDS = lexicon.word_set(
    """
    as in on since for and but , who that which from near where now as doing with because until
    after before to via full-time part-time fulltime remotely these currently building making
    designing managing leading monday tuesday wednesday thursday friday
    """
)
_NO_COMPANY = lexicon.word_set(
    """
    home night work least all once school university college uni times sea large a an my our his
    her some various myself several one two different multiple many their over about almost
    nearly around more decades years ages long ever free money profit fun charity years me us
    """
)
_ARTICLES = ("a", "an", "the", "this", "our", "my")
_OWNED = frozenset(["my", "own", "this", "that", "your", "everything"])
_MODES = lexicon.ADVERBS | {"part-time", "full-time", "remotely", "freelance", "now", ","}
_PLACED = lexicon.word_set("in based since near for specialising specializing")
_NOT_A_ROLE = (lexicon.EVALUATIONS - {"lead"}) | lexicon.POINTERS | {"not", "no", "former", "ex"}
_PASSING = lexicon.word_set(
    """
    beginner stranger monster disaster computer loser winner joker quitter newcomer outsider
    customer user visitor buyer caller reader cheater
    """
)
_NO_ROLE_NOUN = lexicon.TRAIT_NOUNS | nouns.KIN | lexicon.EVALUATIONS | lexicon.NOT_NAMES
_ROLE_ENDINGS = tuple(
    lexicon.word_set(
        """
    ologist grapher ician keeper maker smith iatrist wright therapist surgeon monger engineer
    dealer
    """
    )
)
_PERSON_ENDINGS = ("er", "or", "ist", "eer", "man", "woman")
_YEARS_OLD = re.compile(r"^(\d{1,3})[- ]years?[- ]old ")
_MAX_ROLE, _MAX_COMPANY = 6, 5  # words


def company(rest: list[str]) -> tuple[str | None, int]:
    """The employer that follows "at"/"for", and how many words it takes."""
    lowered = words.low(rest)
    start = 0
    for mark in ("called", "named"):
        if mark in lowered[:8] and lowered[0] in _ARTICLES:
            start = lowered.index(mark) + 1
    end = start
    while end < len(rest) and end - start < _MAX_COMPANY and lowered[end] not in _COMPANY_ENDS:
        if end > start and dates.has_date(lowered[end : end + 1]):
            break
        end += 1
    taken = rest[start:end]
    if not taken or lowered[start] in _NO_COMPANY or dates.has_number(lowered[start : start + 1]):
        return None, 0
    unnamed = lowered[start] == "the" and not any(word[:1].isupper() for word in taken)
    if unnamed or phrases.points(lowered[start:end]):
        return None, 0
    return words.join(taken), end


def role_of(complement: list[str]) -> tuple[str, list[str]] | None:
    """("data engineer", the words after it) if a noun phrase names an occupation."""
    lowered = words.low(complement)
    start = 1 if lowered[:1] and lowered[0] in ("a", "an", "the") else 0
    end = _until(lowered, start, len(lowered))
    phrase = lowered[start:end]
    if not phrase or not _is_role(phrase[-1]) or phrase[0].endswith("ing"):
        return None
    if lowered[end : end + 1] == ["of"]:  # "head of marketing"
        end = _until(lowered, end + 1, end + _MAX_ROLE)
        if lowered[end - 1] in lexicon.NUMBERS:
            return None  # "the manager of two"
        if set(lowered[start:end]) & _OWNED:
            return None  # "the manager of my own chaos"
    elif len(phrase) > _MAX_ROLE or set(phrase) & _NOT_A_ROLE:
        return None
    return words.join(complement[start:end]), complement[end:]


def _until(lowered: list[str], start: int, stop: int) -> int:
    end = start
    while end < min(len(lowered), stop) and lowered[end] not in _ROLE_ENDS:
        end += 1
    return end


def _is_role(noun: str) -> bool:
    if noun in nouns.ROLE_NOUNS:
        return True
    return noun not in _NO_ROLE_NOUN and len(noun) > 6 and noun.endswith(_ROLE_ENDINGS)


def may_be_role(lowered: list[str]) -> bool:
    """Whether "a coal miner" looks like an occupation that the rules do not know."""
    end = _until(lowered, 1, _MAX_ROLE)
    held = lowered[:1] == ["the"] and lowered[end : end + 1] in (["of"], ["at"])
    if not held and lowered[:1] not in (["a"], ["an"]):
        return False
    phrase = lowered[1:end]
    if _OWNED & set(lowered[end : end + 4]):
        return False
    if not phrase or set(phrase) & (_NOT_A_ROLE | lexicon.NOT_NAMES | nouns.CODE_NOUNS):
        return False
    noun = phrase[-1]
    if noun in _PASSING:
        return False
    return len(noun) > 4 and noun.endswith(_PERSON_ENDINGS) and noun not in _NO_ROLE_NOUN


def role_facts(complement: list[str]) -> list[Fact]:
    """Role, and company if "at …" follows, of "(I am / I work as) a nurse at …"."""
    found = role_of(complement)
    if found is None:
        return []
    role, rest = found
    facts = [Fact(role, field="role")]
    if old := _YEARS_OLD.match(role):
        facts = [Fact(role[old.end() :], field="role"), Fact(f"The user is {old[1]} years old")]
    mark = rest[0].lower() if rest else ""
    if mark in ("at", "for", "with"):
        employer, used = company(rest[1:]) if len(rest) > 1 else (None, 0)
        if employer:
            facts.append(Fact(employer, field="company"))
        elif mark != "with":
            facts.extend(person.told(["I", "work", *rest], "knowledge"))
        rest = rest[1 + used :] if employer else []
    elif mark == "from" and len(rest) > 1:
        facts.extend(person.told(["I", "am", *rest]))
        rest = []
    if rest and rest[0].lower() in _PLACED:
        facts.extend(person.told(["I", "am", "a", *role.split(), *rest]))
    return facts


def employment(clause: list[str], verb_at: int) -> list[Fact]:
    """ "I work as a nurse at St Thomas'": role and company, and the rest if there is more."""
    rest = clause[verb_at + 1 :]
    facts: list[Fact] = []
    filled: set[str | None] = set()
    more, direct = False, True  # direct: only adverbs, a role or an employer so far
    while rest:
        mark, tail = rest[0].lower(), rest[1:]
        if mark in ("at", "for") and direct and "company" not in filled:
            employer, used = company(tail) if tail else (None, 0)
            if not employer or (mark == "for" and not phrases.has_name([employer])):
                return facts  # "for peanuts" names no employer
            facts.append(Fact(employer, field="company"))
            rest = tail[used:]
        elif mark == "as" and direct and "role" not in filled:
            found = role_of(tail) or _any_role(tail)
            if not found:
                return facts
            facts.append(Fact(found[0], field="role"))
            rest = found[1]
        else:
            more = more or mark not in (",", "currently", "now")
            direct = direct and mark in _MODES
            rest = tail
        filled = {fact.field for fact in facts}
    return [*facts, *person.told(clause, "knowledge")] if facts and more else facts


def _any_role(tail: list[str]) -> tuple[str, list[str]] | None:
    # After "work as a" any noun phrase is the role, known or not.
    if words.low(tail[:1]) not in (["a"], ["an"]):
        return None
    end = _until(words.low(tail), 1, len(tail))
    return (words.join(tail[1:end]), tail[end:]) if 1 < end <= _MAX_ROLE else None
