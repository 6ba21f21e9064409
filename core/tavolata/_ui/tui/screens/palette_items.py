"""The items of the command palette at a table: choices, interjections, players, zones, commands, rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tavolata._ui.chapters import topics
from tavolata._ui.descriptions import title_of
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.model.palette import PaletteItem
from tavolata._ui.tui.screens.app import TableApp, TableView
from tavolata.messages import N_

TALK_TO = N_("talk to {name}")
DESCRIBE = N_("tell all of: {what}")
READ = N_("rules: {topic}")
COMMAND = N_("{word}: {what}")
THEME = N_("Change between the light and the dark theme.")


def palette_items(app: TableApp, table: TableView) -> list[PaletteItem]:
    """All actions that are possible now, the choices of the question first."""
    hidden = app.model.curtain() is not None
    return [
        *([] if hidden else table.choices()),
        *(PaletteItem(what, do) for what, do in app.standing()),
        *_players(app, table),
        *([] if hidden else _zones(app)),
        *_commands(app, table),
        *(
            PaletteItem(app.say(READ, {"topic": topic}), partial(app.read_rules, topic))
            for topic in topics(app.rules())
        ),
    ]


def _players(app: TableApp, table: TableView) -> list[PaletteItem]:
    names, own = app.session.names, app.session.people
    return [
        PaletteItem(
            app.say(TALK_TO, {"name": name}), partial(table.action_talk, f"/{app.say(N_('to'))} {name} ")
        )
        for seat, name in enumerate(names)
        if seat not in own or len(own) > 1
    ]


def _zones(app: TableApp) -> list[PaletteItem]:
    view = app.model.view()
    if view is None:
        return []
    words = app.model.words()
    return [
        PaletteItem(app.say(DESCRIBE, {"what": title_of(zone, words, view)}), partial(app.describe, zone.id))
        for zone in view.zones().values()
    ]


def _commands(app: TableApp, table: TableView) -> list[PaletteItem]:
    acts: dict[str, Callable[[], object]] = {
        "talk": table.action_talk,
        "log": lambda: table.action_view("log"),
        "rules": lambda: table.action_view("rules"),
        "seats": table.action_seats,
        "help": app.action_help,
        "quit": app.action_ask_to_leave,
    }
    found = [
        PaletteItem(app.say(KEYS[name].why), act, app.say(KEYS[name].what)) for name, act in acts.items()
    ]
    found += [
        PaletteItem(
            app.say(COMMAND, {"word": app.say(word), "what": app.say(what)}), partial(app.offer, word)
        )
        for word, what in app.offered().items()
    ]
    return [*found, PaletteItem(app.say(THEME), app.action_theme)]
