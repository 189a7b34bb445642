"""The gate before a model's second pass: which clauses of a message may tell a lasting fact.

What the offline rules call a question, a command, fiction or somebody else's words is skipped,
and so are messages that ask something, small talk, guesses, clauses without a first person, and
those that hold nothing concrete (a name, a number, a day, something of the user's).
"""

from __future__ import annotations

import re

from nosis.models.offline import clauses, gate, openings, words
from nosis.models.offline.remembering import remembered

_FIRST_PERSON = re.compile(r"\b(i|my|we|our)\b", re.IGNORECASE)
_SMALL_TALK = re.compile(
    r"^(thank|thanks|haha|lol|wow|sorry|good (morning|evening|night|afternoon)|what a"
    r"|my (bad|mistake|question|answer|point|guess|apologies)|(our|this|the) (chat|conversation)"
    r"|put|(my|our|the) (code|script|program|function|query|tests?|regex|loop|output)|i am \d)\b"
    r"|^(that|this|it)\b.{0,40}\b(to|for|with) (me|us)$"
    r"|^(i|we) (am|are) (just |still |really |very |so |not |almost |a bit |a little )*"
    r"(wondering|curious|asking|fine|(good|great|ok|okay|well)(?! (at|with|in))|back|here|ready"
    r"|done|sorry|sure|confused|lost|glad|happy|afraid (not|so)|listening|tired|bored|hungry"
    r"|trying|looking for|getting|going to (bed|the|a)|at home|in a|on the (train|bus|way))\b"
    r"|^(i|we) (would )?(just |also |really |only |can )*("
    r"(see|know|follow|mean|agree)(?=$| (now|what|that|how|why|it|this|with you)\b)"
    r"|guess|think|thought|meant|understand|wonder|misread|get it|got it|forgot|appreciate"
    r"|asked|said|mentioned|(do|did|can) not (\w+ )?(understand|know|think|get|see|follow"
    r"|remember|mean|agree|care|mind)|was (just )?(wondering|asking|thinking|hoping|curious)"
    r"|(like|love|hate|need|want|prefer)d? (it|that|this|them|you|your|how)"
    r"|(like|love|want|need) to (know|ask|see|hear|understand|order)"
    r"|(need|want|could use|like) (a|an|some|any|the|your) |(have|had|got) (a |no |another )"
    r"?(question|idea|clue)|have to go|will (be (right )?back|try|do|check|see|let|think))",
    re.IGNORECASE,
)
_PASSING = re.compile(r"(?i)^(my \w+ is (getting|being|still|too)|(i|we) can (see|hear|tell))\b")
_GUESS = re.compile(
    r"\b(maybe|perhaps|probably|might|possibly|not sure|guess|bet|hope|wish|suppose|if|whether"
    r"|unless|your|you)\b",
    re.IGNORECASE,
)
_CONCRETE = re.compile(
    r"(?<!^)\b(?!I\b)[A-Z]\w|\d|\b(?i:my|our)\b|\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(usually|always|never|every|often|prefer|favou?rite|like|love|enjoy|hate|dislike|stand"
    r"|allergic|team|project|job|goal|deadline|daily|weekly|monthly)\b"
)


def telling(text: str) -> list[str]:
    """The clauses that may tell something lasting about the user, in order.

    Contractions are written out ("I'm" is "I am"); otherwise the words are the user's own.
    What the user asks to be remembered is kept whole.
    """
    found = words.sentences(words.clean(text))
    if gate.poisoned(found) or any(sentence.end == "?" for sentence in found):
        return []  # what comes with a question is mostly the question's own matter
    told: list[str] = []
    for sentence in found:
        written = words.tokens(sentence.text)
        kept = remembered(written, sentence.end)
        if kept is not None:
            told.append(words.join(kept))
        else:
            told += _stated(sentence, openings.strip(written))
    return [clause for clause in told if clause]


def of_others(text: str) -> list[str]:
    """The statements of a message that say nothing of the user, in their own words."""
    found = words.sentences(words.clean(text))
    if gate.poisoned(found) or any(sentence.end == "?" for sentence in found):
        return []
    told = []
    for sentence in found:
        lowered = words.low(openings.strip(words.tokens(sentence.text)))
        if (
            len(lowered) > 2
            and gate.may_hold_facts(lowered)
            and not gate.asks(lowered)
            and not gate.is_command(lowered)
            and not _FIRST_PERSON.search(sentence.text)
            and not _GUESS.search(sentence.text)
        ):
            told.append(sentence.text)
    return told


def _stated(sentence: words.Sentence, written: list[str]) -> list[str]:
    lowered = words.low(written)
    if gate.is_question(sentence, lowered) or not gate.may_hold_facts(lowered):
        return []
    told: list[str] = []
    before = ""  # a clause without a first person, such as the first in "It moved, our X asked"
    for part in clauses.split(written):
        clause, lowered = words.join(part), words.low(part)
        if gate.asks(lowered) or gate.is_command(lowered):
            before = ""
        elif _FIRST_PERSON.search(clause):
            whole, before = f"{before}{clause}", ""
            if _may_tell(whole):
                told.append(whole)
        elif told:
            told[-1] = f"{told[-1]}, {clause}"  # "My dog is called Rex" and "he is four"
        else:
            before = f"{clause}, "
    return told


def _may_tell(clause: str) -> bool:
    return bool(
        _CONCRETE.search(clause)
        and not any(kind.search(clause) for kind in (_SMALL_TALK, _PASSING, _GUESS))
    )
