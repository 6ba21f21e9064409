"""The table of the core's commands: for each name, its function and a one-line description.

This module holds only the table. `tt --help` is printed from it, so that no command is imported just to
be listed. A command is a function that imports heavy modules inside its body. It takes the
`CommandContext` and its words (see `words`), and may return its exit code.
"""

from __future__ import annotations

from typing import Final

from tavolata.messages import N_

COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("tavolata._cli.play:play", N_("Play a match here, against bots or at one keyboard.")),
    "host": ("tavolata._cli.table:host", N_("Open a table on the network.")),
    "join": ("tavolata._cli.table:join", N_("Sit down at a table on the network.")),
    "tables": ("tavolata._cli.finding:tables", N_("List the tables on the network.")),
    "resume": ("tavolata._cli.resume:resume", N_("Go on with a match that was left or cut off.")),
    "forget": (
        "tavolata._cli.resume:forget",
        N_("Throw a match away that waits to go on, with its secrets."),
    ),
    "history": (
        "tavolata._cli.history:history",
        N_("List the matches that were played here, opponents and ratings."),
    ),
    "campaigns": (
        "tavolata._cli.campaigns:campaigns",
        N_("List the campaigns that are kept here, show one, or remove one."),
    ),
    "replay": ("tavolata._cli.replay:replay", N_("Watch a match again, turn by turn.")),
    "review": (
        "tavolata._cli.review:review",
        N_("See where the chances of a match turned, and what was missed."),
    ),
    "verify": ("tavolata._cli.verify:verify", N_("Check a match: signatures, dealing, rules.")),
    "new": ("tavolata._cli.workshop:new", N_("Begin a game of your own, in a new folder.")),
    "dev": ("tavolata._cli.dev:dev", N_("Play a game while you write it.")),
    "simulate": ("tavolata._cli.simulate:simulate", N_("Play many matches between bots, and measure them.")),
    "check": ("tavolata._cli.workshop:check", N_("Try a game by all the rules for games.")),
    "doctor": ("tavolata._cli.finding:doctor", N_("Say what is in the way of finding and joining tables.")),
    "games": ("tavolata._cli.games:games", N_("List the games that can be played here.")),
    "install": ("tavolata._cli.install:install", N_("Install a game that somebody has published.")),
    "uninstall": ("tavolata._cli.install:uninstall", N_("Remove a game that was installed.")),
    "rules": ("tavolata._cli.rules:rules", N_("Read the rules of a game, or one chapter of them.")),
    "plugins": (
        "tavolata._cli.games:plugins",
        N_("List plugins, and why one was left out."),
    ),
}

PURE_OUTPUT: Final = frozenset({"check", "simulate"})
"""Commands that play many matches for a result on stdout, of which a game's own prints are no part."""

TEACHING: dict[str, str] = {
    "review": N_(
        "A thinker looks at every decision of a seat. It knows what that seat could know then and no more, "
        "tries the answers in many worlds that could have been the true one, and says how often each of them "
        "wins. What was played counts as missed where something else did clearly better there: so a mistake "
        "is one that could be seen then, not bad luck. Reactions and interjections are not looked at. More "
        "time, as with --think 5 --within 600, makes the numbers surer. Ctrl+C ends it and shows what it has "
        "by then."
    ),
}
"""What the pages of some commands explain below their options, by the name of the command."""
