"""The base class of screens with a prompt, which is answered with keys or the mouse."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.events import Key, Resize
from textual.widgets import Input

from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.question import draw_question
from tavolata._ui.tui.drawing.runs import Block, wrapped
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.model.palette import Palette, PaletteItem
from tavolata._ui.tui.model.questions import Question
from tavolata._ui.tui.screens.frame import Frame, FrameScreen
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata.errors import Refused
from tavolata.messages import N_


class AskingScreen(FrameScreen):
    """A screen with a sheet `prompt` for questions and an input line `talk` for words."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(KEYS["answer"].keys, "answer", id="answer", priority=True),
        Binding(KEYS["take"].keys, "take", id="take", priority=True),
        Binding(KEYS["undo"].keys, "undo", id="undo", priority=True),
        Binding("escape", "back", show=False, priority=True),
        Binding("up,k", "step('up')", show=False, priority=True),
        Binding("down,j", "step('down')", show=False, priority=True),
        Binding("left,h", "step('left')", show=False, priority=True),
        Binding("right", "step('right')", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
    ]
    LETTERS: ClassVar[frozenset[str]] = frozenset({"answer", "take", "undo", "step"})
    """Actions whose keys are letters, or mean something else, while words are typed."""

    def __init__(self) -> None:
        super().__init__()
        self.columns = 1
        self.head = 0
        self.palette: Palette | None = None
        self.ready = False
        self._sheets = 0

    @property
    def frame(self) -> Frame:
        """The application."""
        return self.app  # type: ignore[return-value]  # every program of this package is one

    # -- overridden by each screen ----------------------------------------------------------------

    def question(self) -> Question | None:
        """The current question."""
        raise NotImplementedError

    def palette_items(self) -> list[PaletteItem]:
        """The items of the command palette."""
        raise NotImplementedError

    def pen(self, room: int) -> Pen:
        """The drawing context."""
        raise NotImplementedError

    def waiting(self) -> str:
        """The text of the prompt while nothing is asked."""
        return ""

    def sent(self, question: Question, answer: Any) -> None:
        """Handle a complete answer."""
        question.done(answer)

    def takes(self, event: Key) -> bool:
        """Handle a key that comes before all others; return whether it is one."""
        return False

    def go_on(self) -> None:
        """Handle the answer key while nothing is asked."""

    def scrolled(self) -> Sheet:
        """The sheet that page up and page down scroll."""
        raise NotImplementedError

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def is_whole(self) -> bool:
        """Whether all sheets exist; when the program ends, they are removed one by one."""
        if not self.ready or not self.size.width:
            return False
        here = len(self.query(Sheet))
        self._sheets = max(self._sheets, here)
        return here == self._sheets

    def sheet(self, name: str) -> Sheet:
        """The sheet of this name."""
        return self.query_one(f"#{name}", Sheet)

    @property
    def typing(self) -> bool:
        """Whether the input line is open now."""
        return self.ready and self.focused is self.query_one("#talk", Input)

    def on_resize(self, event: Resize) -> None:
        """Draw everything again."""
        self.draw()

    def draw_prompt(self) -> Block:
        """Draw the question, or the text for waiting."""
        room, question = max(1, self.size.width - 3), self.pointed_at()
        cursor, self.head = None, 0
        if question is not None:
            drawn = draw_question(
                question.prompt, question.draft, self.pen(room), question.ask, numbered=self.palette is None
            )
            block, self.columns, cursor, self.head = drawn.block, drawn.columns, drawn.cursor, drawn.head
        else:
            rows = [row for text in self.waiting().split("\n") for row in wrapped(text, "dim", room)]
            block = Block(tuple(rows))
        if self.trouble:
            lines = tuple(wrapped(self.trouble, "wrong", room))
            block = Block((*lines, *block.lines), tuple(spot.moved(0, len(lines)) for spot in block.spots))
            cursor = None if cursor is None else (cursor[0], cursor[1] + len(lines))
            self.head += len(lines)
        self.sheet("prompt").show(block, cursor=cursor or (0, 0))
        return block

    # -- keys -------------------------------------------------------------------------------------

    def hear(self, event: Key) -> bool:
        """Handle a key without a binding: a key of an open window, or a digit of a choice or amount."""
        if self.palette is not None:
            return self._find(self.palette, event)
        if self.typing:
            return False
        question = self.question()
        if self.takes(event):
            self.draw()
            return True
        if event.character and event.character in "0123456789" and question is not None:
            question.draft.digit(event.character)
            self.draw()
            return True
        return False

    # -- finding ----------------------------------------------------------------------------------

    def pointed_at(self) -> Question | None:
        """The question in the prompt: the palette's, else the current one."""
        return self.question() if self.palette is None else self.palette.question

    def find(self) -> None:
        """Open the command palette."""
        self.close_talk()
        self.trouble = ""
        self.palette = Palette(self.palette_items(), self.frame.say)
        self.draw()

    def _find(self, palette: Palette, event: Key) -> bool:
        """Handle a key while the palette is open; return False for keys that keep their usual meaning."""
        draft = palette.question.draft
        steps = {"up": -self.columns, "down": self.columns, "left": -1, "right": 1}
        if event.key in steps:
            draft.move(steps[event.key])
        elif event.key == "enter":
            self._found(palette)
        elif event.key in ("escape", "backspace", "ctrl+p") and not (
            palette.typed and event.key == "backspace"
        ):
            self.palette = None
        elif not palette.hear(event.key, event.character or ""):
            return False
        self.draw()
        return True

    def _found(self, palette: Palette) -> None:
        """Carry out the palette item under the cursor."""
        self.palette = None
        try:
            palette.question.done(palette.question.draft.enter())
        except Refused as refusal:
            self.trouble = self.pen(1).words.text(refusal.message, refusal.params)

    def choose(self, question: Question, place: int) -> None:
        """Choose from a question that was open when the palette was opened.

        Raises:
            Refused: the question is no longer open.
        """
        if self.question() is not question:
            raise Refused(N_("That is not asked any more."))
        question.draft.point(place)
        if question.draft.several:
            question.draft.mark()
        else:
            self.action_answer()

    def choices(self) -> list[PaletteItem]:
        """The legal choices of the current question."""
        question = self.question()
        if question is None:
            return []
        words, view = self.pen(1).words, self.pen(1).view
        return [
            PaletteItem(words.choice(choice, view), partial(self.choose, question, place), str(place + 1))
            for place, choice in enumerate(question.draft.choices)
        ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Turn off actions on letter keys while words are typed."""
        return not (self.typing and action in self.LETTERS)

    def action_step(self, where: str) -> None:
        """Move the cursor to another choice; without a question, scroll."""
        question = self.question()
        if question is None or (self.focused is not None and self.focused.id != "prompt"):
            self.scrolled().scroll_relative(y={"up": -1, "down": 1}.get(where, 0), animate=False)
            return
        across = -1 if question.draft.number else self.columns
        question.draft.move({"left": -1, "right": 1, "up": -across, "down": across}[where])
        self.draw()

    def action_page(self, by: int) -> None:
        """Scroll by a page."""
        sheet = self.scrolled()
        sheet.scroll_relative(y=by * max(1, sheet.size.height - 1), animate=False)

    def action_take(self) -> None:
        """Select a choice if several can be selected; go on if there is nothing to choose."""
        question = self.question()
        if question is not None and question.draft.several:
            question.draft.mark()
            self.draw()
        elif question is None or question.kind.count() == 1:
            self.action_answer()

    def action_undo(self) -> None:
        """Take back the last input that is not sent."""
        question = self.question()
        if question is not None and question.draft.undo():
            self.trouble = ""
            self.draw()

    def action_answer(self) -> None:
        """Send the answer under the cursor."""
        self.trouble = ""
        question = self.question()
        if question is None:
            self.go_on()
        else:
            try:
                answer = question.draft.enter()
                if answer is not None:
                    self.sent(question, answer)
            except Refused as refusal:
                self.trouble = self.pen(1).words.text(refusal.message, refusal.params)
        self.draw()

    def action_back(self) -> None:
        """Close what is open and return to the question."""
        raise NotImplementedError

    # -- mouse ------------------------------------------------------------------------------------

    @on(Sheet.Pointed, "#prompt")
    def _choice_clicked(self, event: Sheet.Pointed) -> None:
        self.point(event.thing)

    def point(self, place: int) -> None:
        """Move the cursor to a choice; if it is there already, send the choice."""
        question = self.pointed_at()
        if question is None:
            return
        again = question.draft.point(place)
        if self.palette is not None:
            if again:
                self._found(self.palette)
            self.draw()
            return
        if question.draft.several:
            question.draft.mark()
        elif again:
            self.action_answer()
            return
        self.draw()

    @on(Sheet.Pointed, "#keys")
    def _key_clicked(self, event: Sheet.Pointed) -> None:
        self.frame.press_named(event.thing)

    # -- words ------------------------------------------------------------------------------------

    def open_talk(self, begin: str = "") -> None:
        """Open the line for words."""
        self.palette = None
        talk = self.query_one("#talk", Input)
        talk.display, talk.value = True, begin
        talk.cursor_position = len(begin)
        self.set_focus(talk)
        self.draw()

    def close_talk(self) -> bool:
        """Close the line for words; return whether it was open."""
        talk = self.query_one("#talk", Input)
        opened, talk.value, talk.display = talk.display, "", False
        self.set_focus(self.sheet("prompt"))
        return opened

    @on(Input.Submitted, "#talk")
    def _said(self, event: Input.Submitted) -> None:
        event.stop()
        words = event.value.strip()
        self.close_talk()
        self.trouble = ""
        if words:
            try:
                self.typed(words)
            except Refused as refusal:
                self.trouble = self.pen(1).words.text(refusal.message, refusal.params)
        self.draw()

    def typed(self, words: str) -> None:
        """Handle typed words.

        Raises:
            Refused: the words have no meaning now.
        """
        raise NotImplementedError
