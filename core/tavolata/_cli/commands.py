"""The table of the core's commands: for each name, its function and a one-line description.

This module holds only the table. `tt --help` is printed from it, so that no command is imported just to
be listed. A command is a function that imports heavy modules inside its body. It takes the
`CommandContext` and its words (see `words`), and may return its exit code.
"""

from __future__ import annotations

from typing import Final

from tavolata.messages import N_

COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("tavolata._cli.play:play", N_("Play here, against bots or together at one keyboard.")),
    "host": ("tavolata._cli.table:host", N_("Host a table on your network.")),
    "join": ("tavolata._cli.table:join", N_("Join a table.")),
    "tables": ("tavolata._cli.finding:tables", N_("List open tables nearby.")),
    "resume": ("tavolata._cli.resume:resume", N_("Resume a saved match.")),
    "forget": (
        "tavolata._cli.resume:forget",
        N_("Delete an unfinished match."),
    ),
    "history": (
        "tavolata._cli.history:history",
        N_("Show past matches, opponents and ratings."),
    ),
    "campaigns": (
        "tavolata._cli.campaigns:campaigns",
        N_("List, show or delete campaigns."),
    ),
    "replay": ("tavolata._cli.replay:replay", N_("Replay a match.")),
    "review": (
        "tavolata._cli.review:review",
        N_("Find the turning points and missed chances in a match."),
    ),
    "verify": ("tavolata._cli.verify:verify", N_("Verify a match: signatures, deals, rules.")),
    "new": ("tavolata._cli.workshop:new", N_("Start a new game package.")),
    "dev": ("tavolata._cli.dev:dev", N_("Play a game while you write it.")),
    "simulate": ("tavolata._cli.simulate:simulate", N_("Simulate many matches between bots.")),
    "check": ("tavolata._cli.workshop:check", N_("Test that a game does everything it has to.")),
    "publish": ("tavolata._cli.publish:publish", N_("Check and build a game for publishing.")),
    "doctor": ("tavolata._cli.finding:doctor", N_("Diagnose connection problems.")),
    "games": ("tavolata._cli.games:games", N_("List installed games.")),
    "install": ("tavolata._cli.install:install", N_("Install a game.")),
    "uninstall": ("tavolata._cli.install:uninstall", N_("Uninstall a game.")),
    "rules": ("tavolata._cli.rules:rules", N_("Read a game's rules.")),
    "plugins": (
        "tavolata._cli.games:plugins",
        N_("List plugins and any problems with them."),
    ),
}

PURE_OUTPUT: Final = frozenset({"check", "simulate"})
"""Commands that play many matches for a result on stdout, of which a game's own prints are no part."""

TEACHING: dict[str, str] = {
    "review": N_(
        "A thinker replays each decision, knowing only what the player knew, and finds missed chances: "
        "mistakes you could have avoided, not bad luck. Ctrl+C shows the results so far."
    ),
}
"""What the pages of some commands explain below their options, by the name of the command."""
