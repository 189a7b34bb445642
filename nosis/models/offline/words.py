"""A message as clean sentences, and a sentence as words with contractions written out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nosis.models.offline import lexicon, nouns

ANALYSED_CHARS = 8_000  # a longer message is read this far: nobody types more facts than that

_QUOTES = str.maketrans("‘’‚‛“”„‟«»′″\u00a0", '\'\'\'\'""""""\'" ')
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTED = re.compile(r'"[^"\n]{1,400}"|(?<!\w)\'[^\'\n]{1,200}\'(?!\w)')
_EMOJI = re.compile(
    r"[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u2190-\u21ff]+|(?<!\w)[:;]-?[)(DPp]"
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\s*\n\s*")
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|st|jr|sr|vs|e\.g|i\.e|etc|no|approx)\.)$", re.IGNORECASE
)
_WORD = re.compile(r"[^\s,;:()\[\]]+(?:(?::(?=[^\s:])|,(?=\d))[^\s,;:()\[\]]+)*|[,;:()]|\[|\]")

QUOTED = "«quoted»"  # stands for words that are not the user's own


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence; ``end`` is its last mark: ``?``, ``!``, ``.``, ``:`` or nothing."""

    text: str
    end: str


def clean(text: str) -> str:
    """The part of a message that may hold the user's own statements.

    Code, quoted lines and lines that look like directives are left out; quoted speech
    is replaced by a mark. Work is bounded by ``ANALYSED_CHARS``.
    """
    cut = text[:ANALYSED_CHARS]
    if len(text) > ANALYSED_CHARS:
        cut = cut.rpartition(" ")[0]
    cut = _CONTROL.sub(" ", cut.replace("\r", "\n").translate(_QUOTES))
    cut = _FENCE.sub("\n", cut).replace("`", "").replace("**", "")
    lines = [
        line
        for line in cut.split("\n")
        if not line.lstrip().startswith(">") and "memory_" not in line.lower()
    ]
    return _QUOTED.sub(_quoted, "\n".join(lines))


def _quoted(match: re.Match[str]) -> str:
    inner = match.group()[1:-1].strip()
    found = inner.lower().split()
    if len(found) > 8 or {"i", "i'm", "my", "we", "our", "me", "im"} & set(found):
        return QUOTED
    return inner.rstrip(".,")  # a title or a nickname


def sentences(text: str) -> list[Sentence]:
    """Clean text, cut at ends of sentences and lines."""
    found: list[Sentence] = []
    carry = ""
    for piece in _SENTENCE_END.split(_EMOJI.sub(" . ", text)):
        if not piece.strip(" .!"):
            continue
        joined = f"{carry} {piece}".strip() if carry else piece.strip()
        carry = ""
        if _ABBREVIATION.search(joined):
            carry = joined
            continue
        found.append(_sentence(joined))
    if carry:
        found.append(_sentence(carry))
    return found


def _sentence(text: str) -> Sentence:
    text = text.lstrip("-*•# \t")
    body = text.rstrip(" .!?…")
    tail = text[len(body) :]
    end = "?" if "?" in tail else "!" if "!" in tail else ":" if body.endswith(":") else tail[:1]
    return Sentence(body.rstrip(": "), end)


_PLAIN = {
    "im": "I am", "ive": "I have", "i'm": "I am", "i've": "I have", "i'll": "I will",
    "i'd": "I would",
    "dont": "do not", "doesnt": "does not", "didnt": "did not", "cant": "can not",
    "wont": "will not", "isnt": "is not", "arent": "are not", "wasnt": "was not",
    "havent": "have not", "hasnt": "has not", "couldnt": "could not", "wouldnt": "would not",
    "cannot": "can not", "can't": "can not", "won't": "will not", "thats": "that is",
    "whats": "what is", "wheres": "where is", "whos": "who is", "whens": "when is",
    "hows": "how is", "shes": "she is", "hes": "he is", "theyre": "they are", "youre": "you are",
    "weve": "we have", "gonna": "going to", "wanna": "want to", "gotta": "have got to",
    "let's": "let us", "fave": "favourite", "fav": "favourite", "i": "I",
    "u": "you", "ur": "your", "n": "and", "bday": "birthday", "b-day": "birthday",
    "pls": "please", "plz": "please",
}  # fmt: skip
_ENDINGS = (("n't", "not"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"))
_PRONOUNS = lexicon.word_set(
    """
    he she it that what where who how when there here this everything
    """
)
_PERFECT = lexicon.word_set(
    """
    got been had lived worked moved always never just recently started
    """
)
_AFTER_VERB = lexicon.word_set(
    """
    a an the my our his her their to from in into at on as with for out up two three her him
    """
)
_ALWAYS_OWN = lexicon.word_set("master bachelor doctor driver women men people children")
_AFTER_IS = (
    lexicon.word_set(
        """
    a an the called named from in on at not number getting moving coming going starting due my
    our based born turning still currently also now also always obsessed actually really
    """
    )
    | lexicon.TRAITS
    | lexicon.ATTITUDES
    | nouns.ROLE_NOUNS
)


def tokens(text: str) -> list[str]:
    """Words and separators of a sentence, contractions written out (``don't`` → ``do not``)."""
    raw = [found.strip("\"'") if found != "'" else "" for found in _keep_possessive(text)]
    raw = [word for word in raw if word]
    written: list[str] = []
    for index, word in enumerate(raw):
        following, second = [*raw[index + 1 : index + 3], "", ""][:2]
        written.extend(_expand(word, following, second.lower()))
    return written


def _keep_possessive(text: str) -> list[str]:
    found = _WORD.findall(text)
    # The apostrophe of "my parents' house" survives the stripping of quotes.
    return [f"{word[:-1]}’" if word.endswith("s'") and len(word) > 2 else word for word in found]


def _expand(word: str, following: str, second: str) -> list[str]:
    word = word.replace("’", "'")
    low = word.lower()
    if low in _PLAIN:
        expansion = _PLAIN[low].split()
        if low == "i'd" and following.lower() in ("been", "had", "lived", "worked"):
            expansion = ["I", "had"]
        if word[0].isupper() and low[0] != "i":
            expansion[0] = expansion[0].capitalize()
        return expansion
    for ending, full in _ENDINGS:
        if low.endswith(ending) and len(low) > len(ending):
            return [word[: -len(ending)], full]
    if low.endswith("'d") and low[:-2] in ("he", "she", "we", "they", "you"):
        return [word[:-2], "would"]
    if low.endswith("'s") and len(low) > 2:
        stem, after = word[:-2], following.lower()
        if stem.lower() in _PRONOUNS or stem.lower() == "name":
            return [stem, "has" if after in _PERFECT and stem.lower() != "name" else "is"]
        # "Halina's started a job", not "my brother's adopted daughter"
        if after in ("got", "been", "had") or (after in lexicon.PAST and second in _AFTER_VERB):
            return [stem, "has"]
        if (after in _AFTER_IS or after[:1].isdigit()) and stem.lower() not in _ALWAYS_OWN:
            return [stem, "is"]
    return [word]


def low(words: list[str]) -> list[str]:
    """The same words in lower case."""
    return [word.lower() for word in words]


def join(words: list[str]) -> str:
    """Words as a text again, with separators at their usual places."""
    text = " ".join(words)
    text = re.sub(r"\s+([,;:)\]])", r"\1", text)
    text = re.sub(r"([(\[])\s+", r"\1", text)
    return re.sub(r"\s+", " ", text).strip(" ,;:-–—")
