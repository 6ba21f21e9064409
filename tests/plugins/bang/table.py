"""A table of Bang whose stacks are arranged; what is to be proved stands in the tests."""

from __future__ import annotations

from typing import Any

from tavolata import Pile, Table
from tavolata.decks import FrenchFace
from tavolata.testing import Rehearsal, rehearse
from tavolata_bang.options import BangOptions
from tavolata_bang.rules import Bang

CARDS = 54


def table(*stacks: str, rest: int = 0, leader: int = 0, **options: Any) -> Rehearsal:
    """A match with these stacks, each named in the order of laying; all other cards lie below one of them.

    It stops at the first window. A rank alone is any card of it; `Jo` is a joker.

    Args:
        stacks: by seat.
        rest: whose stack has the other cards at its bottom.
        leader: who begins.
        options: house rules.
    """
    named = [stack.split() for stack in stacks]
    left = CARDS - sum(map(len, named))
    order = [seat for seat in range(len(named)) if seat != rest] + [rest]

    class Arranged(Bang):
        async def deal(self, t: Table[BangOptions]) -> None:
            """Who has the rest gets it last, so that what is named stays together."""
            await t.shuffle(self.pack)
            for seat in order:
                for _ in range(len(named[seat]) + (left if seat == rest else 0)):
                    self.stacks[seat].put_under(self.pack.take_top())

    pack = [card for seat in order for card in named[seat]]
    dealer = (leader - 1) % len(named)
    return rehearse(Arranged, seats=len(named), first=dealer, options=options, decks={"pack": pack})


def faces(pile: Pile[FrenchFace]) -> list[str]:
    """The cards of a pile from bottom to top, hidden ones as `?`."""
    return [str(card.face) if card.is_public else "?" for card in pile]


def ranks(pile: Pile[FrenchFace]) -> str:
    """The ranks of a pile from bottom to top."""
    return " ".join(face if face == "?" else face.rstrip("♣♦♥♠") for face in faces(pile))


def counts(match: Rehearsal) -> list[int]:
    """How many cards each seat has."""
    return [len(stack) for stack in match.game.stacks]


def may_bang(match: Rehearsal) -> list[int]:
    """The seats that may bang in the open window."""
    assert match.window is not None
    return [int(seat) for seat in match.window.questions]


def conserved(game: Bang) -> None:
    """All 54 cards are there, each in one place."""
    lies = [card.id for pile in (game.pack, game.pile, game.under, *game.stacks) for card in pile]
    assert sorted(lies) == list(range(CARDS))
