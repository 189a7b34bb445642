"""Greetings and fillers at the start of a sentence ("btw", "for the record,")."""

from __future__ import annotations

from nosis.models.offline import lexicon, words

_FILLERS = lexicon.word_set(
    """
    hi hello hey hiya heya yo ok okay so well oh ah aha um uh hmm and also btw fyi anyway
    anyways actually honestly yes no nope yeah yep yup sure thanks thx cheers sorry please plus
    but ps p.s right great cool nice wow ha haha lol ugh alright look listen basically wait
    update reminder correction quick additionally furthermore moreover morning evening afternoon
    there nosis all everyone again too clearly then ooh oops whoops erm frankly incidentally
    guess intro
    """
)
_PHRASES = lexicon.phrases(
    """
    for now just | for now | quick one |
    by the way | for the record | in case it matters | in case you wonder | to be honest |
    fun fact | good news | bad news | quick update | small update | just so you know |
    for your information | for context | some context | a bit about me | a little about me |
    about me | bit about me | some background | for background | as for me | for reference |
    for future reference | one more thing | another thing | nice to meet you | good morning
    | good evening | good afternoon | thank you | of course | as i said | like i said |
    as you know | i should mention that | i should mention | i should say that |
    i forgot to mention that | i forgot to mention | i forgot to say that |
    let me introduce myself | let me tell you that | guess what | long story short | in fact
    | you should know that | you should know | just to let you know | it turns out that |
    turns out that | turns out | thing is | the thing is | i have to say | i must say |
    to introduce myself | i forgot to say | not sure if i mentioned it but |
    for what it is worth | i want you to know that | just wanted to say that |
    i wanted to tell you that | i also wanted to mention that | as of today | as of now |
    at the moment | these days | big news | small correction | one correction | no wait |
    on a personal note | on another note | important | note to self | heads up | context |
    background | status update | small thing | personal note | pleased to meet you |
    nice meeting you | hope you are well | my bad | i am happy to say that |
    i am proud to say that | i am excited to say that | happy to report that |
    proud to say that | in other news | speaking of which | funny thing | as it happens |
    truth be told | confession time | confession | good to know
    """
)


def strip(found: list[str]) -> list[str]:
    """Words without greetings and fillers at their start ("btw", "for the record,")."""
    while found:
        lowered = words.low(found[:9])
        if lowered[0] in {",", ":", ";", "-", "–", "—", ")", "("}:
            found = found[1:]
            continue
        if lowered[1:2] == [","] and lexicon.is_adverb(lowered[0]):
            found = found[2:]  # "Unfortunately, …"
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
