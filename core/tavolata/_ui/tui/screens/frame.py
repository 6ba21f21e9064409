"""The base classes of all full screens: appearance, language, keys, themes and Ctrl+C."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from textual import constants
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.events import Event, Key
from textual.screen import Screen
from textual.worker import WorkerFailed
from typing_extensions import override

from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.glyphs import ASCII, UNICODE
from tavolata._ui.tui.input import keys
from tavolata._ui.tui.model import pacer
from tavolata._ui.tui.widgets.patience import patient
from tavolata._ui.tui.widgets.themes import DARK, LIGHT, role_styles
from tavolata.messages import N_

ONCE_MORE = N_("Ctrl+C once more leaves; every other key stays.")
PATIENCE = 5.0
"""Seconds within which a second Ctrl+C leaves."""


@dataclass(frozen=True)
class Looks:
    """The person's settings for the screen.

    Attributes:
        ascii: whether to use only ASCII.
        color: whether to use colours.
        light: whether the background is light.
        keys: the table of keys in the config file.
        step: seconds for which one event is shown while others wait.
        bell: whether to ring when it is the person's turn and the terminal has no focus.
        notify: whether to show a notification then.
        environ: the environment, which names the terminal.
    """

    ascii: bool = False
    color: bool = True
    light: bool = False
    keys: object = None
    step: float = pacer.STEP
    bell: bool = True
    notify: bool = True
    environ: Mapping[str, str] = field(default_factory=dict)


class Left(NamedTuple):
    """The result of a program after the person has left it.

    Attributes:
        interrupted: whether it was interrupted.
        again: whether the person wants another match.
        command: the words of the command to run next; empty if there is none.
        setting: the name and value of a setting to save.
    """

    interrupted: bool = False
    again: bool = False
    command: tuple[str, ...] = ()
    setting: tuple[str, str] | None = None


class FrameScreen(Screen[None]):
    """A screen, as far as the program needs it.

    Attributes:
        trouble: an error to show with the question, or "".
    """

    trouble = ""

    @property
    def typing(self) -> bool:
        """Whether words are typed now."""
        raise NotImplementedError

    def hear(self, event: Key) -> bool:
        """Handle a key without a binding; return False if it has no meaning here."""
        raise NotImplementedError

    def find(self) -> None:
        """Open the command palette."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draw the current state."""
        raise NotImplementedError


class Frame(App[Left]):
    """A program on a full screen.

    Args:
        translator: the language.
        looks: the appearance.

    Attributes:
        glyphs: the characters to draw with.
        failure: an exception to raise again after the screen is closed.
        role_styles: the style of each role.
    """

    ENABLE_COMMAND_PALETTE = False
    CSS = """
        Screen { layout: vertical; background: $background; }
        #status, #keys, #talk { height: 1; padding: 0 1; }
        #status, #keys { background: $panel; }
        #talk { border: none; background: $surface; }
        #middle { height: 1fr; }
        #board { width: 1fr; padding: 0 1; }
        #side { padding: 0 2; border-left: solid $edge; }
        #side.-ascii { border-left: ascii $edge; }
        #side.-narrow { border-left: none; padding: 0 1; }
        #news, #prompt { padding: 0 1; }
        #prompt { background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave_now", show=False, priority=True),
        Binding(keys.KEYS["quit"].keys, "ask_to_leave", id="quit", priority=True),
        Binding(keys.KEYS["help"].keys, "help", id="help", priority=True),
        Binding(keys.KEYS["commands"].keys, "commands", id="commands", priority=True),
    ]

    def __init__(self, translator: Translator, looks: Looks) -> None:
        super().__init__(ansi_color=None if looks.color else True)
        self.translator = translator
        self.looks = looks
        self.ascii = looks.ascii
        self.glyphs = ASCII if looks.ascii else UNICODE
        self.failure: BaseException | None = None
        self.keymap = keys.keymap(looks.keys)
        self._interrupted = -PATIENCE
        self._held = ExitStack()
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = "light" if looks.light else "dark"
        self.role_styles = role_styles(self.current_theme, color=looks.color)

    @override
    def get_driver_class(self) -> type[Driver]:
        """A driver that does not block when the terminal does not read."""
        driver = super().get_driver_class()
        return driver if constants.DRIVER else patient(driver)  # a browser's has no terminal

    def hold(self) -> None:
        """Pause drawing, because the terminal has not read the earlier frames."""
        self._held.enter_context(self.batch_update())

    def let_go(self) -> None:
        """Resume drawing with everything that has changed."""
        self._held.close()
        self.refresh()

    def begin(self) -> None:
        """Prepare the terminal when the screen is open."""
        self.set_keymap(self.keymap)
        self.write("\x1b[?25h")  # the terminal's cursor follows what matters, for magnifiers and readers

    def write(self, sequence: str) -> None:
        """Send a control sequence to the terminal."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def say(self, message: str, params: Mapping[str, object] | None = None) -> str:
        """A message of the program in the person's language."""
        return self.translator.text(message, params)

    def key(self, name: str) -> str:
        """The key for this action, with its name for people."""
        return self.say(keys.shown(self.keymap[name]))

    def press_named(self, name: str) -> None:
        """Carry out the action of a key whose name was clicked."""
        if name:
            self.simulate_key(self.keymap.get(name, name).partition(",")[0])

    @override
    async def on_event(self, event: Event) -> None:
        """Handle keys in their order, however fast they come.

        Textual would send a key through the queue of the widget that has the focus now. Keys typed in
        advance are meant for an input line or a question that is not open yet, and would miss it.
        """
        if not (isinstance(event, Key) and not event.is_forwarded and self._heard(event)):
            await super().on_event(event)

    def _heard(self, event: Key) -> bool:
        return isinstance(self.screen, FrameScreen) and self.screen.hear(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Turn off actions on letter keys while words are typed."""
        typing = self.asking is not None and self.asking.typing
        return not (typing and action in {"ask_to_leave", "help", "commands"})

    def action_leave_now(self) -> None:
        """Ask before leaving with Ctrl+Q, which other Textual programs use, too."""
        self.action_ask_to_leave()

    @property
    def asking(self) -> FrameScreen | None:
        """The screen that asks."""
        return next((one for one in reversed(self.screen_stack) if isinstance(one, FrameScreen)), None)

    def action_interrupt(self) -> None:
        """Ask at the first Ctrl+C, and leave at the second."""
        now = time.monotonic()
        if now - self._interrupted < PATIENCE:
            self.exit(Left(interrupted=True))
            return
        self._interrupted = now
        if screen := self.asking:
            screen.trouble = self.say(ONCE_MORE)
            screen.draw()

    def action_theme(self) -> None:
        """Switch between the light and the dark theme."""
        self.theme = "dark" if self.theme == "light" else "light"
        self.role_styles = role_styles(self.current_theme, color=self.looks.color)
        self.screen.refresh(layout=True)

    def action_ask_to_leave(self) -> None:
        """Ask before leaving if something would be interrupted."""
        self.exit(Left())

    def action_help(self) -> None:
        """Show the help page."""

    def action_commands(self) -> None:
        """Open the command palette."""
        if screen := self.asking:
            screen.find()

    # -- errors -----------------------------------------------------------------------------------

    def _print_error_renderables(self) -> None:
        """Print no error, because the caller of the screen reports it in one sentence."""

    def _handle_exception(self, error: Exception) -> None:
        cause = error.error if isinstance(error, WorkerFailed) else error
        self.failure = self.failure or cause
        super()._handle_exception(error)
