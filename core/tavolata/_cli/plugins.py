"""`tt plugins`: what was found where, and why something was left out."""

from __future__ import annotations

import json

from tavolata._cli.extra_commands import plugin_commands
from tavolata._cli.session import Session
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.index import read_index
from tavolata.messages import N_

FROM = N_("{name}: {distribution} {version}, {value} in {where}")
BRINGS = {
    "games": N_("games: {names}"),
    "bots": N_("bots: {names}"),
    "commands": N_("commands: {names}"),
}
NOTHING = N_("No plugin is installed.")


def plugins(session: Session) -> None:
    """List plugins, and why one was left out."""
    catalogue = Catalogue(read_index(fresh=True))  # the one command that never trusts the cache
    plugin_commands(catalogue)
    problems = catalogue.problems()
    if session.face == "json":
        for plugin in catalogue.plugins():
            session.out(json.dumps({"type": "plugin", **plugin.entry._asdict(), **plugin.brings}))
        for problem in problems:
            session.out(
                json.dumps({"type": "problem", "plugin": problem.plugin, "sentence": problem.sentence})
            )
        return
    for plugin in catalogue.plugins():
        session.out(session.text(FROM, plugin.entry._asdict()))
        for kind, names in plugin.brings.items():
            if names:
                session.out("  " + session.text(BRINGS[kind], {"names": ", ".join(names)}))
    if not catalogue.plugins():
        session.out(session.text(NOTHING))
    if problems:
        session.out()
    # Where several claim one name, each of them has the same sentence: it is said once.
    for sentence in dict.fromkeys(session.text(problem.message, problem.params) for problem in problems):
        session.out(sentence)
