"""The opening card: a game in three sentences, for a person's first match of it."""

from __future__ import annotations

from typing import Any

from tavolata._ui.words import Words
from tavolata.game import Game
from tavolata.messages import N_

GOAL, TURN, LOSE = N_("Goal"), N_("Turn"), N_("Losing")
CardRows = tuple[tuple[str, str], ...]


def card_rows(rules: type[Game[Any]], words: Words) -> CardRows:
    """Return the card of a game as labels and sentences; its summary if it has none."""
    card = rules.card
    if card is None:
        said = words.text(rules.summary)
        return ((words.text(GOAL), said),) if said else ()
    rows = ((GOAL, card.goal), (TURN, card.turn), (LOSE, card.lose))
    return tuple((words.text(label), words.text(said)) for label, said in rows)
