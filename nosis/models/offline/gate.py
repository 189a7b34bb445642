"""Which sentences may hold facts: no questions, commands, hypotheses or reported speech."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nosis.models.offline import lexicon, openings, words
from nosis.models.offline.words import QUOTED, Sentence

COMMANDS = lexicon.word_set(
    """
    write make create give tell show explain help translate summarise summarize list find search
    suggest recommend generate draft fix debug compare convert calculate plan book remind set
    open run check describe draw sing play add delete remove rewrite edit improve review act
    pretend imagine suppose let say assume consider proofread correct compute solve count sort
    print define look read send email call use try stop start begin continue go come take bring
    keep put get teach learn analyse analyze classify extract format refactor implement code
    design build answer reply repeat respond ask choose pick rate rank guess think outline
    paraphrase shorten expand simplify name brainstorm prepare order schedule change update save
    store forget roleplay role-play provide discuss tell finish complete turn move picture
    visualise visualize speak pick do
    """
)
_NOUN_LIKE = lexicon.word_set(
    """
    is are was were has have will runs uses starts ends costs i we my our and or
    """
)
_WH = lexicon.word_set("what who whom whose where which how why when")
_AUX = lexicon.word_set(
    """
    do does did am is are was were can could will would should shall may might must has have had
    are
    """
)
_SUBJECTS = lexicon.word_set(
    """
    i you he she it we they my our your his her their the this that these those there anyone
    anybody someone somebody
    """
)
_SAYING = lexicon.word_set(
    """
    said says say saying claims claimed claim thinks thought believes believed asked asks wrote
    writes texted shouted yelled replied replies insists insisted swears argues joked jokes
    quoted quote reckons assumes dreamed dreamt dreams pretends pretended lyrics pretend imagine
    suppose supposing hypothetically imagining assuming
    """
)
_TOLD = lexicon.word_set("told tells telling")
UNSURE = lexicon.word_set(
    """
    maybe perhaps probably possibly might could would should may think guess hope wish wished
    bet doubt wonder supposedly apparently allegedly unsure presumably seems seem feel feels
    believe assume reckon suspect suppose if unless whether either almost nearly or
    theoretically ought must wondering considering hypothetical unlikely
    """
)
_MATERIAL_REQUESTS = lexicon.word_set(
    """
    translate summarise summarize rewrite proofread correct paraphrase shorten edit improve
    review analyse analyze classify extract format fix refactor explain repeat rephrase
    spell-check grammar
    """
)
_SCENARIOS = lexicon.word_set(
    """
    imagine pretend suppose supposing assume roleplay role-play hypothetically simulate picture
    visualise visualize kidding jk joking riddle puzzle sarcasm lyrics
    """
)
_ALWAYS = lexicon.word_set(
    """
    roleplay role-play hypothetically kidding jk joking riddle sarcasm
    """
)
_BEFORE_SCENARIO = lexicon.word_set(", and so now let us please you to just then")
_TEXTS = lexicon.word_set("sentence sentences text example quote passage phrase prompt")
_FICTION = re.compile(
    r"\b(?:in (?:the|this|that|my|a) (?:film|movie|book|novel|story|game|song|play|dream|show|"
    r"episode|scene|poem|video|exercise|puzzle|example)|in this scenario|let us say|say i am|"
    r"what if|as if|act as|acting as|act like|role ?play|as a joke|just kidding|only joking|"
    r"my character|if i were|if i was|if i had|once upon)\b"
)
_SCENARIO = re.compile(
    r"\b(?:act(?:ing)? (?:as|like)|let us say|say i am|what if|just kidding|only joking|role ?play|"
    r"you are (?:a|an|my|now)|if i were|once upon a time)\b"
)
_SUMS = re.compile(
    r"\bhow (?:many|much|far|old (?:is|are|will)|long (?:does|will|would)|fast)\b"
    r"|\bwhat (?:percentage|fraction|is the (?:total|probability|sum|average|difference))\b"
)


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


def _poses(lowered: list[str]) -> bool:
    """Whether words set up a scenario: "imagine …", not the band Imagine Dragons."""
    return any(
        word in _SCENARIOS and (word in _ALWAYS or not at or lowered[at - 1] in _BEFORE_SCENARIO)
        for at, word in enumerate(lowered)
    )


def poisoned(found: list[Sentence]) -> bool:
    """Whether a message as a whole is a scenario, a joke, a sum, or text to work on."""
    for sentence in found:
        lowered = words.low(openings.strip(words.tokens(sentence.text)))
        if not lowered:
            continue
        text = " ".join(lowered)
        start = set(lowered[:7])
        request = is_command(lowered) or sentence.end == "?" or asks(lowered)
        if _poses(lowered) or _SCENARIO.search(text) or (request and _MATERIAL_REQUESTS & start):
            return True
        if request and sentence.end == ":":
            return True
        if ":" in lowered and _TEXTS & set(lowered[: lowered.index(":")]):
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
