"""A newcomer's guide to Werewolf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import N_, Ask, Event, Text, View, text
from werewolf.rules import Role, Werewolf


def hints(view: View[Werewolf], about: Ask[Any] | Event) -> Iterable[Text]:
    """What to think of at a question, by what the seat itself is."""
    if isinstance(about, Event) or view.seat is None:
        return
    game = view.game
    role = view.face(game.roles[view.seat].top)
    if len(game.visits) == len(game.votes):
        if role is Role.WOLF:
            yield text(
                N_("The player visited by the most wolves dies. Whisper to agree on someone, or guess.")
            )
        elif role is Role.SEER:
            yield text(N_("You learn whether the player you visit is a wolf."))
        elif role is Role.DOCTOR:
            yield text(N_("The player you visit is safe from the wolves."))
        else:
            yield text(N_("Your visit does nothing. Everyone visits someone, so no one stands out."))
    else:
        yield text(N_("Remember who voted to hang an innocent player. If there's a tie, no one is hanged."))
