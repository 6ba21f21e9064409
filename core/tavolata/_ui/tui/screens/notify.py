"""Desktop notifications for a person who looks elsewhere, sent as terminal control sequences.

Terminals differ: foot, rxvt, WezTerm and Ghostty understand OSC 777, most others OSC 9. A terminal that
knows neither shows nothing. Inside tmux the sequence is wrapped, so that it reaches the outer terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tavolata._ui.answers import is_go
from tavolata._ui.tui.screens.frame import Looks
from tavolata._ui.words import Words
from tavolata.asks import Ask

BELL = "\a"


def notification(title: str, text: str, environ: Mapping[str, str]) -> str:
    """Return the sequence that shows a notification in this terminal.

    Control characters are removed from title and text; the environment names the terminal.
    """
    title, text = (_clean(words) for words in (title, text))
    terminal = environ.get("TERM_PROGRAM", "").lower()
    speaks_777 = terminal in ("wezterm", "ghostty") or environ.get("TERM", "").startswith(("foot", "rxvt"))
    body = f"777;notify;{title};{text}" if speaks_777 else f"9;{title}: {text}"
    sequence = f"\x1b]{body}\x1b\\"
    if environ.get("TMUX"):
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return sequence


def _clean(words: str) -> str:
    return "".join(sign for sign in words if sign.isprintable()).replace(";", ",")[:200]


class Notifier:
    def __init__(self, looks: Looks, write: Callable[[str], object]) -> None:
        self._looks = looks
        self._write = write
        self.focused = True

    def ring(self) -> None:
        if self._looks.bell:
            self._write(BELL)

    def call(self, ask: Ask, title: str, words: Words) -> None:
        """Call a person who looks elsewhere to a question of this game."""
        if self.focused or is_go(ask.question):
            return
        self.ring()
        if self._looks.notify:
            said = words.text(ask.you or ask.others, {"seat": ask.seat, **ask.params})
            self._write(notification(title, said, self._looks.environ))
