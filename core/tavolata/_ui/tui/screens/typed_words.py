"""What people type at a table: talk to all, whispers with or without a stroke, and commands with one.

A palette finds commands, too, and everything else that is possible now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from tavolata._engine.sessions.session import TableSession
from tavolata._ui.scene.text import items_of
from tavolata._ui.talk import TO
from tavolata._ui.tui.drawing.markdown import topics
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.model.prompt import PaletteItem, Rows, Say
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.frame import Frame
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
    names = (*session.names, *session.lately_gone)
    return word.lower() in (TO, say(TO)) and _first(rest) in map(_first, names)


def _first(words: str) -> str:
    """Return the first word, without the signs that may be around it in a whisper: `to @Ben, Cleo: psst`."""
    return words.strip().removeprefix("@").replace(",", " ").replace(":", " ").partition(" ")[0].casefold()


TALK_TO = N_("talk to {name}")
DESCRIBE = N_("show in full: {what}")
READ = N_("rules: {topic}")
COMMAND = N_("{word}: {what}")
THEME = N_("Switch between the light and dark themes.")
ACTS: Final = ("talk", "take_back", "advice", "log", "rules", "seats", "help", "quit")
"""The keys whose actions are found."""


def found(
    frame: Frame, model: TableModel, pages: Pages, standing: Rows, act: Callable[[str], object]
) -> list[PaletteItem]:
    """Return everything possible now, the choices of the question first.

    `standing` are the acts out of turn; `act` carries out the action of a key.
    """
    hidden = model.curtain() is not None
    return [
        *([] if hidden else frame.prompt.choices(frame.pen(1).view)),
        *(PaletteItem(what, do) for what, do in standing),
        *_players(frame, model),
        *([] if hidden else _zones(frame, model, pages)),
        *_commands(frame, pages, act),
        *_chapters(frame, pages),
    ]


def _players(frame: Frame, model: TableModel) -> Iterator[PaletteItem]:
    own, to = model.named_here(), frame.say(TO)
    for seat, name in enumerate(model.session.names):
        if seat not in own or len(own) > 1:
            talk = partial(frame.action_talk, f"/{to} {name} ")
            yield PaletteItem(frame.say(TALK_TO, {"name": name}), talk)


def _zones(frame: Frame, model: TableModel, pages: Pages) -> Iterator[PaletteItem]:
    view = model.view()
    for item in [] if view is None else items_of(view, model.words()):
        yield PaletteItem(frame.say(DESCRIBE, {"what": item.named}), partial(pages.describe, item.zone.id))


def _commands(frame: Frame, pages: Pages, act: Callable[[str], object]) -> Iterator[PaletteItem]:
    """Yield the keys' actions, and the other commands of this table, which the person completes."""
    for name in ACTS:
        key = KEYS[name]
        yield PaletteItem(frame.say(key.why), partial(act, name), frame.say(key.what))
    for word, what in pages.commands.table_words().items():
        if what:
            said = {"word": frame.say(word), "what": frame.say(what)}
            yield PaletteItem(frame.say(COMMAND, said), partial(frame.action_talk, f"/{said['word']} "))
    yield PaletteItem(frame.say(THEME), frame.action_theme)


def _chapters(frame: Frame, pages: Pages) -> Iterator[PaletteItem]:
    for topic in topics(pages.rules()):
        yield PaletteItem(frame.say(READ, {"topic": topic}), partial(pages.read_rules, topic))
