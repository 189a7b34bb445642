"""Corrections in the one form that the rules read: "it is Porto, not Lisbon"."""

from __future__ import annotations

import re

from nosis.models.offline import words

_VALUE = r"[^,;.!?\n]{1,60}?"
_END = r"(?=[.!?;,\n]|$)"
_FORMS = (
    (  # "my favourite author isn't Le Guin any more, it's Susanna Clarke"
        re.compile(
            rf"(?P<what>\b[^,;.!?\n]{{2,60}}?) (?:isn['’]?t|is not|is no longer) "
            rf"(?P<wrong>{_VALUE})(?: any ?more| any longer)?"
            rf"(?:[,;:]| but)+ (?:it['’]?s|it is|but)(?: now)? "
            rf"(?P<right>{_VALUE})(?: now| instead)?{_END}",
            re.IGNORECASE,
        ),
        r"\g<what> is \g<right>, not \g<wrong>",
    ),
    (re.compile(rf" instead of (?P<wrong>{_VALUE}){_END}", re.IGNORECASE), r", not \g<wrong>"),
    (  # "no sorry its rob not bob"
        re.compile(r"^((?:(?:no|sorry|oops|wait|actually|nope)[, ]+)+)its ", re.IGNORECASE),
        r"\1it's ",
    ),
    (re.compile(r"\bchanged (?:my|our) minds?:\s*", re.IGNORECASE), "changed that. "),
)
_CORRECTS = re.compile(
    r"\b(?:not|said|wrote|told|now|moved|pushed|postponed|rescheduled|cancell?ed|off|died|away|"
    r"divorced|up|sold)\b",
    re.IGNORECASE,
)


def reworded(message: str) -> str:
    """What the rules read of a message, with its corrections in the form "right, not wrong"."""
    message = message[: words.ANALYSED_CHARS + 1]  # one more, so that the cut is seen
    for form, plain in _FORMS:
        message = form.sub(plain, message)
    return message


def may_correct(message: str) -> bool:
    """Whether a message without a new fact may still change a known one."""
    return bool(_CORRECTS.search(message))
