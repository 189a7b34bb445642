"""Which fact a message takes back: "it's Turin, not Rome", "I moved", "forget that …"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nosis.memory.types import Entry, Kind, Recollection
from nosis.models.offline import concepts, gate, phrases, words
from nosis.models.offline.facts import Fact, tidy
from nosis.models.offline.known import Known

_FORGET = re.compile(
    r"^(?:please |can you |could you |you can |you may |i want you to |i would like you to |just )*"
    r"(?P<verb>forget|delete|remove|erase|drop|stop remembering|unlearn)"
    r"(?: please)? (?P<what>.+)$"
)
_LEAD = re.compile(
    r"^(?:(?P<all>everything|anything|all|what|whatever)(?: (?:that )?(?:you (?:know|have|stored|remember|saved)|i (?:said|told you)))?"
    r"(?: about| of| on)? |(?:the )?fact that |that |about |the (?:memory|note|entry) (?:about|that|of) |what i said about )+"
)
_FROM_MEMORY = re.compile(
    r"\b(?:memory|memories|remember|know about|told you|said about|fact that|note about)\b|^(?:that i|that my|my) "
)
_NOTHING = frozenset(
    (
        "it",
        "this",
        "that",
        "about it",
        "about that",
        "about this",
        "me",
        "what i said",
        "i asked",
        "you",
    )
)
_CONTRAST = re.compile(
    r"(?:^|\b)(?:it is|it was|is|i meant|i mean|that is|should be|sorry|make that|it should be|was|are|to)? ?"
    r"(?P<right>[^,;]+?),? (?:and )?not (?P<wrong>[^,;]+)$"
)
_LEAVING = re.compile(
    r"\b(?:no longer works? (?:at|for)|left|quit|resigned from|retired from|was (?:fired|laid off)(?: from)?|"
    r"lost their job|quit their job|(?:does|do) not work (?:at|for)|stopped working (?:at|for)|retired)\b"
)
_SLOTS = (
    (re.compile(r"^(The user(?:'s .+?)?)(?: [A-Z][\w'-]+)? (?:now |currently |still |recently )?(?:lives|moved|relocated|is based|is from)\b"), "home"),
    (re.compile(r"^(The user's .+?)(?: [A-Z][\w'-]+)? (?:works|now works)\b"), "work"),
    (re.compile(r"^(The user's favou?rite [\w ]+?) (?:is|are)\b"), "favourite"),
    (re.compile(r"^(The user's (?:[\w'-]+ )*?(?:birthday|deadline|anniversary|email|phone number|phone|address|number))\b"), "detail"),
    (re.compile(r"^(The user(?:'s [\w'-]+)?)(?: [A-Z][\w'-]+)? (?:is|turned) \d+"), "age"),
    (re.compile(r"^(The user's [\w -]+?)(?:'s name)? is (?:called |named )?[A-Z]"), "name"),
    (re.compile(r"^((?:The user's|The (?!user\b)) ?[\w' -]+?) (?:is|was|got|starts|ends|moved|has been)\b.*\b(?:on|at|to|by|until|for)\b"), "date"),
)  # fmt: skip
_ENDED = re.compile(r"^The user (?:does not|no longer) (\w+) (.+?)(?: anymore| any ?longer)?$")
_TASTE = re.compile(
    r"^(?:The user )?(?:really |no longer |also )*(?P<verb>likes|loves|enjoys|prefers|adores|hates|dislikes|detests|loathes|"
    r"does not (?:like|enjoy|love)(?: anymore)?|cannot stand) (?P<what>.+?)(?: anymore| any more| any longer)?$"
)


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of memory: a fact to file, what it replaces, or what to forget."""

    fact: Fact | None = None
    old: Known | None = None

    def lines(self) -> list[str]:
        """The directive lines."""
        if self.fact is None:
            return [_forget_line(self.old)] if self.old else []
        if self.old and self.old.entry and not self.fact.field:
            return [self.fact.directive(replaces=self.old.entry.id)]
        gone = [_forget_line(self.old)] if self.old else []
        return [*gone, self.fact.directive()]


def _forget_line(old: Known) -> str:
    if old.entry:
        return f"MEMORY_FORGET: {old.entry.id}"
    assert old.core
    return f"MEMORY_FORGET: {old.core[0]}: {old.core[1]}"


def to_forget(text: str, items: Sequence[Known]) -> tuple[str, list[Known], bool] | None:
    """What "forget …" asks for: its words, the facts that match, and whether all are meant.

    None where the message asks for no such thing.
    """
    for sentence in words.sentences(words.clean(text)):
        lowered = words.join(words.low(gate.strip_opening(words.tokens(sentence.text))))
        match = _FORGET.match(lowered)
        if not match or match["what"].strip(" .!") in _NOTHING or match["what"].startswith("to "):
            continue
        what = match["what"]
        if match["verb"] not in (
            "forget",
            "stop remembering",
            "unlearn",
        ) and not _FROM_MEMORY.search(what):
            continue
        lead = _LEAD.match(what)
        rest = re.sub(
            r"(?: from (?:your |my )?memory| please)+$", "", what[lead.end() :] if lead else what
        )
        if rest in ("me", "everything", "all", "it all", "about me", "") or what in (
            "everything",
            "all",
        ):
            return rest or what, [], True
        asked = concepts.concepts(rest)
        return rest, _matching(asked, rest, items), bool(lead and lead["all"])
    return None


