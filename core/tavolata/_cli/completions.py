"""Completions for a shell: the words that can follow, for the parameters of commands.

Typer asks these functions while somebody types; they get its context and the beginning of the word. Where
they offer nothing, the shell offers its files.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import TYPE_CHECKING, Any

import typer

from tavolata._cli.failures import UsageError
from tavolata._trouble import trouble
from tavolata.errors import TavolataError
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._cli.command_context import CommandContext
    from tavolata._engine.plugins.catalogue import LoadedGame

VARIABLE = "_TT_COMPLETE"
"""The environment variable by which a shell asks for completions."""
Words = list[tuple[str, str]]
"""Words, each with what a shell may show beside it."""
LEVEL = N_("{level} bot")
UNWRITTEN = N_(
    "Couldn't install completion in {path}: {problem}. `tt --show-completion` prints it, so you can "
    "install it yourself."
)
INSTALL, SHOW = "--install-completion", "--show-completion"
SHELLS = {"_tt_completion()": "bash", "#compdef": "zsh", "complete": "fish"}
"""The shells by the first word of Typer's script. It has one for PowerShell, too, which installing would open
to any script."""


def game_of(ctx: typer.Context) -> LoadedGame | None:
    """Return the game that is named on the line, if it is installed.

    Typer leaves words over if the last option has no value yet, so the game may be among those.
    """
    catalogue = _context(ctx).catalogue
    for word in (ctx.params.get("game"), *ctx.args):
        try:
            return catalogue.game(str(word))
        except TavolataError:
            continue
    return None


def _context(ctx: typer.Context) -> CommandContext:
    context: CommandContext = ctx.find_root().obj
    return context


def games(ctx: typer.Context) -> Words:
    context = _context(ctx)
    return [(one.name, context.text(one.title, domain=one.package)) for one in context.catalogue.infos()]


def campaigns(ctx: typer.Context) -> Words:
    from tavolata._engine.storage.campaign_files import all_kept

    found = game_of(ctx)
    return [(name, game) for game, name in all_kept() if found is None or found.info.name == game]


def levels(ctx: typer.Context, incomplete: str) -> Words:
    """Return the levels of the game's bots, also after a comma."""
    from tavolata._ui.match_plan import level_text

    context, found = _context(ctx), game_of(ctx)
    begun = incomplete[: incomplete.rfind(",") + 1]
    known = () if found is None else context.catalogue.bots(found.info.name)
    return [(begun + level, context.text(LEVEL, {"level": level_text(level)})) for level in known]


def house_rules(ctx: typer.Context) -> Words:
    """Return the game's house rules, each with its values: all of few, the limits and the default of many."""
    context, found = _context(ctx), game_of(ctx)
    offered: Words = []
    for spec in () if found is None else found.game.options.describe():
        values: Sequence[object] = spec.choices() or [spec.low, spec.default, spec.high]
        told = context.text(spec.help, domain="" if found is None else found.info.package)
        offered += [(f"{spec.name}={one}", told) for one in dict.fromkeys(values) if one is not None]
    return offered


def kept_matches() -> Words:
    from tavolata._cli.match_files import header_of
    from tavolata._engine.storage.match_file import StoreError, match_files, read

    offered: Words = []
    for path in match_files()[:30]:
        try:
            header = header_of(read(path))
        except StoreError:
            continue
        offered.append((path.stem, f"{header.game}: {', '.join(header.names)}"))
    return offered


def among(*words: str) -> Callable[..., Any]:
    return lambda: [(word, "") for word in words]


def install(context: CommandContext, word: str) -> None:
    """Install the completion for the shell in which this runs (`INSTALL`), or print its script (`SHOW`).

    Raise UsageError if this is a shell that has none, or where it reads them can't be written.
    """
    script = _from_typer(SHOW)
    shell = SHELLS.get(script.partition(" ")[0])
    if shell is None:
        known = ", ".join(SHELLS.values())
        raise UsageError(N_("Completion works in {shells}. Run this in one of them."), shells=known)
    if word == SHOW:
        context.out_as_it_is(script)
        return
    try:
        if shell == "fish" and (folder := os.environ.get("XDG_CONFIG_HOME")):
            path = os.path.join(folder, "fish", "completions", "tt.fish")  # Typer knows ~/.config alone
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{script}\n")
        else:
            path = _from_typer(INSTALL).partition("\n")[0].partition(" installed in ")[2]
    except (OSError, UnicodeError, RuntimeError) as error:  # RuntimeError: there's no home
        place = getattr(error, "filename", None) or "~"
        raise UsageError(UNWRITTEN, path=place, problem=trouble(error)) from error
    said = {"shell": shell, "path": path}
    context.out(
        context.text(N_("Installed completion for {shell} in {path}. Open a new terminal to use it."), said)
    )


def _from_typer(word: str) -> str:
    """Return Typer's own output for the completion; only the program's name matters for that."""
    app = typer.Typer(rich_markup_mode=None)
    app.callback()(lambda: None)
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(io.StringIO()), suppress(SystemExit):
        app(args=[word], prog_name="tt", standalone_mode=False)
    return said.getvalue().rstrip("\n")
