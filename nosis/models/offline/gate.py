"""Which sentences may hold facts: no questions, commands, hypotheses or reported speech."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nosis.models.offline import lexicon, words
from nosis.models.offline.words import QUOTED, Sentence

_FILLERS = frozenset(
    [
        "hi",
        "hello",
        "hey",
        "hiya",
        "heya",
        "yo",
        "ok",
        "okay",
        "so",
        "well",
        "oh",
        "ah",
        "aha",
        "um",
        "uh",
        "hmm",
        "and",
        "also",
        "btw",
        "fyi",
        "anyway",
        "anyways",
        "actually",
        "honestly",
        "yes",
        "no",
        "nope",
        "yeah",
        "yep",
        "yup",
        "sure",
        "thanks",
        "thx",
        "cheers",
        "sorry",
        "please",
        "plus",
        "but",
        "ps",
        "p.s",
        "right",
        "great",
        "cool",
        "nice",
        "wow",
        "ha",
        "haha",
        "lol",
        "ugh",
        "alright",
        "look",
        "listen",
        "basically",
        "wait",
        "update",
        "reminder",
        "correction",
        "quick",
        "additionally",
        "furthermore",
        "moreover",
        "morning",
        "evening",
        "afternoon",
        "there",
        "nosis",
        "all",
        "everyone",
        "again",
        "too",
        "clearly",
        "then",
        "ooh",
        "oops",
        "whoops",
        "erm",
        "frankly",
        "incidentally",
        "guess",
    ]
)
_PHRASES = tuple(
    phrase.split()
    for phrase in [
        "by the way",
        "for the record",
        "in case it matters",
        "in case you wonder",
        "to be honest",
        "fun fact",
        "good news",
        "bad news",
        "quick update",
        "small update",
        "just so you know",
        "for your information",
        "for context",
        "some context",
        "a bit about me",
        "a little about me",
        "about me",
        "bit about me",
        "some background",
        "for background",
        "as for me",
        "for reference",
        "for future reference",
        "one more thing",
        "another thing",
        "nice to meet you",
        "good morning",
        "good evening",
        "good afternoon",
        "thank you",
        "of course",
        "as i said",
        "like i said",
        "as you know",
        "i should mention that",
        "i should mention",
        "i should say that",
        "i forgot to mention that",
        "i forgot to mention",
        "i forgot to say that",
        "let me introduce myself",
        "let me tell you that",
        "guess what",
        "long story short",
        "in fact",
        "you should know that",
        "you should know",
        "just to let you know",
        "it turns out that",
        "turns out that",
        "turns out",
        "thing is",
        "the thing is",
        "i have to say",
        "i must say",
        "to introduce myself",
        "i forgot to say",
        "not sure if i mentioned it but",
        "for what it is worth",
        "i want you to know that",
        "just wanted to say that",
        "i wanted to tell you that",
        "i also wanted to mention that",
        "as of today",
        "as of now",
        "at the moment",
        "these days",
        "big news",
        "small correction",
        "one correction",
        "no wait",
        "on a personal note",
        "on another note",
        "important",
        "note to self",
        "heads up",
        "context",
        "background",
        "status update",
        "small thing",
        "personal note",
        "pleased to meet you",
        "nice meeting you",
        "hope you are well",
        "my bad",
        "i am happy to say that",
        "i am proud to say that",
        "i am excited to say that",
        "happy to report that",
        "proud to say that",
        "in other news",
        "speaking of which",
        "funny thing",
        "as it happens",
        "truth be told",
        "confession time",
        "confession",
        "good to know",
    ]
)
COMMANDS = frozenset(
    [
        "write",
        "make",
        "create",
        "give",
        "tell",
        "show",
        "explain",
        "help",
        "translate",
        "summarise",
        "summarize",
        "list",
        "find",
        "search",
        "suggest",
        "recommend",
        "generate",
        "draft",
        "fix",
        "debug",
        "compare",
        "convert",
        "calculate",
        "plan",
        "book",
        "remind",
        "set",
        "open",
        "run",
        "check",
        "describe",
        "draw",
        "sing",
        "play",
        "add",
        "delete",
        "remove",
        "rewrite",
        "edit",
        "improve",
        "review",
        "act",
        "pretend",
        "imagine",
        "suppose",
        "let",
        "say",
        "assume",
        "consider",
        "proofread",
        "correct",
        "compute",
        "solve",
        "count",
        "sort",
        "print",
        "define",
        "look",
        "read",
        "send",
        "email",
        "call",
        "use",
        "try",
        "stop",
        "start",
        "begin",
        "continue",
        "go",
        "come",
        "take",
        "bring",
        "keep",
        "put",
        "get",
        "teach",
        "learn",
        "analyse",
        "analyze",
        "classify",
        "extract",
        "format",
        "refactor",
        "implement",
        "code",
        "design",
        "build",
        "answer",
        "reply",
        "repeat",
        "respond",
        "ask",
        "choose",
        "pick",
        "rate",
        "rank",
        "guess",
        "think",
        "outline",
        "paraphrase",
        "shorten",
        "expand",
        "simplify",
        "name",
        "brainstorm",
        "prepare",
        "order",
        "schedule",
        "change",
        "update",
        "save",
        "store",
        "forget",
        "roleplay",
        "role-play",
        "provide",
        "discuss",
        "tell",
        "finish",
        "complete",
        "turn",
        "move",
        "picture",
        "visualise",
        "visualize",
        "speak",
        "pick",
        "do",
    ]
)
_NOUN_LIKE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "will",
        "runs",
        "uses",
        "starts",
        "ends",
        "costs",
        "i",
        "we",
        "my",
        "our",
        "and",
        "or",
    ]
)
_WH = frozenset(["what", "who", "whom", "whose", "where", "which", "how", "why", "when"])
_AUX = frozenset(
    [
        "do",
        "does",
        "did",
        "am",
        "is",
        "are",
        "was",
        "were",
        "can",
        "could",
        "will",
        "would",
        "should",
        "shall",
        "may",
        "might",
        "must",
        "has",
        "have",
        "had",
        "are",
    ]
)
_SUBJECTS = frozenset(
    [
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "the",
        "this",
        "that",
        "these",
        "those",
        "there",
        "anyone",
        "anybody",
        "someone",
        "somebody",
    ]
)
_SAYING = frozenset(
    [
        "said",
        "says",
        "say",
        "saying",
        "claims",
        "claimed",
        "claim",
        "thinks",
        "thought",
        "believes",
        "believed",
        "asked",
        "asks",
        "wrote",
        "writes",
        "texted",
        "shouted",
        "yelled",
        "replied",
        "replies",
        "insists",
        "insisted",
        "swears",
        "argues",
        "joked",
        "jokes",
        "quoted",
        "quote",
        "reckons",
        "assumes",
        "dreamed",
        "dreamt",
        "dreams",
        "pretends",
        "pretended",
        "lyrics",
        "pretend",
        "imagine",
        "suppose",
        "supposing",
        "hypothetically",
        "imagining",
        "assuming",
    ]
)
_TOLD = frozenset(["told", "tells", "telling"])
UNSURE = frozenset(
    [
        "maybe",
        "perhaps",
        "probably",
        "possibly",
        "might",
        "could",
        "would",
        "should",
        "may",
        "think",
        "guess",
        "hope",
        "wish",
        "wished",
        "bet",
        "doubt",
        "wonder",
        "supposedly",
        "apparently",
        "allegedly",
        "unsure",
        "presumably",
        "seems",
        "seem",
        "feel",
        "feels",
        "believe",
        "assume",
        "reckon",
        "suspect",
        "imagine",
        "suppose",
        "pretend",
        "if",
        "unless",
        "whether",
        "either",
        "almost",
        "nearly",
        "or",
        "theoretically",
        "ought",
        "must",
        "wondering",
        "considering",
        "hypothetical",
        "unlikely",
    ]
)
_MATERIAL_REQUESTS = frozenset(
    [
        "translate",
        "summarise",
        "summarize",
        "rewrite",
        "proofread",
        "correct",
        "paraphrase",
        "shorten",
        "edit",
        "improve",
        "review",
        "analyse",
        "analyze",
        "classify",
        "extract",
        "format",
        "fix",
        "refactor",
        "explain",
        "repeat",
        "rephrase",
        "spell-check",
        "grammar",
    ]
)
_SCENARIOS = frozenset(
    [
        "imagine",
        "pretend",
        "suppose",
        "supposing",
        "assume",
        "roleplay",
        "role-play",
        "hypothetically",
        "picture",
        "visualise",
        "visualize",
        "kidding",
        "jk",
        "joking",
        "riddle",
        "puzzle",
        "sarcasm",
        "lyrics",
    ]
)
_FICTION = re.compile(
    r"\b(?:in (?:the|this|that|my|a) (?:film|movie|book|novel|story|game|song|play|dream|show|episode|"
    r"scene|poem|video|exercise|puzzle|example)|in this scenario|let us say|say i am|what if|as if|"
    r"act as|acting as|act like|role ?play|as a joke|just kidding|only joking|my character|"
    r"if i were|if i was|if i had|once upon)\b"
)
_SCENARIO = re.compile(
    r"\b(?:act(?:ing)? (?:as|like)|let us say|say i am|what if|just kidding|only joking|role ?play|"
    r"you are (?:a|an|my|now)|if i were|once upon a time)\b"
)
_SUMS = re.compile(
    r"\bhow (?:many|much|far|old (?:is|are|will)|long (?:does|will|would)|fast)\b"
    r"|\bwhat (?:percentage|fraction|is the (?:total|probability|sum|average|difference))\b"
)


def strip_opening(found: list[str]) -> list[str]:
    """Words without greetings and fillers at their start ("btw", "for the record,")."""
    while found:
        lowered = words.low(found[:9])
        if lowered[0] in {",", ":", ";", "-", "–", "—", ")", "("}:
            found = found[1:]
            continue
        phrase = next((p for p in _PHRASES if lowered[: len(p)] == p), None)
        if phrase:
            found = found[len(phrase) :]
        elif lowered[0].strip(".!") in _FILLERS and not _opens_statement(lowered):
            found = found[1:]
        else:
            break
    return found


def _opens_statement(lowered: list[str]) -> bool:
    # "Right now I live…" and "no longer…" are not fillers.
    return lowered[:2] in (["right", "now"], ["no", "longer"], ["well", "done"], ["all", "my"])


def is_question(sentence: Sentence, lowered: list[str]) -> bool:
    """Whether a sentence asks, with or without its mark (``lowered``: opening stripped)."""
    return sentence.end == "?" or asks(lowered)


def asks(lowered: list[str]) -> bool:
    """Whether words have the order of a question."""
    if not lowered:
        return False
    first, second = lowered[0], lowered[1] if len(lowered) > 1 else ""
    if first in _WH:
        return first not in ("when", "where") or second in _AUX
    if first in ("any", "anyone", "anything"):
        return True
    return first in _AUX and second in (_SUBJECTS - {"that"} if first == "have" else _SUBJECTS)


def is_command(lowered: list[str]) -> bool:
    """Whether words tell the assistant to do something."""
    if not lowered:
        return False
    second = lowered[1] if len(lowered) > 1 else ""
    if lowered[0] in COMMANDS:
        return second not in _NOUN_LIKE or lowered[0] in ("let", "say", "imagine", "suppose")
    opening = " ".join(lowered[:4])
    return opening.startswith(
        ("i need you", "i want you", "i would like you", "i need a", "i need some", "i need help",
         "i want a ", "i would like a", "i would like to know", "i want to know", "i need to know",
         "be ", "never mind", "always ", "do not ", "never ", "from now")
    )  # fmt: skip


def poisoned(found: list[Sentence]) -> bool:
    """Whether a message as a whole is a scenario, a joke, a sum, or text to work on."""
    for sentence in found:
        lowered = words.low(strip_opening(words.tokens(sentence.text)))
        if not lowered:
            continue
        text = " ".join(lowered)
        start = set(lowered[:7])
        request = is_command(lowered) or sentence.end == "?" or asks(lowered)
        if (
            _SCENARIOS & set(lowered)
            or _SCENARIO.search(text)
            or (request and _MATERIAL_REQUESTS & start)
        ):
            return True
        if request and sentence.end == ":":
            return True
        if (
            request
            and _SUMS.search(text)
            and _counts(other for other in found if other != sentence)
        ):
            return True
    return False


def _counts(found: Iterable[Sentence]) -> bool:
    return any(
        word[:1].isdigit() or word in lexicon.NUMBERS
        for sentence in found
        for word in words.low(words.tokens(sentence.text))
    )


def may_hold_facts(lowered: list[str]) -> bool:
    """Whether a statement's words are plainly the user's own claim about what is so."""
    if QUOTED in lowered or _SAYING & set(lowered):
        return False
    if _FICTION.search(" ".join(lowered)):
        return False
    told = [i for i, word in enumerate(lowered) if word in _TOLD]
    # "told me to rest" reports no claim; "told me (that) I…" does.
    return all("to" in lowered[i + 1 : i + 4] for i in told)
