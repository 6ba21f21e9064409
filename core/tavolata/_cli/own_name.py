"""The player's own name: the given one, the kept one, or the one that a newcomer types."""

from __future__ import annotations

import getpass

from tavolata._cli.choosing import typed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.keeping import keep_setting
from tavolata._text import one_line
from tavolata.messages import N_

LONGEST = 24
"""The characters of the longest name, as at every table."""
CALLED = N_("What are you called? [{name}] ")
NO_NAME = N_("A name has 1 to {n} letters or other signs that can be shown, and no @.")
KEPT = N_("You are {name} from now on; `tt` alone changes your name.")


def own_name(context: CommandContext, given: str | None) -> str:
    """The player's name: the given one, else the configured one, else the system's user name."""
    name = one_line(given or _configured(context) or _user(), LONGEST).replace("@", "")
    if not name:
        raise UsageError(N_("A name needs at least one letter."))
    return name


def asked_name(context: CommandContext, given: str | None, *, bot: str | None) -> str:
    """The player's name; somebody at a terminal who never gave one is asked, and the answer is kept.

    Args:
        context: the run of `tt`.
        given: the name on the command line.
        bot: the level of the bot that plays for the person; who lets one play is not asked.

    Raises:
        KeyboardInterrupt: the input has ended, so nobody can answer.
    """
    name = own_name(context, given)
    asks = context.can_ask and context.frontend != "json" and bot is None
    if given or _configured(context) or not asks:
        return name
    question = context.text(CALLED, {"name": name})
    while not is_name(chosen := " ".join(typed(question).split()) or name):
        context.note(context.text(NO_NAME, {"n": LONGEST}))
    try:
        keep_setting(context.config_path, "name", chosen)
    except UsageError as error:  # it is asked again next time, and the match begins all the same
        context.note(context.text(error.message, error.params))
    else:
        context.note(context.text(KEPT, {"name": chosen}))
    context.config["name"] = chosen
    return chosen


def is_name(text: str) -> bool:
    """Whether a text can be a name as it is."""
    return bool(text) and one_line(text, LONGEST) == text and "@" not in text


def _configured(context: CommandContext) -> str:
    """The name in the environment or in the config file; "" if there is none."""
    return context.environ.get("TT_NAME") or str(context.config.get("name") or "")


def _user() -> str:
    """The name of the system's user."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
