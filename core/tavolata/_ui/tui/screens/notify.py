"""Calling a person whose eyes are elsewhere: the bell, and a notification of the desktop.

What terminals understand differs: OSC 777 in foot, rxvt, WezTerm and Ghostty, OSC 9 in most others;
those that know neither show nothing. Inside tmux the sequence is wrapped, so that it reaches the
terminal around it.
"""

from __future__ import annotations

from collections.abc import Mapping

BELL = "\a"


def notification(title: str, text: str, environ: Mapping[str, str]) -> str:
    """The sequence that shows a notification in this terminal.

    Args:
        title: what it begins with.
        text: what it says; control signs in both are dropped.
        environ: the environment, which names the terminal.
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
