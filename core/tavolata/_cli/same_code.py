"""What commands say and check about the code by which a match was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tavolata._cli.command_context import CommandContext
    from tavolata._engine.match.header import Header
    from tavolata._engine.plugins.catalogue import LoadedGame


def check_code_of_match(context: CommandContext, loaded: LoadedGame, header: Header, *, unlike: bool) -> None:
    """Check that the code here is that of a match, and note it if it is not and may be other code.

    Args:
        context: the run of `tt`.
        loaded: the game here.
        header: the terms of the match.
        unlike: whether it may be other code.

    Raises:
        OtherRules: it is other code, and may not be.
    """
    from tavolata._engine.plugins.same_code import check_code, other_code

    if not unlike:
        check_code(loaded, header)
    other = other_code(loaded, header)
    if other is not None:
        context.note(context.text(*other))
