"""The base class of both full screens, home and table: appearance, keys, the prompt, words, Ctrl+C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

from rich.control import Control
from textual import constants, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Event, Key, Resize
from textual.widgets import Input
from textual.worker import WorkerFailed
from typing_extensions import override

from tavolata._ui.answers import own_words
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.say import in_ascii
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.drawing.lines import key_line
from tavolata._ui.tui.drawing.question import draw_question
from tavolata._ui.tui.drawing.runs import Block, stacked, wrapped
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.input import keys
from tavolata._ui.tui.model.director import loop_time
from tavolata._ui.tui.model.prompt import BEGIN, PaletteItem, Prompt, PromptQuestion
from tavolata._ui.tui.widgets.patience import patient
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._ui.tui.widgets.themes import DARK, LIGHT, role_styles
from tavolata.errors import Refused
from tavolata.kinds.question import Writing
from tavolata.messages import N_

SAY_IT, CHOOSE, BACK = N_("say it"), N_("choose"), N_("back")
Writes = tuple[PromptQuestion, int]
"""A question for a text, and the number of its field: what the input line is open for, or was."""
ONCE_MORE = N_("Ctrl+C to quit, any other key to stay.")
PATIENCE = 5.0
"""Seconds within which a second Ctrl+C leaves."""


@dataclass(frozen=True)
class Looks:
    """The person's settings for the screen.

    `pace` is the factor of the time for which each moment is shown; 0 shows everything at once. `bell` and
    `notify` apply when it's the person's turn and the terminal has no focus. `environ` names the terminal.
    """

    ascii: bool = False
    color: bool = True
    light: bool = False
    keys: object = None
    pace: float = 1.0
    bell: bool = True
    notify: bool = True
    environ: Mapping[str, str] = field(default_factory=dict)


SMALL: Final = 9
"""The rows of a screen below which a question has all of it."""
RESIZED: Final = 0.05
"""Seconds after which a new size is in force: Textual gathers the sizes of a window that is being drawn."""


class Left(NamedTuple):
    """The result of a program after the person has left it, or a signal of the system stopped it.

    `again` asks for another match, `game` for one of that game with the same people, `watch` to see the match
    again and come back here. `command` has the words of the command to run next, `setting` the name and value
    of a setting to save.
    """

    interrupted: bool = False
    stopped: bool = False
    again: bool = False
    game: str = ""
    watch: bool = False
    command: tuple[str, ...] = ()
    setting: tuple[str, str] | None = None


def named_key(name: str, action: str = "") -> Binding:
    """Return the binding of a key in the table of keys; its action has the same name by default."""
    return Binding(keys.KEYS[name].keys, action or name, id=name, priority=True)


class Frame(App[Left]):
    """A program on a full screen: sheets, a prompt for questions, and an input line `talk` for words.

    `failure` is raised again after the screen is closed. `head` counts the lines in the prompt before the
    choices.
    """

    ENABLE_COMMAND_PALETTE = False
    CSS = """
        Screen { layout: vertical; background: $background; layers: default above; }
        #status, #keys, #talk { height: 1; padding: 0 1; }
        #status, #keys { background: $panel; }
        #talk { border: none; background: $surface; }
        #middle { height: 1fr; }
        #board { width: 1fr; padding: 0 1; }
        #table { height: 1fr; scrollbar-size: 0 0; }
        #page { layer: above; border: solid $edge; background: $surface; padding: 0 1; }
        #page.-ascii { border: ascii $edge; }
        #side { padding: 0 2; border-left: solid $edge; }
        #side.-ascii { border-left: ascii $edge; }
        #side.-narrow { border-left: none; padding: 0 1; }
        #news, #prompt { padding: 0 1; }
        #prompt { background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave_now", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("escape", "escape", show=False, priority=True),
        Binding("up,k", "step('up')", show=False, priority=True),
        Binding("down,j", "step('down')", show=False, priority=True),
        Binding("left,h", "step('left')", show=False, priority=True),
        Binding("right", "step('right')", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
        *(named_key(name) for name in ("answer", "take", "undo", "help", "commands")),
        named_key("quit", "ask_to_leave"),
    ]
    LETTERS: ClassVar[frozenset[str]] = frozenset(
        {"ask_to_leave", "help", "commands", "answer", "take", "undo", "step"}
    )
    """Actions whose keys are letters, or mean something else, while words are typed."""
    TALK_LINE: ClassVar[str] = ""
    """What the empty input line says; a message id."""

    def __init__(self, translator: Translator, looks: Looks) -> None:
        if not looks.color:
            os.environ["NO_COLOR"] = "1"  # Textual's own way to be told
        super().__init__(ansi_color=None if looks.color else True)
        self.translator = translator
        self.looks = looks
        self.ascii = looks.ascii
        self.glyphs = ASCII if looks.ascii else UNICODE
        self.failure: BaseException | None = None
        self.keymap = keys.keymap(looks.keys)
        self.prompt = Prompt(self.question, lambda: self.pen(1).words, self.sent)
        self.head = 0
        self._line: Writes | None = None
        self._opened: Writes | None = None
        self._begun = False
        self._sheets = 0
        self._interrupted = -PATIENCE
        self._held = ExitStack()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = "light" if looks.light else "dark"
        self.role_styles = role_styles(self.current_theme, color=looks.color)

    @override
    def get_driver_class(self) -> type[Driver]:
        """Return a driver that doesn't block when the terminal doesn't read."""
        driver = super().get_driver_class()
        return driver if constants.DRIVER else patient(driver)  # a browser's has no terminal

    def hold(self) -> None:
        """Pause drawing, because the terminal hasn't read the earlier frames."""
        self._held.enter_context(self.batch_update())

    def let_go(self) -> None:
        self._held.close()
        self.refresh()

    def begin(self) -> None:
        self.set_keymap(self.keymap)
        self.write("\x1b[?25h")  # the terminal's cursor follows what matters, for magnifiers and readers
        self._begun = True
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self._laid_out(), immediate=True)
        self.query_one("#talk").display = False
        self.set_focus(self.main)
        self.draw()

    def _laid_out(self) -> None:
        """Move the terminal's cursor when the layout has moved what it's on."""
        before, focused = self.cursor_position, self.focused
        if isinstance(focused, Sheet):
            focused.place_cursor()
        if self.cursor_position != before:  # this frame is written already
            self.write(Control.move_to(*self.cursor_position).segment.text)

    # -- overridden by each screen ----------------------------------------------------------------

    @override
    def compose(self) -> ComposeResult:
        only = self.ascii
        yield Sheet(id="status", ascii_only=only, focusable=False)
        yield Sheet(id="board", ascii_only=only)
        yield Sheet(id="prompt", ascii_only=only)
        yield Input(id="talk", compact=True, select_on_focus=False)
        yield Sheet(id="keys", ascii_only=only, focusable=False)

    def question(self) -> PromptQuestion | None:
        return None

    @property
    def findable(self) -> str:
        """The message id that says what can be typed in the palette."""
        return BEGIN

    def palette_items(self) -> list[PaletteItem]:
        return []

    def pen(self, room: int) -> Pen:
        raise NotImplementedError

    def draw(self) -> None:
        raise NotImplementedError

    def waiting(self) -> str:
        """The text of the prompt while nothing is asked."""
        return ""

    def sent(self, question: PromptQuestion, answer: Any) -> None:
        question.done(answer)

    def go_on(self) -> None:
        """Handle the answer key while nothing is asked."""

    def keys_now(self) -> list[str]:
        """Return the names of the keys that matter now."""
        return []

    def point_at(self, place: int) -> None:
        """Handle a click on a choice."""
        self.prompt.point(place)

    def typed(self, words: str) -> None:
        """Handle typed words; raise `Refused` if they have no meaning now."""
        raise NotImplementedError

    @property
    def main(self) -> Sheet:
        """The sheet with the question."""
        return self.sheet("prompt")

    def scrolled(self) -> Sheet:
        """The sheet that page up and page down scroll."""
        return self.sheet("board")

    def action_escape(self) -> None:
        raise NotImplementedError

    def action_help(self) -> None:
        raise NotImplementedError

    # -- drawing ----------------------------------------------------------------------------------

    @property
    def is_whole(self) -> bool:
        """Return True if all sheets exist; when the program ends, they're removed one by one."""
        if not self._begun or not self.size.width:
            return False
        here = len(self.query(Sheet))
        self._sheets = max(self._sheets, here)
        return here == self._sheets

    def sheet(self, name: str) -> Sheet:
        return self.query_one(f"#{name}", Sheet)

    @property
    def typing(self) -> bool:
        return self._begun and self.focused is self.query_one("#talk", Input)

    def on_resize(self, event: Resize) -> None:
        """Draw everything again, and once more when Textual has taken over the new size."""
        self.draw()
        if event.size != self.size:
            self.set_timer(RESIZED, self.draw)

    def draw_prompt(self) -> Block:
        room, question, trouble = max(1, self.size.width - 3), self.prompt.shown, self.prompt.trouble
        cursor, self.head, pen = (0, 0), 0, self.pen(room)
        if question is not None:
            block, self.prompt.columns, cursor, self.head = draw_question(
                question.prompt, question.draft, pen, question.ask,
                numbered=self.prompt.palette is None,
            )  # fmt: skip
        else:
            texts = pen.plainly(self.waiting()).split("\n")
            block = Block(tuple(row for text in texts for row in wrapped(text, "dim", room)))
        if trouble:
            said, first = wrapped(pen.plainly(trouble), "wrong", room), 0
            if self.size.height < SMALL and self.head:  # the question begins above it, a choice stays below
                said, first = said[: max(1, self.size.height - 2)], 1
            below = tuple(spot.moved(0, -first) for spot in block.spots)
            block = stacked(
                [Block(block.lines[:first]), Block(tuple(said)), Block(block.lines[first:], below)]
            )
            self.head = len(said) + (first or self.head)
            cursor = (cursor[0], cursor[1] + len(said) * (question is not None))
        self.sheet("prompt").show(block, cursor=cursor)
        return block

    def draw_keys(self, names: Sequence[str]) -> None:
        self.sheet("keys").show(key_line(self.shown_keys(names), self.size.width - 2))

    def shown_keys(self, names: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return name, label and action of these keys, or of those of the open word line or palette."""
        shown = [(name, self.key(name), self.plainly(keys.KEYS[name].what)) for name in names]
        if self.typing or self.prompt.palette is not None:
            done = self.say(SAY_IT if self.typing else CHOOSE)
            if self.typing and self._line is not None:
                done = self.say(keys.KEYS["answer"].what)
            shown = [
                ("answer", self.key("answer"), done),
                ("", keys.ESCAPE, self.say(BACK)),
            ]
        return shown

    def write(self, sequence: str) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def say(self, message: str, params: Mapping[str, object] | None = None) -> str:
        return self.translator.text(message, params)

    def plainly(self, message: str, params: Mapping[str, object] | None = None) -> str:
        """Return the message in the letters that this screen can draw."""
        text = self.say(message, params)
        return in_ascii(text) if self.ascii else text

    def key(self, name: str) -> str:
        return self.say(keys.shown(self.keymap[name]))

    @override
    async def on_event(self, event: Event) -> None:
        """Handle keys in their order, however fast they come.

        Textual would send a key through the queue of the widget that has the focus now. Keys typed in
        advance are meant for an input line or a question that is not open yet, and would miss it.
        """
        if isinstance(event, Key) and not event.is_forwarded and event.key != "ctrl+c":
            self._stay()
        if not (isinstance(event, Key) and not event.is_forwarded and self._heard(event)):
            await super().on_event(event)

    def _heard(self, event: Key) -> bool:
        """Handle a key of the palette, of an open window or of a choice, or a digit."""
        if self.prompt.palette is not None:
            heard = self.prompt.hear(event.key, event.character or "")
        else:
            heard = not self.typing and (self.takes(event) or self._digit(event.character or " "))
        if heard:
            self.draw()
        return heard

    def takes(self, event: Key) -> bool:
        """Handle a key that comes before all others; return True if it is one."""
        return False

    def _digit(self, character: str) -> bool:
        question = self.question()
        if question is None or character not in "0123456789":
            return False
        question.aims, self.prompt.trouble = True, ""
        question.draft.digit(character)
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not (self.typing and action in self.LETTERS)

    # -- actions ----------------------------------------------------------------------------------

    def action_step(self, where: str) -> None:
        if self.question() is None or self.focused is not self.main:
            self.scrolled().scroll_relative(y={"up": -1, "down": 1}.get(where, 0), animate=False)
        else:
            self.prompt.step(where)
            self.draw()

    def action_page(self, by: int) -> None:
        sheet = self.scrolled()
        sheet.scroll_relative(y=by * max(1, sheet.size.height - 1), animate=False)

    def action_take(self) -> None:
        """Select a choice if several can be selected; continue if there's nothing to choose."""
        question = self.question()
        if question is not None and question.draft.several:
            question.draft.mark()
            self.draw()
        elif question is None or question.kind.count() == 1:
            self.action_answer()

    def action_undo(self) -> None:
        self.prompt.undo()
        self.draw()

    def action_answer(self) -> None:
        question = self.question()
        if question is None:
            self.prompt.trouble = ""
            self.go_on()
        elif not self.writes_again():
            self.prompt.enter()
        self.draw()

    def writes_again(self) -> bool:
        """Open the line again for a text that isn't written yet; return False if none is asked."""
        question = self.question()
        if question is None or not question.draft.writing or question.draft.typed:
            return False
        self._opened = None  # the draw opens the line
        return True

    def action_leave_now(self) -> None:
        """Ask before leaving with Ctrl+Q, which other Textual programs use, too."""
        self.action_ask_to_leave()

    @override
    def action_suspend_process(self) -> None:
        """Stop the process group, as Ctrl+Z does anywhere; do nothing where nobody could continue it."""
        if sys.platform != "win32" and self._driver is not None and self._driver.can_suspend:
            group = os.getpgrp()
            if group != os.getsid(0):  # the session's first group has no shell above it
                self.app_suspend_signal.publish(self)
                os.killpg(group, signal.SIGTSTP)

    @on(Driver.SignalResume)
    def _drawn_again(self) -> None:
        """Draw the whole screen after a stop: Textual draws only what has changed since."""
        self.refresh(layout=True)

    def action_interrupt(self) -> None:
        """Ask at the first Ctrl+C, and leave at the second."""
        now = loop_time()
        if now - self._interrupted < PATIENCE:
            self.exit(Left(interrupted=True))
            return
        self._interrupted = now
        self.prompt.trouble = self.say(ONCE_MORE)
        self.draw()
        self.set_timer(PATIENCE, partial(self._stay, now))

    def _stay(self, since: float | None = None) -> None:
        """Forget the first Ctrl+C, of this time or any, and take away the sentence that no longer holds."""
        if self._interrupted == -PATIENCE or since not in (None, self._interrupted):
            return
        self._interrupted = -PATIENCE
        if self.prompt.trouble == self.say(ONCE_MORE):
            self.prompt.trouble = ""
            self.draw()

    def action_theme(self) -> None:
        self.theme = "dark" if self.theme == "light" else "light"
        self.role_styles = role_styles(self.current_theme, color=self.looks.color)
        self.screen.refresh(layout=True)

    def action_ask_to_leave(self) -> None:
        """Ask before leaving if something would be interrupted."""
        self.exit(Left())

    def action_commands(self) -> None:
        self.close_talk()
        self.prompt.open(self.palette_items(), self.findable)
        self.draw()

    # -- mouse ------------------------------------------------------------------------------------

    @on(Sheet.Pointed, "#prompt")
    def _choice_clicked(self, event: Sheet.Pointed) -> None:
        self.point_at(event.thing)
        self.draw()

    @on(Sheet.Pointed, "#keys")
    def _key_clicked(self, event: Sheet.Pointed) -> None:
        self.press_named(event.thing)

    def press_named(self, name: str) -> None:
        if name:
            self.simulate_key(self.keymap.get(name, name).partition(",")[0])

    # -- words ------------------------------------------------------------------------------------

    def write_answer(self) -> None:
        """Open the line for a text that is asked, once; close it when that isn't asked any more."""
        question = self.question()
        asked: Writes | None = None
        if question is not None and question.draft.writing:
            asked = question, len(question.draft.given)
        if self.typing and self._line not in (None, asked):
            self.close_talk()
        if asked is None or self.typing or self._opened == asked or self.prompt.palette is not None:
            return
        shape, typed = asked[0].draft.shape, asked[0].draft.typed
        assert isinstance(shape, Writing)
        self._open_line(typed, own_words(shape, self.pen(1).words))
        self._line = self._opened = asked

    def action_talk(self, begin: str = "") -> None:
        self._open_line(begin, self.say(self.TALK_LINE) if self.TALK_LINE else "")
        self.draw()

    def _open_line(self, begin: str, placeholder: str) -> None:
        self.prompt.palette, self._line = None, None
        talk = self.query_one("#talk", Input)
        talk.placeholder = placeholder
        talk.display, talk.value = True, begin
        talk.cursor_position = len(begin)
        self.set_focus(talk)

    def close_talk(self) -> bool:
        """Close the line for words; return True if it was open."""
        talk = self.query_one("#talk", Input)
        if self._line is not None:  # what is typed stays in the answer
            self._line[0].draft.typed = talk.value
        opened, talk.value, talk.display, self._line = talk.display, "", False, None
        self.set_focus(self.main)
        return opened

    @on(Input.Submitted, "#talk")
    def _said(self, event: Input.Submitted) -> None:
        event.stop()
        words, line = event.value.strip(), self._line
        self.close_talk()
        self.prompt.trouble = ""
        if line is not None:
            self.prompt.enter()
            if self.prompt.trouble:
                self._opened = None  # the draw opens the line again
        elif words:
            try:
                self.typed(words)
            except Refused as refusal:
                self.prompt.refuse(refusal)
        self.draw()

    # -- errors -----------------------------------------------------------------------------------

    def _print_error_renderables(self) -> None:
        """Print no error, because the caller of the screen reports it in one sentence."""

    def _handle_exception(self, error: Exception) -> None:
        cause = error.error if isinstance(error, WorkerFailed) else error
        self.failure = self.failure or cause
        super()._handle_exception(error)
