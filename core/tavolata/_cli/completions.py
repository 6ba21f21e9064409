"""Completions for a shell: the words that can follow, for the parameters of commands.

Typer asks these functions while somebody types; they get its context and the beginning of the word. Where
they offer nothing, the shell offers its files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tavolata._cli.failures import UsageError
from tavolata.errors import TavolataError
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._cli.command_context import CommandContext
    from tavolata._engine.plugins.catalogue import LoadedGame

VARIABLE = "_TT_COMPLETE"
"""The environment variable by which a shell asks for completions."""
Words = list[tuple[str, str]]
"""Words, each with what a shell may show beside it."""
LEVEL = N_("a {level} bot")
SHELLS = ("bash", "zsh", "fish")


def game_of(ctx: typer.Context) -> LoadedGame | None:
    """The game that is named on the line, if it is installed.

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
    """The names of the games."""
    context = _context(ctx)
    return [(one.name, context.text(one.title, domain=one.package)) for one in context.catalogue.infos()]


def campaigns(ctx: typer.Context) -> Words:
    """The campaigns that are kept here, of the game on the line if there is one."""
    from tavolata._engine.storage.campaign_files import all_kept

    found = game_of(ctx)
    return [(name, game) for game, name in all_kept() if found is None or found.info.name == game]


def levels(ctx: typer.Context, incomplete: str) -> Words:
    """The levels of the game's bots, also after a comma."""
    from tavolata._ui.levels import level_text

    context, found = _context(ctx), game_of(ctx)
    begun = incomplete[: incomplete.rfind(",") + 1]
    known = () if found is None else context.catalogue.bots(found.info.name)
    return [(begun + level, context.text(LEVEL, {"level": level_text(level)})) for level in known]


def house_rules(ctx: typer.Context) -> Words:
    """The game's house rules, each with its values: all of few, the limits and the default of many."""
    context, found = _context(ctx), game_of(ctx)
    offered: Words = []
    for spec in () if found is None else found.game.options.describe():
        values: Sequence[object] = spec.choices() or [spec.low, spec.default, spec.high]
        told = context.text(spec.help, domain="" if found is None else found.info.package)
        offered += [(f"{spec.name}={one}", told) for one in dict.fromkeys(values) if one is not None]
    return offered


def kept_matches() -> Words:
    """The ids of the matches that were kept, the latest first."""
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
    """A function that offers these words."""
    return lambda: [(word, "") for word in words]


def install(context: CommandContext, *, show: bool) -> None:
    """Install the completion for the shell in which this runs, or print its script.

    Raises:
        UsageError: this is none of the shells that Typer knows.
    """
    from typer._completion_shared import _get_shell_name, get_completion_script
    from typer._completion_shared import install as install_script

    shell = _get_shell_name()
    if shell not in SHELLS:
        raise UsageError(N_("Completion is for {shells}; run this in one of them."), shells=", ".join(SHELLS))
    script = partial(get_completion_script, prog_name="tt", complete_var=VARIABLE, shell=shell)
    if show:
        context.out_as_it_is(script())
        return
    if shell == "fish" and (folder := os.environ.get("XDG_CONFIG_HOME")):
        path = Path(folder) / "fish" / "completions" / "tt.fish"  # Typer knows ~/.config alone
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{script()}\n", encoding="utf-8")
    else:
        _, path = install_script(shell=shell, prog_name="tt", complete_var=VARIABLE)
    said = {"shell": shell, "path": path}
    context.out(context.text(N_("{shell} completes `tt` from {path}; open a new terminal to use it."), said))
