"""Text from people and models as data: storable (``clean``), or inert (``neutralise``)."""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\ufffd"
LINE_END = r"\r\n|[\n\r\v\f\x85\u2028\u2029]"
"""Regular expression source: all that some reader or terminal takes for the end of a line."""

_LINE_END = re.compile(LINE_END)
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # no tabs, no line ends
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
# Joiners and variation selectors are left in emoji and in the scripts that need them.
_DROPPED = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
INVISIBLE = re.compile(f"[{_INVISIBLE}]")
"""Characters that show nothing, those that some scripts and emoji need among them."""

_LT, _GT = r"(?:<|&(?:amp;)*(?:lt|\#0*60|\#x0*3c);?)", r"(?:>|&(?:amp;)*(?:gt|\#0*62|\#x0*3e);?)"
_ACTIVE = re.compile(
    rf"""
      (?P<marker> memory (?P<join> [\s\\]{{0,4}} _ [\s\\_]{{0,4}} ) (?= update|replace|forget ) )
    | (?P<open>   {_LT} (?= \s{{0,8}} [/!?|]{{0,4}} \s{{0,8}} [^\W\d] ) )
    | (?P<close>  {_GT} )
    | (?P<inst>   \[ \s{{0,8}} /? \s{{0,8}} inst \s{{0,8}} \] )
    | (?P<fence>  `{{3,}} | ~{{3,}} )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MAY_ACT = re.compile(r"[_<>&\[`~]")  # every match of _ACTIVE holds one: most texts have none
_BLOCK_START = re.compile(
    r"\d{1,9}(?=[.)](?:\s|$))"
    r"|(?=>|\#{1,6}(?:\s|$)|[-*+](?:\s|$)|=+\s*$|([-*_])(?:\s*\1){2,}\s*$)"
)


def plain(text: str) -> str:
    """``text`` without what no file, database or terminal should get, its line ends kept.

    NUL and each lone surrogate become U+FFFD, the two halves of one surrogate pair become
    their character, other control characters but the tab vanish.
    """
    if _UNSTORABLE.search(text):
        paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = paired.replace("\0", REPLACEMENT)
    return _CONTROL.sub("", text)


def clean(text: str) -> str:
    r"""``text`` as it may be stored: see ``plain``; besides, every kind of line end is ``\n``."""
    return _LINE_END.sub("\n", plain(text))


def neutralise(text: str) -> str:
    """``text`` as one readable line that acts on neither a prompt nor a Markdown page.

    ========================  ====================================================
    in ``text``               becomes
    ========================  ====================================================
    line ends                 one `` ⏎ `` (blank lines vanish)
    control, bidirectional    nothing; joiners inside emoji and words stay
    and zero-width characters
    ``MEMORY_UPDATE`` …       ``MEMORY-UPDATE``: no parser reads it as a directive
    ``<tag``, ``</tag``,      ``‹tag›``: no wrapper can be closed or opened; ``<``
    ``<|im_start|>``          and ``>`` between numbers or in arrows stay
    ``[INST]``                ``(INST)``
    fences of 3 or more       as many ``'``
    ``#``, ``>``, ``---``,    the same behind a backslash, where the line begins
    ``- ``, ``1. ``           with it
    ========================  ====================================================

    All are found in any letter case and spelling: full-width letters, ``&lt;`` and
    ``&#60;``, spaces, or invisible characters in between. Applying it twice changes nothing.
    """
    lines = (line.strip() for line in clean(text).replace("\t", " ").split("\n"))
    line = _DROPPED.sub("", " ⏎ ".join(part for part in lines if part)).strip()
    line = _break_active(line)
    block = _BLOCK_START.match(line)
    return f"{line[: block.end()]}\\{line[block.end() :]}" if block else line


def _break_active(line: str) -> str:
    folded, origin = _fold(line)
    if not _MAY_ACT.search(folded):
        return line
    pieces: list[str] = []
    done = opened = 0
    for match in _ACTIVE.finditer(folded):
        group = match.lastgroup
        start, end = match.span("join" if group == "marker" else 0)
        if group == "close" and not opened:
            continue
        pieces += line[done : origin[start]], _inert(group, match)
        opened += {"open": 1, "close": -1}.get(group or "", 0)
        done = origin[end]
    return "".join([*pieces, line[done:]])


def _inert(group: str | None, match: re.Match[str]) -> str:
    if group == "fence":
        return "'" * len(match[0])
    if group == "inst":
        return f"({match[0][1:-1].strip()})"
    return {"open": "‹", "close": "›"}.get(group or "", "-")


def _fold(line: str) -> tuple[str, list[int] | range]:
    """Compatibility characters resolved, invisible ones left out; and for each character of
    the result (and its end) the position in ``line`` that it comes from."""
    if line.isascii():
        return line, range(len(line) + 1)
    folded: list[str] = []
    origin: list[int] = []
    for position, character in enumerate(line):
        if INVISIBLE.match(character):
            continue
        plain = character if character.isascii() else unicodedata.normalize("NFKC", character)
        folded.append(plain)
        origin += [position] * len(plain)
    return "".join(folded), [*origin, len(line)]
