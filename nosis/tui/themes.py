"""The app's own two themes: ink by lamplight, and ink on paper."""

from __future__ import annotations

from collections.abc import Iterable

from textual.theme import Theme

DARK = Theme(
    name="nosis-dark",
    primary="#d9a05b",
    secondary="#7fa3b5",
    accent="#8fb08a",
    foreground="#dcd8cf",
    background="#15171b",
    surface="#1c1f25",
    panel="#252932",
    success="#8fb08a",
    warning="#d9a05b",
    error="#d97a6c",
    dark=True,
    variables={
        "block-cursor-foreground": "#15171b",
        "block-cursor-background": "#d9a05b",
        "block-cursor-text-style": "none",
        "input-cursor-foreground": "#15171b",
        "input-cursor-background": "#d9a05b",
        "input-selection-background": "#7fa3b5 30%",
        "screen-selection-background": "#7fa3b5 35%",
        "border": "#3a404c",
        "border-blurred": "#2a2e37",
        "scrollbar": "#2c313b",
        "scrollbar-hover": "#454c59",
        "scrollbar-active": "#d9a05b",
        "scrollbar-background": "#15171b",
        "scrollbar-background-hover": "#15171b",
        "scrollbar-background-active": "#15171b",
        "scrollbar-corner-color": "#15171b",
        "link-color": "#7fa3b5",
        "markdown-h1-color": "#d9a05b",
        "markdown-h2-color": "#d9a05b",
        "markdown-h3-color": "#7fa3b5",
        "markdown-h4-color": "#7fa3b5",
        "markdown-h5-color": "#7fa3b5",
        "markdown-h6-color": "#7fa3b5",
    },
)

LIGHT = Theme(
    name="nosis-light",
    primary="#96560f",
    secondary="#35637d",
    accent="#4c6b3c",
    foreground="#2b2925",
    background="#faf7f0",
    surface="#f2ede2",
    panel="#e8e1d2",
    success="#4c6b3c",
    warning="#96560f",
    error="#a8392b",
    dark=False,
    variables={
        "block-cursor-foreground": "#faf7f0",
        "block-cursor-background": "#96560f",
        "block-cursor-text-style": "none",
        "input-cursor-foreground": "#faf7f0",
        "input-cursor-background": "#96560f",
        "input-selection-background": "#35637d 25%",
        "screen-selection-background": "#35637d 25%",
        "border": "#cfc6b3",
        "border-blurred": "#e0d8c7",
        "scrollbar": "#ddd5c4",
        "scrollbar-hover": "#c4baa4",
        "scrollbar-active": "#96560f",
        "scrollbar-background": "#faf7f0",
        "scrollbar-background-hover": "#faf7f0",
        "scrollbar-background-active": "#faf7f0",
        "scrollbar-corner-color": "#faf7f0",
        "link-color": "#35637d",
        "markdown-h1-color": "#96560f",
        "markdown-h2-color": "#96560f",
        "markdown-h3-color": "#35637d",
        "markdown-h4-color": "#35637d",
        "markdown-h5-color": "#35637d",
        "markdown-h6-color": "#35637d",
    },
)

OWN = (DARK, LIGHT)


def names(available: Iterable[str]) -> list[str]:
    """The names of all themes, the app's own first."""
    own = [theme.name for theme in OWN]
    return own + sorted(name for name in available if name not in own)
