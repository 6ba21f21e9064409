"""Questions at a terminal before a match is shown: a line, a number, yes or no, the player's name."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.keeping import keep_setting
from tavolata._streams import put
from tavolata._text import MAX_NAME, cleaned, composed, is_name, number_within, one_line
from tavolata._ui.streams import held
from tavolata.messages import N_

ASKED = N_("{question} [yes/no] ")
OUT_OF_REACH = N_("Type a number from 1 to {n}.")


def line_after(question: str) -> str:
    """Return the line that is typed after a question; a NUL, which answers none, if it is not text.

    Raise EOFError if the input has ended.
    """
    if (reader := held(sys.stdin)) is None:  # that of a match before
        line = input(cleaned(question))
    else:
        put(question, sys.stdout, end="", flush=True)
        if not (line := reader.readline()):
            raise EOFError
    return "\0" if "\N{REPLACEMENT CHARACTER}" in line else line.rstrip("\n")


def typed(question: str) -> str:
    """Return the line that is typed after a question, without spaces around it.

    Raise KeyboardInterrupt if the input has ended, so nobody can answer. So do all questions here.
    """
    try:
        return composed(line_after(question).strip())
    except (EOFError, KeyboardInterrupt):
        put("", sys.stderr)  # the report is on a line of its own
        raise KeyboardInterrupt from None


def choose_number(
    context: CommandContext, most: int, usual: int = 1, ask: Callable[[str], str] = typed
) -> int:
    """Ask until a number from 1 to `most` is typed; Enter means the `usual` one."""
    while True:
        word = ask(context.text(N_("Which one? [{n}] "), {"n": usual})) or str(usual)
        number = number_within(word, 1, most)
        if number is not None:
            return number
        context.note(context.text(OUT_OF_REACH, {"n": most}))


def agreed(context: CommandContext, question: str) -> bool:
    """Ask a question until yes or no is typed, or the beginning of it."""
    from tavolata._ui.answers import yes_or_no

    while True:
        answer = yes_or_no(typed(context.text(ASKED, {"question": question})), context.text)
        if answer is not None:
            return answer
        context.note(context.text(N_("Type yes or no.")))


def confirmed(context: CommandContext, question: str, unasked: str, *, yes: bool) -> bool:
    """Ask for confirmation unless it's `yes`; raise UsageError, with `unasked`, without a terminal."""
    if not (yes or context.on_terminal):
        raise UsageError(unasked)
    return yes or agreed(context, question)


KEPT = N_("You're {name} from now on. To change your name, run `tt`.")


def own_name(context: CommandContext, given: str | None) -> str:
    """Return the player's name: the given one, else the configured one, else the system's user name."""
    name = _usable(given or _configured(context) or _user())
    if not name:
        raise UsageError(N_("A name needs at least one letter."))
    return name


def asked_name(context: CommandContext, given: str | None, *, bot: str | None) -> str:
    """Return the player's name; ask for it, and keep it, at a terminal where nobody ever gave one.

    Anyone who lets a `bot` play is not asked.
    """
    from tavolata._engine.table.roster import NO_NAME

    name = own_name(context, given)
    asks = context.on_terminal and context.frontend != "json" and bot is None
    if given or _configured(context) or not asks:
        return name
    question = context.text(N_("What's your name? [{name}] "), {"name": name})
    while not is_name(chosen := " ".join(typed(question).split()) or name):
        context.note(context.text(NO_NAME, {"n": MAX_NAME}))
    try:
        keep_name(context, chosen)
        context.note(context.text(KEPT, {"name": chosen}))
    except UsageError as error:  # it is asked again next time, and the match begins all the same
        context.note(context.text(error.message, error.params))
    return chosen


def keep_name(context: CommandContext, name: str) -> None:
    """Keep the player's name for later; raise UsageError if the config file can't be written."""
    context.config["name"] = name
    keep_setting(context.config_path, "name", name)


def _configured(context: CommandContext) -> str:
    """Return the name in the environment or in the config file; "" if nothing of it can be used."""
    return _usable(context.environ.get("TT_NAME") or str(context.config.get("name") or ""))


def _usable(name: str) -> str:
    return one_line(composed(name).replace("@", ""), MAX_NAME)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Player"
