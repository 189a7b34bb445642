"""What words mean to a question: one concept for "live", "home" and "moved to"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from nosis.models.offline import lexicon

_WORD = re.compile(r"[^\W_]+(?:[.'’@+-][^\W_]+)*", re.UNICODE)
_STOP = frozenset(
    """a an the of to in on at for from with by and or but as if than then so that this these those
    is am are was were be been being do does did done have has had having will would can could
    should shall may might must not no never i me my mine we us our ours you your yours he him his
    she her hers it its they them their theirs who whom whose what which where when why how there
    here user user's s t please again actually currently now still ever just also too really very
    about tell told remember recall know said say mention mentioned remind anything something
    thing things stuff some any all each every more most one's get got go going lot much many
    exactly usually always often kind sort called? into out up down over after before again since
    called yet way ok okay hey hi thanks ago nosis let whether because until while""".split()
) - {"called"}  # "called" is the concept of a name
_IRREGULAR = {
    "bought": "buy", "went": "go", "met": "meet", "taught": "teach", "left": "leave", "grew": "grow",
    "chose": "choose", "chosen": "choose", "ran": "run", "wrote": "write", "written": "write", "lost": "lose",
    "broke": "break", "broken": "break", "built": "build", "began": "begin", "swam": "swim", "drove": "drive",
    "sold": "sell", "made": "make", "kept": "keep", "drank": "drink", "ate": "eat", "slept": "sleep", "flew": "fly",
    "became": "become", "children": "child", "kids": "child", "kid": "child", "people": "person", "wives": "wife",
    "feet": "foot", "teeth": "tooth", "won": "win", "spoke": "speak", "gave": "give", "took": "take", "paid": "pay",
    "mum": "mother", "mom": "mother", "mama": "mother", "mam": "mother", "dad": "father", "daddy": "father",
    "papa": "father", "grandma": "grandmother", "gran": "grandmother", "nana": "grandmother", "nan": "grandmother",
    "grandpa": "grandfather", "grandad": "grandfather", "granddad": "grandfather", "bro": "brother", "sis": "sister",
    "favorite": "favourite", "color": "colour", "neighbor": "neighbour", "bday": "birthday", "puppy": "dog", "pup": "dog",
    "kitten": "cat", "hubby": "husband", "folks": "parent", "auntie": "aunt", "flat": "apartment", "film": "movie",
    "married": "marry", "marriage": "marry", "wedding": "marry", "deceased": "die", "died": "die", "dead": "die",
    "allergies": "allergic", "allergy": "allergic", "vegetarian": "vegetarian", "mobile": "phone", "telephone": "phone",
}  # fmt: skip
_GROUPS = (
    "live reside home move relocate based city town address settle located",
    "work job employer employ company profession occupation career firm role position title",
    "name call named nickname",
    "like love enjoy fond favourite adore fan hobby interest passion prefer preference keen obsess passionate",
    "hate dislike detest loathe despise stand",
    "birthday born birth",
    "allergic intolerant intolerance",
    "decide choose pick agree settle select decision choice",
    "deadline due expect",
    "trip travel holiday vacation journey",
    "boss manager supervisor",
    "colleague coworker teammate",
    "doctor gp physician",
    "house apartment place",
    "car vehicle drive",
    "study degree university college graduate major school",
    "start begin",
    "finish end expire",
    "buy purchase",
    "medication medicine pill tablet metformin insulin",
    "flight fly plane",
    "meeting appointment",
    "email mail e-mail",
    "launch release ship",
    "language speak",
    "age old",
    "movie cinema",
    "learn lesson",
    "exam test",
)
# What a word of a question may stand for in a fact; not the other way round.
_WIDER = {
    "sibling": "brother sister", "parent": "mother father", "child": "son daughter child baby twin toddler",
    "partner": "wife husband girlfriend boyfriend fiance fiancé fiancee fiancée partner marry", "spouse": "wife husband",
    "pet": " ".join(lexicon.PETS), "animal": " ".join(lexicon.PETS),
    "dog": "greyhound labrador lab retriever poodle terrier husky beagle dachshund corgi collie spaniel bulldog pug "
           "chihuahua hound whippet schnauzer labradoodle cockapoo mutt",
    "eat": "vegetarian vegan diet food gluten pork meat lactose coeliac celiac shellfish", "diet": "vegetarian vegan gluten eat",
    "food": "eat ramen dish cook cuisine", "instrument": "play guitar piano violin cello bass drums flute",
    "sport": "run swim football tennis climb boulder cycle ski yoga hike box row surf", "exercise": "run swim gym yoga cycle",
    "marry": "wife husband", "family": " ".join(lexicon.KIN), "relative": " ".join(lexicon.KIN),
    "bike": "bicycle brompton", "health": " ".join(lexicon.CONDITIONS) + " allergic", "condition": " ".join(lexicon.CONDITIONS),
    "drink": "coffee tea beer wine alcohol", "phone": "iphone pixel android number", "computer": "laptop macbook thinkpad",
    "tool": "use", "hobby": "collect play paint knit", "free": "hobby time", "database": "postgres postgresql sqlite mysql mongodb",
    "number": "phone", "allergic": "coeliac", "die": "pass away", "origin": "from born grow", "grow": "raise", "come": "born grow",
    "contact": "email phone", "use": "switch deploy run", "nationality": " ".join(lexicon.NATIONALITIES),
    "religion": "jewish muslim catholic buddhist hindu christian atheist",
}  # fmt: skip


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@cache
def _concept_of() -> dict[str, str]:
    stem = _stemmer().stemWord
    return {stem(word): group.split()[0] for group in _GROUPS for word in group.split()}


@cache
def _wider() -> dict[str, frozenset[str]]:
    return {
        concept(word): frozenset(concept(w) for w in wider.split())
        for word, wider in _WIDER.items()
    }


def concept(word: str) -> str:
    """The concept of one word: its irregular base, stemmed, then its group's first word."""
    low = word.lower().replace("’", "'").removesuffix("'s").removesuffix("'")
    low = _IRREGULAR.get(low, low)
    stem = _stemmer().stemWord(low)
    return _concept_of().get(stem, stem)


def concepts(text: str) -> list[str]:
    """The concepts of a text's content words, in order, each once."""
    found = (word for word in _WORD.findall(text) if word.lower().replace("’", "'") not in _STOP)
    return [found for found in dict.fromkeys(map(concept, found)) if found not in _STOP]


def matches(asked: str, held: Iterable[str]) -> bool:
    """Whether a concept of a question is met by those of a fact."""
    held = set(held)
    return asked in held or bool(_wider().get(asked, frozenset()) & held)


@cache
def beings() -> frozenset[str]:
    """Concepts of people and animals: whom a fact may be about."""
    return frozenset(concept(word) for word in lexicon.KIN | lexicon.PEOPLE | lexicon.PETS) - {
        "like",
        "work",
    }
