"""The typed words: talk to all, whispers with or without a stroke, and commands with one."""

from __future__ import annotations

from tavolata._engine.sessions.session import TableSession
from tavolata._ui.talk import TO
from tavolata._ui.tui.model.questions import Say
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.pages import Pages
from tavolata.messages import N_


def hear(words: str, model: TableModel, pages: Pages, say: Say) -> None:
    """Send words to all, send "/to NAME words" to one player, or carry out "/command".

    Raise `Refused` if that's impossible now.
    """
    word, _, rest = words.removeprefix("/").partition(" ")
    if not (words.startswith("/") or _is_whisper(word, rest, model.session, say)):
        model.session.say(words, (), model.seat())
    elif word.lower() in ("?", "help", say(N_("help"))):
        pages.turn_to("help")
    elif word.lower() in ("rules", say(N_("rules"))):
        pages.read_rules(rest.strip())
    else:
        pages.commands.do(f"/{word} {rest}")


def _is_whisper(word: str, rest: str, session: TableSession, say: Say) -> bool:
    """Return True if words without a stroke are for one player: typed so, they mustn't go to everyone."""
    name = rest.strip().removeprefix("@").partition(" ")[0].casefold()
    return word.lower() in (TO, say(TO)) and name in (
        one.partition(" ")[0].casefold() for one in session.names
    )
