"""What words mean to a question: one concept for "live", "home" and "moved to"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from nosis.models.offline import lexicon, nouns

_WORD = re.compile(r"[^\W_]+(?:[.'’@+-][^\W_]+)*")
_PHRASAL = (
    (re.compile(r"\b(?:give|gave|given|giving)s? up\b", re.IGNORECASE), "quit"),
    (re.compile(r"\b(?:runs?|ran|running) out\b", re.IGNORECASE), "expire"),
)
_STOP = lexicon.word_set(
    """
    a an the of to in on at for from with by and or but as if than then so that this these those
    is am are was were be been being do does did done have has had having will would can could
    should shall may might must not no never i me my mine we us our ours you your yours he him
    his she her hers it its they them their theirs who whom whose what which where when why how
    there here user user's s t please again actually currently now still ever just also too
    really very about tell told remember recall know said say mention mentioned remind anything
    something thing things stuff some any all each every more most one's get got go going lot
    much many exactly usually always often kind sort into out up down over after before since
    yet way ok okay hey hi thanks ago nosis let whether because until while
    """
)
# Other forms of a word, after the form that stands for all of them.
_FORMS = """
    buy bought | go went | meet met | teach taught | leave left | grow grew | choose chose chosen
    | run ran | write wrote written | lose lost | break broke broken | build built | begin began
    | swim swam | drive drove | sell sold | make made | keep kept | drink drank | eat ate
    | sleep slept | fly flew | become became | child children kids kid | person people
    | wife wives | foot feet | tooth teeth | win won | speak spoke | give gave | take took
    | pay paid | mother mum mom mama mam | father dad daddy papa
    | grandmother grandma gran nana nan | grandfather grandpa grandad granddad | brother bro
    | sister sis | favourite favorite | colour color | neighbour neighbor | birthday bday
    | dog puppy pup | cat kitten | husband hubby | girlfriend gf | boyfriend bf
    | parent folks | aunt auntie | apartment flat
    | movie film | marry married marriage wedding | die deceased died dead
    | allergic allergies allergy | phone mobile telephone
"""
# Words that mean the same to a question.
_SAME = """
    live reside home move relocate based city town address settle located
    | work job employer employ company profession occupation career firm role position title
    | name call named nickname
    | like love enjoy fond favourite adore fan hobby interest passion prefer preference keen
      obsess passionate
    | hate dislike detest loathe despise stand
    | birthday born birth | allergic intolerant intolerance
    | decide choose pick agree settle select decision choice
    | deadline due expect | trip travel visit holiday vacation journey
    | boss manager supervisor supervise
    | colleague coworker teammate | doctor gp physician | house apartment place
    | car vehicle drive | study degree university college graduate major school | start begin
    | finish end expire | buy purchase | medication medicine pill tablet metformin insulin
    | flight fly plane | meeting appointment | email mail e-mail | launch release ship
    | language speak | age old | movie cinema | learn lesson | quit stop | exam test
"""
# What a word of a question may stand for in a fact; not the other way round.
_WIDER = """
    sibling: brother sister | parent: mother father
    | child: son daughter child baby twin toddler
    | partner: wife husband girlfriend boyfriend fiance fiancé fiancee fiancée partner marry
    | spouse: wife husband | marry: wife husband
    | dog: greyhound labrador lab retriever poodle terrier husky beagle dachshund corgi collie
      spaniel bulldog pug chihuahua hound whippet schnauzer labradoodle cockapoo mutt
    | eat: vegetarian vegan diet food gluten pork meat lactose coeliac celiac shellfish
    | diet: vegetarian vegan gluten eat | food: eat ramen dish cook cuisine
    | instrument: play guitar piano violin cello bass drums flute
    | sport: run swim football tennis climb boulder cycle ski yoga hike box row surf
    | exercise: run swim gym yoga cycle | bike: bicycle brompton
    | drink: coffee tea beer wine alcohol | phone: iphone pixel android number
    | computer: laptop macbook thinkpad | tool: use | hobby: collect play paint knit
    | free: hobby time | database: postgres postgresql sqlite mysql mongodb | number: phone
    | allergic: coeliac | die: pass away | origin: born grow live | grow: raise
    | come: born grow | contact: email phone | use: switch deploy run
    | religion: jewish muslim catholic buddhist hindu christian atheist
"""


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


def _groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.split("|")]


@cache
def _base_of() -> dict[str, str]:
    return {form: base for base, *forms in _groups(_FORMS) for form in forms}


@cache
def _concept_of() -> dict[str, str]:
    stem = _stemmer().stemWord
    return {stem(word): group[0] for group in _groups(_SAME) for word in group}


@cache
def _wider() -> dict[str, frozenset[str]]:
    listed = {head.rstrip(":"): words for head, *words in _groups(_WIDER)}
    listed |= {word: list(nouns.PETS) for word in ("pet", "animal")}
    listed |= {word: list(nouns.KIN) for word in ("family", "relative")}
    listed |= {"health": [*nouns.CONDITIONS, "allergic"], "condition": list(nouns.CONDITIONS)}
    listed["nationality"] = list(lexicon.NATIONALITIES)
    return {concept(word): frozenset(map(concept, words)) for word, words in listed.items()}


def concept(word: str) -> str:
    """The concept of one word: its irregular base, stemmed, then its group's first word."""
    low = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    low = _base_of().get(low, low)
    stem = str(_stemmer().stemWord(low))
    return _concept_of().get(stem, stem)


def concepts(text: str) -> list[str]:
    """The concepts of a text's content words, in order, each once."""
    for pattern, verb in _PHRASAL:
        text = pattern.sub(verb, text)
    found = (word for word in _WORD.findall(text) if word.lower().replace("’", "'") not in _STOP)
    return [found for found in dict.fromkeys(map(concept, found)) if found not in _STOP]


def matches(asked: str, held: Iterable[str]) -> bool:
    """Whether a concept of a question is met by those of a fact."""
    held = set(held)
    return asked in held or bool(_wider().get(asked, frozenset()) & held)


@cache
def beings() -> frozenset[str]:
    """Concepts of people and animals: whom a fact may be about."""
    return frozenset(concept(word) for word in nouns.KIN | nouns.PEOPLE | nouns.PETS) - {
        "like",
        "work",
    }
