"""What a message asks memory for: topic words, whose words, which time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from nosis.memory import dates, tokenizer

# Words that greet, thank or agree: never a topic.
_COURTEOUS = """
hi hello hey hiya greetings thanks thank thx welcome bye goodbye cheers please sorry ok okay yes
yeah yep nope nah sure wow haha lol hmm oh ah ugh congrats hallo danke bitte tschüss hola gracias
adiós merci bonjour salut ciao grazie prego obrigado obrigada olá tack hej dank hoi привет спасибо
你好 您好 谢谢 好的 再见 早上好 晚安 好 谢 こんにちは ありがとう おはよう 안녕 안녕하세요 감사합니다
"""
# Words that small talk is made of, and that may be a topic in other company.
_CHATTY = """
great good nice cool awesome perfect wonderful amazing fine fun funny interesting lovely morning
afternoon evening night day today tonight later soon see well going doing go come help helped
helpful question questions tell know let lets start continue keep moment minute appreciate
appreciated job sense agree mind problem problems meet meeting call sound sounds test right exactly
really true correct happy glad weekend time one think guess got hear say joke name talk chat work
works done much lot many bit thing everything anything nothing wait stop back want need like love
rock best better bad new try man guys friend
"""
_COURTESY = frozenset(_COURTEOUS.split())
_CHAT = frozenset(_CHATTY.split())
# A message about the one who writes it is no small talk, whatever its words.
_OWN = re.compile(
    r"\b(?:my|mine|our|ours)\b"
    r"|^\W*(?:what|where|when|who|whom|which|how|do|did|have|had|am|was)\b.*\b(?:i|me|we|us)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)
_REPLY = re.compile(
    r"\b(?:did|had) you\b|\byour (?:advice|suggestion|recommendation|answer|reply|explanation)s?\b"
    r"|\byou (?:said|told|suggested|recommended|advised|mentioned|explained|proposed|gave|wrote|"
    r"showed|promised)\b",
    re.IGNORECASE,
)
# Asks to do something, as against asking what was.
_REQUEST = re.compile(
    r"^\W*(?:(?:please|so|ok|hi|hey|thanks)\W+)*(?:how (?:do|can|could|should|would|to)\b|"
    r"(?:can|could|would|will) you\b|(?:show|explain|help|write|give|make|create|suggest|recommend|"
    r"draft|teach|walk|fix|plan|find)\b|i(?:'m| am) (?:planning|looking|trying)\b|"
    r"i (?:want|need|would like)\b|i'd like\b|what \w+(?: \w+)* (?:would you|should i)\b|if i\b)",
    re.IGNORECASE,
)
_WAS = re.compile(
    r"\bI (?:brought|mentioned|said|told|asked|discussed|did|had|was|have|made|used|wanted)\b|"
    r"\bsummary\b|\bconversations?\b",
    re.IGNORECASE,
)
_ONE_QUESTION = re.compile(r"[^.!?\n]*[?？]\s*")
_ASKING = re.compile(
    r"\W*(?:(?:and|so|ok|hey|hi|hmm|please)\W+)*(?:what|when|where|who|whom|whose|which|why|how|do|"
    r"does|did|is|are|was|were|am|can|could|would|will|should|has|have|had)\b[^,;:]*$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
MAX_SENTENCES = 3  # of a message that are searched for by themselves
LONGEST = 4_000  # characters of a message that are searched for
_SHORT_QUESTION, _LONG_QUESTION = 10, 25  # words
_SHORTEST_NAME = 3  # letters of a nickname: "Mel" for Melanie
_OVERVIEW = re.compile(
    r"\bwhat (?:else )?(?:do|have|did) you (?:know|remember|stored?|saved?|learn(?:ed|t)?)"
    r"(?: (?:about|of) (?:me|us))?(?: so far)?\W*$|\b(?:everything|all|anything) (?:that )?you "
    r"(?:know|remember)(?: about (?:me|us))?\W*$|^who am i\W*$|"
    r"\b(?:list|show)(?: me)? (?:my|your|all|the)(?: my| the)? (?:memories|memory|facts)\b|"
    r"\btell me about (?:me|myself)\b"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A message as recall reads it."""

    text: str  # what is embedded: memories speak in the first person, so named speakers do too
    words: tuple[str, ...]  # of ``text`` that are terms
    groups: tuple[tuple[str, ...], ...]  # per word the terms it may stand for; () for no topic
    speakers: frozenset[str]  # names of speakers that the message asks about
    role: str | None  # "user" for I and my, "assistant" for what you said
    times: tuple[dates.Named, ...]  # that it names
    request: bool  # whether it asks to do something, rather than what was

    @property
    def terms(self) -> list[str]:
        """Every term that a memory may be found by."""
        return list(dict.fromkeys(term for group in self.groups for term in group))

    def words_in(self, terms: Iterable[str]) -> list[str]:
        """The message's words that stand for one of the terms."""
        held = set(terms)
        pairs = zip(self.words, self.groups, strict=True)
        return list(dict.fromkeys(word for word, group in pairs if not held.isdisjoint(group)))


