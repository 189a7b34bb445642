"""Short replies where nothing is told and nothing is known to be asked."""

from __future__ import annotations

import re

from nosis.models.offline import gate, openings, words

INTRODUCTION = (
    "Offline mode: I remember what you tell me and answer from memory; "
    "set OPENAI_API_KEY or start Ollama for a full model."
)
CANNOT = (
    "I can't do that offline: without a model I only remember and look things up. "
    "Tell me facts to keep, or ask me about what you told me."
)
NO_MATERIAL = (
    "I can't read or summarise attached text offline; it is kept with this turn. "
    "Set OPENAI_API_KEY or start Ollama to work on it."
)
NOT_EVERYTHING = (
    "I won't forget everything at once from a chat. "
    "Use nosis memory purge for one memory, or delete the workspace."
)
UNKNOWN = "I don't know that yet. Tell me, and I'll remember it."
NOT_MINE = "I can't answer that offline: I only know what you have told me, and this is not in it."
ASK_ME = "Ask me about something in particular: I search all that you ever told me."
NOTHING_YET = "I don't know anything about you yet. Tell me your name, or what you do."
HEARD = (
    "I've kept that with our conversation, but found no lasting fact in it. "
    "If there is one, say “remember that …”."
)
ABOUT_ME = (
    "I'm nosis. In offline mode I note the facts you tell me (people, work, places, dates, likes, "
    "decisions), answer questions from them, correct them (“actually it's Turin, not Rome”) "
    "and forget them (“forget that …”)."
)
HOW_ARE_YOU = "I'm fine, thank you{name}. What would you like me to remember, or to look up?"

_KINDS = tuple(
    (re.compile(pattern), reply)
    for pattern, reply in (
        (
            r"\b(?:who|what) are you\b|\bwhat can you do\b|\bwhat is nosis\b|^help$|"
            r"how do you work|^are you (?!sure|ok|serious|joking|kidding)",
            ABOUT_ME,
        ),
        (
            r"^(?:thanks|thank you|thx|cheers|ta|many thanks|ty)\b|\bthanks\b.{0,30}$",
            "You're welcome.",
        ),
        (
            r"\b(?:bye|goodbye|good night|see you|see ya|cya|talk to you later)\b"
            r"|^(?:later|that is all)$",
            "Goodbye{name}.",
        ),
        (
            r"\bhow are you\b|how is it going|how do you do|\bwhat is up\b|how have you been|"
            r"how about you\b|^and you$",
            HOW_ARE_YOU,
        ),
        (
            r"^(?:hi|hello|hey|hiya|yo|howdy|greetings|good (?:morning|afternoon|evening)|morning|"
            r"evening)\b.{0,25}$",
            "Hello{name}.",
        ),
        (
            r"^(?:ok|okay|cool|great|nice|good|fine|alright|sure|yes|no|yep|yeah|nope|perfect|"
            r"got it|i see|right|lol|haha|wow|awesome|never mind|forget it|sorry|my bad|no worries|"
            r"no problem|done|exactly|indeed|interesting|true)\b.{0,20}$",
            "All right.",
        ),
    )
)


def small_talk(text: str, name: str) -> str | None:
    """A short reply to a greeting, thanks and the like; None if the message is none."""
    found = words.sentences(words.clean(text[:400]))
    if not found or len(found) > 3:
        return None
    for sentence in reversed(found):
        lowered = words.join(words.low(words.tokens(sentence.text)))
        for pattern, reply in _KINDS:
            if pattern.search(lowered):
                return reply.format(name=f", {name}" if name else "")
    return None


def is_request(text: str) -> bool:
    """Whether a message asks for work that needs a model."""
    for sentence in words.sentences(words.clean(text)):
        lowered = words.low(openings.strip(words.tokens(sentence.text)))
        if gate.is_command(lowered):
            return True
        opening = lowered[:2]
        if opening and opening[0] in ("can", "could", "would", "will") and opening[1:] == ["you"]:
            return True
    return False
