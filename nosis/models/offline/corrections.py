"""Which known fact a message takes back: "it's Turin, not Rome", "I moved", "not any more"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nosis.models.offline import concepts, lexicon, openings, verbs, words
from nosis.models.offline.edits import Edit
from nosis.models.offline.facts import Fact, tidy
from nosis.models.offline.known import Known

_MARKED = re.compile(
    r"\b(?:actually|instead|correction|sorry|not|now|changed|moved|pushed|postponed|rescheduled|extended|shifted|"
    r"wrong|meant|no)\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"^I (?:said|wrote|told you)(?: it is| it was| on| in)? (?P<wrong>[^,]+?),? but "
    r"(?:it is|actually|I meant)(?: on| in)? (?P<right>[^,]+?)(?:,| since| now|$)"
)
_BEFORE_VALUE = lexicon.word_set("be mean meant in on at to by from with for sorry no that it")
_MEANING = lexicon.word_set("mean meant make")
_PASSING = lexicon.word_set("now actually instead , and but")
_LEAVING = re.compile(
    r"^The user (?:.*\b)?(?:no longer works? (?:at|for)|left|quit|resigned from|retired|"
    r"was (?:fired|laid off)|lost their job|does not work (?:at|for)|stopped working (?:at|for))\b"
)
_LEFT_JOB = re.compile(r"their job\b|\b(?:retired|laid off|fired)$")
_LONG_AGO = re.compile(r"\b(?:1[89]|20)\d\d\b|\bago\b|\bwhen they\b|\bas a (?:child|kid)\b")
_ENDED = re.compile(
    r"^The user (?:does not|no longer) (?P<what>\w+ .+?)(?: anymore| any ?longer| any more)?$"
)
_NEGATIVE = re.compile(r"(?:hates|dislikes|detests|loathes|does not|cannot)\b")
_TASTE = re.compile(
    r"^The user (?:really |no longer )*(?P<verb>likes|loves|enjoys|prefers|adores|hates|dislikes|"
    r"detests|loathes|does not (?:like|enjoy|love)|cannot (?:stand|bear)) (?P<what>.+?)"
    r"(?: anymore| any more| any longer)?$"
)
_NAME = r"(?: [A-Z][\w'-]+)?"
# What can be said of someone only once, after the subject (group 1) and a name.
_ONCE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(The user(?:'s .+?)?){_NAME} (?:now |currently |still |recently )?"
        r"(?:lives|moved|relocated|is based)\b",
        rf"^(The user(?:'s .+?)?){_NAME} (?:is|comes) from\b",
        rf"^(The user's .+?){_NAME} (?:now )?works\b",
        r"^(The user's favou?rite [\w ]+?) (?:is|are)\b",
        r"^(The user's (?:[\w'-]+ )*?(?:birthday|anniversary|email|phone number|phone|address|"
        r"number))\b",
        r"^(The (?:user's )?(?:[\w'-]+ )*?deadline(?: (?:for|of) .+?)?) (?:is|was|falls|moved)\b",
        rf"^(The user(?:'s [\w'-]+)?){_NAME} (?:is|turned) \d+",
    )
)
# What may well be said twice (two dogs, two meetings): taken back only where it is corrected.
_CORRECTED = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(The user's [\w -]+?)(?:'s name)? is (?:called |named )?[A-Z]",
        r"^(The user's [\w' -]+?|The (?!user\b)[\w' -]+?) "
        r"(?:is|was|got|starts|begins|ends|leaves|departs|arrives|opens|closes|moved|has been)\b"
        r".*\b(?:on|at|to|by|until|for)\b",
    )
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".replace(" ", "|")
_DAYS = "mon tues wednes thurs fri satur sun".replace(" ", "|")
_DATE = re.compile(
    rf"\b(?:(?:{_DAYS})day,? )?"
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})[a-z]*|(?:{_MONTHS})[a-z]* "
    rf"\d{{1,2}}(?:st|nd|rd|th)?|the \d{{1,2}}(?:st|nd|rd|th)|(?:{_DAYS})days?)\b",
    re.IGNORECASE,
)
_SHIFTED = re.compile(r"\b(?:moved|pushed|postponed|rescheduled|extended|delayed|changed)\b")
_TAKES_BACK = re.compile(r"\W*(?:no|sorry|actually|correction|wait|oops)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:at )?(?:\d{1,2}:\d\d|\d{1,2}(?::\d\d)? ?[ap]m|noon|midnight)\b", re.IGNORECASE
)
_NEW = re.compile(r"^(The user's (?:[\w'-]+ )?)new (?=[a-z])")
_SCHEDULED = re.compile(
    r"^((?:The|My|Our) .+?|[A-Z]\w*(?: \w+){0,2}?) (?:is|are|was|got|has|have|starts|begins|leaves|"
    r"moved|meets|takes place|happens|opens|closes)\b"
)


def resolve(facts: Sequence[Fact], items: Sequence[Known], message: str) -> list[Edit]:
    """The edits that file these facts: new ones, and those that contradict a known one.

    A fact that is known already, word for word, gives none.
    """
    edits: list[Edit] = []
    pair = contrast(message)
    marked = bool(_MARKED.search(message[: words.ANALYSED_CHARS]))
    for fact in facts:
        sentence = fact.sentence()
        if any(not i.spoken and i.text.casefold() == sentence.casefold() for i in items):
            continue
        old = None if fact.field in ("name", "role", "company") else _old(sentence, items, marked)
        plain = _NEW.sub(r"\1", sentence) if old is None else ""
        if plain != sentence and plain:
            old = _old(plain, items, True)  # "my new boss is Marcus" takes the old boss's place
        edit = Edit(_with_name(replace(fact, text=plain) if old and plain else fact, old), old)
        if old is None and not fact.field:
            shifts = _SHIFTED.search(sentence) or _TAKES_BACK.match(message)
            denied = _denied(fact, pair, items) if pair else None
            edit = denied or (_rescheduled(sentence, items) if shifts else None) or edit
        edits.append(edit)
    return edits


def _subject(text: str) -> set[str]:
    """What a sentence speaks of: the concepts before its verb."""
    match = _SCHEDULED.match(text)
    return set(concepts.concepts(match[1])) if match else set()


def _denied(fact: Fact, pair: Contrast, items: Sequence[Known]) -> Edit | None:
    """The one fact about the same that says what is denied: "3800 euros, not 4200"."""
    about = _subject(fact.text)
    pattern, said = _holding(pair.wrong, items)
    if not about:  # "going to Porto, not Lisbon" leaves "in May" as it was
        alike = [i for i in said if pattern.split(i.text)[0] == fact.text.split(pair.right)[0]]
        return _swapped(alike[0], pattern, pair.right) if len(alike) == 1 else None
    said = [item for item in said if item.entry and about and about <= item.held]
    if len(said) != 1:
        return None
    one_word = " " not in pair.right  # "950, not 900" leaves "euros" as it was
    return _swapped(said[0], pattern, pair.right) if one_word else Edit(fact, said[0])


def _rescheduled(text: str, items: Sequence[Known]) -> Edit | None:
    """ "The wedding moved to 28 June" changes the day in "The user is getting married on …"."""
    about, days = _subject(text), _DATE.findall(text)
    if not about or len(days) != 1:
        return None
    same = [
        item
        for item in items
        if item.entry and not item.spoken and about <= item.held and item.text != text
        and len(_DATE.findall(item.text)) == 1
    ]  # fmt: skip
    if len(same) != 1:
        return None
    edit, time = _swapped(same[0], _DATE, days[0]), _TIME.search(text)
    if edit is None or edit.fact is None or time is None:
        return edit  # another day, at the same time
    told = edit.fact.text
    at = time[0] if _TIME.search(told) else f"{days[0]} {time[0]}"
    return replace(edit, fact=Fact((_TIME if _TIME.search(told) else _DATE).sub(at, told, count=1)))


def moved(message: str, items: Sequence[Known]) -> list[Edit]:
    """ "Tennis is on Thursdays now", where the sentence by itself tells nothing of the user."""
    said = [words.join(openings.strip(words.tokens(s.text))) for s in words.sentences(message)]
    marked = [s for s in said if _SHIFTED.search(s) or s.endswith((" now", " instead"))]
    found = (_rescheduled(text[:1].upper() + text[1:], items) for text in marked)
    return [edit for edit in found if edit]


def _old(text: str, items: Sequence[Known], marked: bool) -> Known | None:
    """The known thing that a new sentence contradicts, if it is clearly one."""
    facts = [item for item in items if not item.spoken]
    if _LEAVING.match(text) and (employer := _employer(text, facts)):
        return employer
    if taste := _TASTE.match(text):
        return _opposite(taste, facts)
    if ended := _ENDED.match(text):
        asked = set(concepts.concepts(ended["what"]))
        same = [i for i in facts if i.about_user and not i.negative and asked <= i.held]
        return same[0] if len(same) == 1 else None
    if _LONG_AGO.search(text):
        return None
    for pattern in (*_ONCE, *(_CORRECTED if marked else ())):
        if new := pattern.match(text):
            held = [(i, m) for i in facts if i.entry and (m := pattern.match(i.text))]
            same = [
                i for i, m in held if _same(new, m) and i.text[m.end(1) :] != text[new.end(1) :]
            ]
            return same[0] if len(same) == 1 else None
    return None


def _employer(text: str, facts: Sequence[Known]) -> Known | None:
    for item in facts:
        if item.core and item.core[0] == "company":
            named = item.core[1].lower() in text.lower()
            return item if named or _LEFT_JOB.search(text) else None
    return None


def _same(new: re.Match[str], old: re.Match[str]) -> bool:
    """Whether two sentences have one subject: sisters with different names are two people."""
    one, other = (m[1].casefold().replace("the user's", "the") for m in (new, old))
    if one != other:  # "the launch" is "the user's launch"
        return False
    mine, theirs = (re.findall(r"\b[A-Z][\w'-]+", m[0][m.end(1) :]) for m in (new, old))
    return not (mine and theirs and mine != theirs) or new.re in _CORRECTED


def _with_name(fact: Fact, old: Known | None) -> Fact:
    """ "The user's sister" with the name that only the old sentence gives her."""
    match = re.match(r"(The user's [a-z-]+) ([A-Z][\w'-]+) [a-z]", old.text) if old else None
    if not match or fact.field or not fact.text.startswith(f"{match[1]} ") or match[2] in fact.text:
        return fact
    return replace(fact, text=fact.text.replace(match[1], f"{match[1]} {match[2]}", 1))


def _opposite(taste: re.Match[str], facts: Sequence[Known]) -> Known | None:
    negative = bool(_NEGATIVE.match(taste["verb"]))
    for item in facts:
        old = _TASTE.match(item.text)
        if old and old["what"].casefold() == taste["what"].casefold():
            return item if negative != bool(_NEGATIVE.match(old["verb"])) else None
    return None


@dataclass(frozen=True, slots=True)
class Contrast:
    """("Turin", "Rome", {sister, live}) of "my sister lives in Turin, not Rome"."""

    right: str
    wrong: str
    about: frozenset[str]  # concepts of what stands before


def contrast(text: str) -> Contrast | None:
    """What a message says is right, and what it says is not."""
    for sentence in words.sentences(words.clean(text)):
        tokens = openings.strip(words.tokens(sentence.text))
        lowered = words.low(tokens)
        if said := _SAID.match(words.join(tokens)):  # "I said Monday but it's Friday"
            tokens = [*words.tokens(said["right"]), ",", "not", *words.tokens(said["wrong"])]
            lowered = words.low(tokens)
        if sentence.end == "?" or not 0 < len(tokens) <= 16 or "not" not in lowered[1:]:
            continue
        at = len(lowered) - 1 - lowered[::-1].index("not")
        left, start = tokens[:at], at + 1
        while left and left[-1].lower() in _PASSING:
            left = left[:-1]
        while start < len(tokens) and lowered[start] in _BEFORE_VALUE:
            start += 1
        begin = 1 + max(
            (i for i, word in enumerate(words.low(left)) if _opens_value(word)), default=-1
        )
        right, wrong = left[begin:], tokens[start:]
        if 0 < len(right) <= 5 and 0 < len(wrong) <= 4 and "," not in [*right, *wrong]:
            about = frozenset(concepts.concepts(words.join(left[:begin]))) - _MEANING
            return Contrast(*_one_day(words.join(right), words.join(wrong)), about)
    return None


def _opens_value(word: str) -> bool:
    return word in _BEFORE_VALUE or verbs.is_finite(word)


def _one_day(right: str, wrong: str) -> tuple[str, str]:
    """Days in the singular, since "every Tuesday" is what "not Tuesdays" denies."""
    if right.lower().endswith("days") and wrong.lower().endswith("days"):
        return right[:-1], wrong[:-1]
    return right, wrong


def swap(pair: Contrast, items: Sequence[Known], earlier: Sequence[Fact]) -> Edit | None:
    """The one known fact that says what is wrong, with what is right in its place.

    Args:
        earlier: facts of the user's last message, where none that is known says it.
    """
    pattern, holders = _holding(pair.wrong, items)
    holders = [item for item in holders if not pair.about or pair.about & item.held]
    if len(holders) == 1:
        return _swapped(holders[0], pattern, pair.right)
    said = [fact for fact in earlier if pattern.search(fact.text)]
    if holders or len(said) != 1:
        return None
    return Edit(replace(said[0], text=pattern.sub(lambda _: pair.right, said[0].text)))


def _holding(wrong: str, items: Sequence[Known]) -> tuple[re.Pattern[str], list[Known]]:
    """The facts that say some words, and how to find these in them."""
    plural = "s?" if wrong.endswith("day") else ""
    pattern = re.compile(rf"(?<!\w){re.escape(wrong)}(?={plural}(?!\w))", re.IGNORECASE)
    return pattern, [i for i in items if not i.spoken and pattern.search(i.text)]


def _swapped(item: Known, pattern: re.Pattern[str], right: str) -> Edit | None:
    if item.core:
        field, value = item.core
        if field == "name" and value[:1].isupper():
            right = f"{right[:1].upper()}{right[1:]}"
        fact = Fact(pattern.sub(lambda _: right, value), field=field)
        return Edit(fact, item if field == "preference" else None)
    text = tidy(pattern.sub(lambda _: right, item.text))
    return Edit(Fact(text), item) if text else None