def read(message: str, speakers: Iterable[str], languages: Iterable[str], now: float) -> Asked:
    """What a message asks for; one without any topic (small talk) has no terms.

    Args:
        speakers: names of those whose words the store holds.
        languages: of the texts in the store.
        now: POSIX seconds; "yesterday" counts from it.
    """
    text = tokenizer.normalise(message)
    named = _named(text, speakers)
    embedded = _in_first_person(text, named)
    found = tokenizer.spans(embedded)
    words = [embedded[term.start : term.end].casefold() for term in found]
    topical = has_topic(text) or bool(named and not _COURTESY.issuperset(words))
    groups = tokenizer.alternatives(embedded, languages) if topical else [()] * len(words)
    if named:
        role = None
    elif _REPLY.search(text):
        role = "assistant"
    else:
        role = "user" if _FIRST_PERSON.search(text) else None
    return Asked(
        embedded,
        tuple(words),
        tuple(() if w in _COURTESY else g for w, g in zip(words, groups, strict=True)),
        frozenset(name for names in named.values() for name in names),
        role,
        tuple(dates.named(text, datetime.fromtimestamp(now, UTC).date())),
        bool(_REQUEST.search(text)) and not _WAS.search(text),
    )


def brief(message: str) -> str:
    """What of a message is searched for: of a long one its beginning and its end.

    What a pasted text is about and what is asked of it stand there; each part has a half.
    """
    if len(message) <= LONGEST:
        return message
    half = LONGEST // 2
    return f"{message[:half]}\n{message[-half:]}"


def sentences(message: str) -> list[str]:
    """The sentences of a message of several that have a topic, those that ask first; else none."""
    split = [s for s in _SENTENCE_END.split(tokenizer.normalise(message)) if s.strip()]
    if len(split) < 2:
        return []
    topical = [sentence for sentence in split if has_topic(sentence)]
    return sorted(topical, key=lambda s: not s.rstrip().endswith(("?", "？")))[:MAX_SENTENCES]


def is_overview(message: str) -> bool:
    """Whether a message asks for all that is known, rather than for something in particular."""
    return bool(_OVERVIEW.search(tokenizer.normalise(message).casefold()))


def has_topic(message: str) -> bool:
    """Whether a message is more than greeting, thanks and small talk."""
    text = tokenizer.normalise(message)
    words = [text[term.start : term.end].casefold() for term in tokenizer.spans(text)]
    if re.sub(r"\W", "", text.casefold()) in _COURTESY or _COURTESY.issuperset(words):
        return False
    return bool(_OWN.search(text)) or not (_COURTESY | _CHAT).issuperset(words)


def _named(text: str, speakers: Iterable[str]) -> dict[str, list[str]]:
    """Names as the text writes them, each with the speakers that it means."""
    named: dict[str, list[str]] = {}
    for speaker in speakers:
        first = tokenizer.normalise(speaker).split(" ")[0]
        for name in {tokenizer.normalise(speaker), first}:
            if name and (
                found := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
            ):
                named.setdefault(found.group(), []).append(speaker.casefold())
        for word in re.findall(r"\b[^\W\d_]+", text):
            short = word[:1].isupper() and _SHORTEST_NAME <= len(word) < len(first)
            if short and first.casefold().startswith(word.casefold()):
                named.setdefault(word, []).append(speaker.casefold())
    return named


def _in_first_person(text: str, named: Iterable[str]) -> str:
    """The text with its speakers' names replaced by "I" and "my".

    Vectors of "When did Ada move?" are near whatever mentions Ada; those of "When did I move?"
    are near "I moved in May", which is what Ada said.
    """
    english = tokenizer.language(text) == tokenizer.DEFAULT_LANGUAGE
    for name in sorted(named, key=len, reverse=True):
        written = rf"(?<!\w){re.escape(name)}"
        text = re.sub(rf"{written}['’]s(?!\w)", "my" if english else "", text)
        text = re.sub(rf"{written}(?!\w)", "I" if english else "", text)
    return text


def only_asks(text: str) -> bool:
    """Whether a message is one question and tells nothing.

    "I moved to Turin in May, can you help me find a dentist?" tells much: a longer one must
    begin as questions do, and be of one piece.
    """
    words = len(text.split())
    if not _ONE_QUESTION.fullmatch(text):
        return False
    return words <= _SHORT_QUESTION or (words <= _LONG_QUESTION and bool(_ASKING.match(text)))