def _matching(asked: list[str], rest: str, items: Sequence[Known]) -> list[Known]:
    if not asked:
        return []
    found = [
        item
        for item in items
        if not item.spoken
        and (item.entry or item.core)
        and all(concepts.matches(c, item.held) for c in asked)
    ]
    own = [item for item in found if item.about_user]
    # "forget my birthday" means the user's own, not a sister's.
    return own if own and not set(asked) & concepts.beings() else found


def resolve(facts: Sequence[Fact], items: Sequence[Known]) -> list[Edit]:
    """The edits that file these facts: new ones, and those that contradict a known one.

    A fact that is known already, word for word, gives none.
    """
    edits: list[Edit] = []
    for fact in facts:
        if any(not i.spoken and i.text.casefold() == fact.sentence().casefold() for i in items):
            continue
        old = _contradicted(fact, items)
        if old and not fact.field and (name := _lost_name(fact.text, old.text)):
            fact = replace(fact, text=fact.text.replace(name[0], f"{name[0]} {name[1]}", 1))
        edits.append(Edit(fact, old))
    return edits


def _contradicted(fact: Fact, items: Sequence[Known]) -> Known | None:
    if fact.field in ("name", "role", "company"):
        return None  # filing replaces the one value
    text = fact.sentence()
    if _LEAVING.search(text) and text.startswith("The user "):
        employer = next((i for i in items if i.core and i.core[0] == "company"), None)
        named = employer and employer.core and employer.core[1].lower() in text.lower()
        if employer and (named or re.search(r"their job|\bretired$|laid off$|fired$", text)):
            return employer
    if taste := _TASTE.match(text):
        return _opposite(taste, items)
    if ended := _ENDED.match(text):
        asked = concepts.concepts(f"{ended[1]} {ended[2]}")
        same = [
            i
            for i in items
            if not i.spoken and not i.negative and i.about_user and set(asked) <= i.held
        ]
        if len(same) == 1 and (same[0].entry or same[0].core):
            return same[0]
    for pattern, slot in _SLOTS:
        if match := pattern.match(text):
            same = [
                i
                for i in items
                if not i.spoken
                and i.entry
                and (m := pattern.match(i.text))
                and _same(match, m, slot)
            ]
            if slot == "date":
                same = [
                    i
                    for i in same
                    if phrases.has_date(i.text.lower().split())
                    and phrases.has_date(text.lower().split())
                ]
            if len(same) == 1 and _details(match, text) != _details(match, same[0].text):
                return same[0]
            if same:
                return None
    return None


def _lost_name(new: str, old: str) -> tuple[str, str] | None:
    """("The user's sister", "Mara") where only the old text names her."""
    match = re.match(r"(The user's [a-z-]+) ([A-Z][\w'-]+) [a-z]", old)
    return (
        (match[1], match[2])
        if match and new.startswith(f"{match[1]} ") and match[2] not in new
        else None
    )


def _same(new: re.Match[str], old: re.Match[str], slot: str) -> bool:
    if new[1].casefold() != old[1].casefold():
        return False
    # Two sisters with different names are two people.
    names = [re.findall(r"\b[A-Z][\w'-]+", m[0].replace("The user", "", 1)) for m in (new, old)]
    return slot == "name" or not (names[0] and names[1] and names[0] != names[1])


def _details(match: re.Match[str], text: str) -> str:
    return text[match.end(1) :].casefold()


def _opposite(taste: re.Match[str], items: Sequence[Known]) -> Known | None:
    negative = bool(re.match(r"hates|dislikes|detests|loathes|does not|cannot", taste["verb"]))
    for item in items:
        old = None if item.spoken else _TASTE.match(item.text)
        if old and old["what"].casefold() == taste["what"].casefold():
            opposed = negative != bool(
                re.match(r"hates|dislikes|detests|loathes|does not|cannot", old["verb"])
            )
            return item if opposed else None
    return None


def contrast(text: str) -> tuple[str, str] | None:
    """("turin", "rome") from "actually it's Turin, not Rome", with the user's letters."""
    for sentence in words.sentences(words.clean(text)):
        if sentence.end == "?":
            continue
        tokens = gate.strip_opening(words.tokens(sentence.text))
        if len(tokens) > 14 or not tokens:
            continue
        joined = words.join(tokens)
        match = _CONTRAST.search(joined)
        if match and len(match["wrong"].split()) <= 4 and len(match["right"].split()) <= 5:
            return match["right"].strip(), match["wrong"].strip()
    return None


def swap(right: str, wrong: str, items: Sequence[Known], earlier: Sequence[Fact]) -> Edit | None:
    """The one known fact that says ``wrong``, with ``right`` in its place."""
    pattern = re.compile(rf"(?<!\w){re.escape(wrong)}(?!\w)", re.IGNORECASE)
    holders = [i for i in items if not i.spoken and (i.entry or i.core) and pattern.search(i.text)]
    if len(holders) == 1:
        item = holders[0]
        if item.core:
            return Edit(Fact(pattern.sub(lambda _: right, item.core[1]), field=item.core[0]),
                        item if item.core[0] == "preference" else None)  # fmt: skip
        text = tidy(pattern.sub(lambda _: right, item.text))
        return Edit(Fact(text), item) if text else None
    if holders:
        return None
    said = [fact for fact in earlier if pattern.search(fact.text)]
    if len(said) != 1:
        return None
    return Edit(replace(said[0], text=pattern.sub(lambda _: right, said[0].text)))


def said(what: str, recalled: Sequence[Recollection]) -> list[Entry]:
    """The recalled turns that say what is to be forgotten: they would bring it back."""
    asked = concepts.concepts(what)
    turns = [hit.entry for hit in recalled if hit.entry.kind is Kind.TURN]
    return [entry for entry in turns if all(c in concepts.concepts(entry.text) for c in asked)]
