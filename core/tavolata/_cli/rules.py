"""The command `tt rules`, which prints the rulebook of a game."""

from __future__ import annotations

import os
import shutil
from functools import partial
from typing import Annotated

import typer

from tavolata._blame import short
from tavolata._cli.command_context import CommandContext
from tavolata._cli.completions import game_of
from tavolata._cli.parameters import GameName
from tavolata._engine.match.game_info import DEV
from tavolata._engine.plugins.catalogue import LoadedGame
from tavolata._engine.plugins.loader import BrokenPlugin
from tavolata._engine.plugins.rulebooks import place_of_rulebook, rulebook
from tavolata._ui.i18n import Translator
from tavolata.messages import N_


def _chapters(ctx: typer.Context) -> list[str]:
    from tavolata._ui.tui.drawing.markdown import topics

    found = game_of(ctx)
    return [] if found is None else topics(text_of(found, ctx.find_root().obj.lang))


def rules(
    context: CommandContext,
    game: GameName,
    topic: Annotated[
        str,
        typer.Argument(help=N_("A heading, or the beginning of one."), autocompletion=_chapters),
    ] = "",
) -> None:
    """Read a game's rules."""
    text = text_of(context.catalogue.game(game), context.lang)
    if topic:
        from tavolata._ui.tui.drawing.markdown import chapter

        text = chapter(text, topic)
    show(text.strip(), context)


def text_of(game: LoadedGame, lang: str) -> str:
    """Return the rules of a game in this language, otherwise in English.

    Raise BrokenPlugin if it has no rulebook that can be read.
    """
    info = game.info
    text = rulebook(game.game, info.package, lang)
    if text is None and info.version == DEV:
        path = short(place_of_rulebook(game.game, info.package))
        raise BrokenPlugin(N_("{game} has no rulebook yet. Write it in {path}."), game=info.name, path=path)
    if text is None:
        raise BrokenPlugin(
            N_("{plugin} ({distribution}) has no rulebook for {game}."),
            plugin=info.plugin, distribution=info.distribution, game=info.name,
        )  # fmt: skip
    return text


def show(text: str, context: CommandContext) -> None:
    """Print a text in Markdown: on a terminal formatted, and in a pager if it is long; else unchanged."""
    if not context.on_terminal:
        context.out_as_it_is(text)
        return
    from tavolata._ui.tui.drawing.markdown import markdown_block, rules_page

    size = shutil.get_terminal_size()
    if context.frontend == "plain":  # no boxes, for screen readers
        for line in markdown_block(text, size.columns, columns=False).lines:
            context.out("".join(run for run, _ in line))
        return
    page = partial(rules_page, text, size.columns, color=context.color, ascii_only=context.ascii)
    if page(styles=False).count("\n") + 2 <= size.lines:
        context.out_as_it_is(page(styles=context.escapes))
        return
    import pydoc

    styles = context.escapes and _takes_styles()
    if styles:
        options = os.environ.get("LESS", "")
        os.environ["LESS"] = options if "R" in options else f"{options}R"
    pydoc.pager(page(styles=styles))


def _takes_styles() -> bool:
    """Return True if the pager passes control sequences on; `less` does with the right option."""
    words = (os.environ.get("MANPAGER") or os.environ.get("PAGER") or "less").split()
    return os.path.basename(words[0]) == "less" and shutil.which(words[0]) is not None


def at_table(game: LoadedGame, words: Translator) -> str:
    """Return the rules of a game that is played, or the sentence that it has none: that ends no match."""
    try:
        return text_of(game, words.lang)
    except BrokenPlugin as error:
        return words.text(error.message, error.params)
