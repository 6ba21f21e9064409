"""The hints of Jumpy Jack for newcomers: what a prediction is worth, and what the hedges do."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Branch, Event, Text, View, text
from tavolata_jumpy_jack.board import Fate
from tavolata_jumpy_jack.orders import ORDER, ORDERS, horses_of, right, worth
from tavolata_jumpy_jack.race import PAIR, TOLD, WHICH
from tavolata_jumpy_jack.rules import JumpyJack

GOAL = N_(
    "No one owns a horse. In secret, write down your top three: two points for each in the right place, ten "
    "for all three. {points} points win the match."
)
MOVING = N_(
    "You can move any horse with your throw. Push the ones you wrote down, but don't let anyone notice."
)
YOURS = N_("Your prediction: {order}.")
SOME_CANT = N_("You can't choose a horse that's blocked or has finished, but you can ask why.")
GUESSING = N_(
    "What did an opponent predict? A guess earns a point for each place you get right, and costs one if "
    "you get none right."
)
HEDGES = {
    Fate.STOP: N_("On STOP, a horse on its own blocks everyone behind until it moves on."),
    Fate.DOUBLE: N_("The next throw for a horse on DOUBLE counts twice: useful, or dangerous."),
    Fate.OUT: N_("On OUT, a horse's race is over: it takes the last free place."),
    Fate.RESTART: N_("RESTART sends a horse back to the start: a fine way to spoil the others' predictions."),
    Fate.FINISH: N_(
        "The first over the line takes first place. Once three places are taken, predictions are shown."
    ),
}
BARRIER = N_("Two horses on one square form a barrier: no one can pass them.")
_TOLD = {TOLD[fate]: sentence for fate, sentence in HEDGES.items()} | {PAIR: BARRIER}


def hints(view: View[JumpyJack], about: Ask | Event) -> Iterator[Text]:
    """Yield the hints for a question or an event; they may name the viewer's own prediction."""
    game = view.game
    if isinstance(about, Event):
        if about.message in _TOLD:
            yield text(_TOLD[about.message])
    elif about.question is ORDER:
        true = horses_of(ORDERS[0])
        points: int = view.options.points  # type: ignore[attr-defined]  # its own options
        earned = {right(other, true): worth(other, true) for other in map(horses_of, ORDERS)}
        yield text(GOAL, points=points, holds=lambda: earned == {0: 0, 1: 2, 2: 4, 3: 10})
    elif about.you == WHICH:
        yield text(MOVING)
        for writer, paper in game.papers.items():
            if view.seat is not None and game.side_of(view.seat) == game.side_of(writer):
                written = view.answer(paper)
                if written is not None:
                    yield text(YOURS, order=written)
        if getattr(about.question, "unavailable", ()):
            yield text(SOME_CANT)
    elif isinstance(about.question, Branch):
        yield text(GUESSING)
