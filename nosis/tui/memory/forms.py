"""Small dialogues: a fact, a core field, one line, a yes or no. Escape leaves each unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, Static

from nosis.memory.core import LIST_FIELDS, field_name
from nosis.memory.types import CORE_FIELDS, DEFAULT_IMPORTANCE, Category, CoreMemory, Entry
from nosis.tui.memory import words
from nosis.tui.memory.inputs import Choice, FactText, Level, OneLine

Result = TypeVar("Result")
WIDTHS = [(0, "-narrow"), (60, "-normal"), (110, "-wide")]
HEIGHTS = [(0, "-short"), (18, "-tall")]
GENERAL = "general"
CATEGORIES = (GENERAL, *(category.value for category in Category))


@dataclass(frozen=True, slots=True)
class FactDraft:
    """What a form asks of a fact; ``category`` may be "general" for none."""

    text: str
    category: str
    importance: float


@dataclass(frozen=True, slots=True)
class CoreDraft:
    """What a form asks of core memory."""

    field: str
    value: str
    add: bool  # to the list, rather than in place of what is there


class Form(ModalScreen[Result]):
    """A calm box in the middle with a title and the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel", id="memory.form.cancel"),
    ]
    DEFAULT_CSS = """
    Form {
        align: center middle;
        background: $background 60%;
        .form {
            width: 66;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 1 2;
            background: $surface;
            border: round $primary 60%;
            border-title-color: $text-primary;
            border-subtitle-color: $text-muted;
        }
        Label { color: $text-muted; margin-top: 1; }
        .first { margin-top: 0; }
        .words { height: auto; }
    }
    Form.-narrow .form { padding: 0 1; }
    Form.-short Label { margin-top: 0; }
    Form.-short FactText { height: 2; }
    """
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def action_cancel(self) -> None:
        self.dismiss(None)

    def framed(self, title: str, keys: str, *children: Static | Input) -> Vertical:
        box = Vertical(*children, classes="form")
        box.border_title = Content(title)
        box.border_subtitle = Content(keys)
        return box


class FactForm(Form[FactDraft]):
    """Add a fact, or edit one."""

    def __init__(self, entry: Entry | None = None, *, focus: str = "fact-text") -> None:
        super().__init__()
        self._entry = entry
        self._focus = focus

    def compose(self) -> ComposeResult:
        entry = self._entry
        category = (entry.category and entry.category.value) if entry else None
        keys = "⏎ save  ⇥ next  esc cancel"
        with self.framed("Edit the fact" if entry else "Remember a fact", keys):
            yield Label("words", classes="first", markup=False)
            yield FactText(words.paragraph(entry.text) if entry else "", id="fact-text")
            yield Label("category  ← →", markup=False)
            yield Choice(CATEGORIES, category or GENERAL, id="fact-category")
            yield Label("importance  ← →", markup=False)
            yield Level(entry.importance if entry else DEFAULT_IMPORTANCE, id="fact-importance")

    def on_mount(self) -> None:
        self.query_one(f"#{self._focus}").focus()
        area = self.query_one(FactText)
        area.move_cursor(area.document.end)

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "save", "save", id="memory.fact-form.save"),
    ]

    @on(FactText.Submitted)
    def action_save(self) -> None:
        self.dismiss(
            FactDraft(
                self.query_one(FactText).text.strip(),
                self.query_one(Choice).value,
                self.query_one(Level).value,
            )
        )


class CoreForm(Form[CoreDraft]):
    """Set a field of core memory, or add to one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "save", "save", id="memory.core-form.save"),
    ]

    def __init__(self, core: CoreMemory, field: str = "", value: str = "") -> None:
        super().__init__()
        self._core = core
        self._field = field
        self._value = value

    def compose(self) -> ComposeResult:
        fields = list(dict.fromkeys([*CORE_FIELDS, *self._core]))
        title = f"Edit {self._field}" if self._value else "Core memory"
        with self.framed(title, "⏎ save  ⇥ next  esc cancel"):
            yield Label("field", classes="first", markup=False)
            yield OneLine(
                self._field,
                placeholder=", ".join(fields[:4]) + ", or a word of your own",
                suggester=SuggestFromList(fields, case_sensitive=False),
                id="core-field",
                disabled=bool(self._value),
            )
            yield Label("value", markup=False)
            yield OneLine(self._value, id="core-value")
            if not self._value:
                yield Label("where the field has a value already  ← →", markup=False)
                yield Choice(("replace it", "add to it"), self._default(), id="core-how")

    def on_mount(self) -> None:
        self.query_one("#core-value" if self._field else "#core-field").focus()

    @on(Input.Changed, "#core-field")
    def _follow(self, event: Input.Changed) -> None:
        self._field = field_name(event.value)
        for how in self.query(Choice):
            how.choose(self._default())

    @on(Input.Submitted)
    def action_save(self) -> None:
        field, value = (self.query_one(f"#core-{name}", OneLine) for name in ("field", "value"))
        if not value.value.strip():
            (value if field.value.strip() else field).focus()
            return
        how = self.query(Choice)
        self.dismiss(
            CoreDraft(field.value, value.value, bool(how) and how.first().value == "add to it")
        )

    def _default(self) -> str:
        many = self._field in LIST_FIELDS or isinstance(self._core.get(self._field), list)
        return "add to it" if many else "replace it"


class Ask(Form[str]):
    """One line of text."""

    def __init__(self, title: str, *, value: str = "", hint: str = "", about: str = "") -> None:
        super().__init__()
        self._title, self._value, self._hint, self._about = title, value, hint, about

    def compose(self) -> ComposeResult:
        with self.framed(self._title, "⏎ ok  esc cancel"):
            if self._about:
                yield Static(Content(self._about), classes="words")
                yield Label("", markup=False)
            yield OneLine(self._value, placeholder=self._hint)

    @on(Input.Submitted)
    def _answered(self, event: Input.Submitted) -> None:
        if text := event.value.strip():
            self.dismiss(text)


class Confirm(Form[bool]):
    """A question that only ``y`` affirms."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "affirm", "yes", id="memory.confirm.yes"),
        Binding("n,enter", "cancel", "no", id="memory.confirm.no"),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title, self._lines = title, lines

    def compose(self) -> ComposeResult:
        with self.framed(self._title, "y yes  n no"):
            yield Static(Content("\n".join(self._lines)), classes="words")

    def action_affirm(self) -> None:
        self.dismiss(True)
