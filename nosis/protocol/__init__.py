r"""The directive grammar and its streaming splitter. Pure: text in, values out.

A directive is a line of the answer that begins, in any letter case, with a marker
(``MEMORY_UPDATE``, ``MEMORY_REPLACE``, ``MEMORY_FORGET``), optional metadata and a colon.

=============================  =====================================================
in the answer                  what becomes of it
=============================  =====================================================
before the marker              any mix of white space, list marks (``- * + • 1. 1)``),
                               check boxes, ``**``, ``__``, ``#``; up to 80 characters
the marker                     any case; ``MEMORY\_UPDATE`` as escaped in Markdown
the colon                      ``:`` or ``：``, spaces and bold marks around it
several on one line            several directives, unless the inner marker stands in
                               inline code, behind a quotation mark or in a JSON string
lines below, indented more     continue the fact, joined by one space; a blank line, a
                               quote, a fence or another directive ends it. ``}`` ends
                               a JSON object in any column
no words after the colon       ignored, without a trace in the visible text: nothing, marks
                               alone, or ``none``, ``n/a``, ``null``, ``nothing``
``[decision, 0.9]``            metadata before the colon (``[…]`` or ``(…)``) or at the
                               start of the text: categories, ``importance: x``,
                               ``category: x``, ``0.9``, ``8/10``, ``90%``, the words
                               of ``LEVELS``. Anything else in a bracket is text
importance                     within 0-1, or None (``-3``, ``nan``, ``7``, prose)
``{"fact": "…"}``              decoded if the whole object is understood and nothing
                               follows: ``fact``, ``text`` or ``content`` (or ``field``
                               and ``value``), ``category``, ``importance``. Otherwise
                               the whole line is the fact, as written
``MEMORY_REPLACE: id -> x``    also ``→ => ⇒ -->``; the id also as ``[id]``, ``#id``, in
                               backticks, or ``MEMORY_REPLACE [id]: x``. Refused
                               without a clear id or a new text. ``FIELD: old -> x``
                               names a value of core memory
``MEMORY_FORGET: id``          several ids with commas; a reason may follow behind a
                               dash, bracket or colon. Refused without a clear id
the same directive twice       counts once
a fact over ``FACT_LIMIT``     refused, never cut
clean-up of the text           control characters, dangling ``**``, a list mark, marks
                               around ``**name:** **Ada**`` and quotation marks around
                               the whole are removed; NUL and lone surrogates become
                               U+FFFD
=============================  =====================================================

What is *not* a directive:

=============================  =====================================================
a marker inside a sentence     text
inline code, also a whole      text. Inline code is looked for within one line
line of it
a block quote                  text
a code block                   text, unless it holds nothing but directives (and blank
                               lines): then they count and the block disappears
an indented line               a directive: indentation is a mark, not a code block
reasoning                      ``<think>``, ``<thinking>``, ``<thought>``,
                               ``<reasoning>`` up to any of their closing tags:
                               invisible, and writes nothing. Not where the tag stands
                               in code or in a directive. Unclosed, it swallows the rest
                               of the answer if the tag began a line; within a line of a
                               complete answer it was a mention, so the text stays, but
                               directives behind it are refused
a closing tag alone            at a line's beginning or end: what came before it was
                               reasoning. It is on screen already; its directives are
                               refused
=============================  =====================================================

In a cut reply a directive counts if a line end terminated it and no continuation of it had
begun, and a block of directives if it was closed. Half a directive is not shown, nor the
first letters of what may have become a marker.

The visible text is the rest, byte for byte (but control characters and lone surrogates),
without blank lines at its ends; where lines were taken out, the larger of the two gaps around
them stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from nosis.memory.types import Directive
from nosis.protocol.reading import FACT_LIMIT, LEVELS
from nosis.protocol.splitter import Splitter

__all__ = ["FACT_LIMIT", "GOT_IT", "LEVELS", "Parsed", "Splitter", "parse"]

GOT_IT = "Got it. I'll remember that."
"""Shown in place of a reply that holds nothing but directives."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole answer, taken apart."""

    visible: str
    directives: tuple[Directive, ...]
    refused: tuple[str, ...]  # one message for people each


def parse(text: str, *, terminated: bool = True) -> Parsed:
    """Take a whole answer apart; ``terminated`` is False for a reply that was cut."""
    splitter = Splitter()
    splitter.feed(text)
    splitter.close(terminated)
    return Parsed(splitter.visible, splitter.directives, splitter.refused)
