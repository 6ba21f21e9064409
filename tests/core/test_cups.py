"""Tests of cups: hidden dice that only their owner sees."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.games import Liars

from tavolata import Cup, Deck, Die, Game, Hand, Options, Outcome, Pile, Table
from tavolata._engine.match.entries import FACE, SHAKEN, SHOWN
from tavolata.errors import GameError, HiddenFact, PieceError
from tavolata.testing import rehearse
from tavolata.testing.cases import Case
from tavolata.testing.checks import ALL
from tavolata.testing.recording import play

ODD = Die(("blank", "blank", "star"))
TWO = Deck("two", ["red", "blue"])


class Shaker(Game[Options]):
    """A cup, another hand and some cards; a test says what is done with them."""

    name, title, seats = "shaker", "Shaker", (2, 2)
    cup: Cup[str]
    hand: Hand[Any]
    cards: Pile[str]

    def setup(self, t: Table[Options]) -> None:
        self.cup, self.hand = t.cup("cup", t.ring[0], ODD, 40), t.hand("hand", t.ring[0])
        self.cards = t.pile("cards", TWO)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.shake(self.cup)
        return Outcome((t.ring[0],))


@pytest.mark.battery
@pytest.mark.parametrize("check", ALL, ids=str)
def test_a_game_of_hidden_dice_passes_the_battery(check: Any) -> None:
    """Dice stay in one place, hidden ones decide nothing that all see, and a match is saved and resumed."""
    check(Liars, matches=3)


def test_the_owner_alone_sees_what_is_shaken() -> None:
    """After a shake a seat's view has its own dice and no other, and the rules can read none."""
    table = rehearse(Liars, seats=2, dice=[6, 1, 3, 6])
    game = table.game
    assert [table.views(0).face(die) for die in game.cups[0]] == [6, 1]
    assert [table.views(1).face(die) for die in game.cups[1]] == [3, 6]
    assert [table.views(1).face(die) for die in game.cups[0]] == [None, None]
    assert [table.views(None).face(die) for die in game.cups[1]] == [None, None]
    with pytest.raises(HiddenFact):
        print(game.cups[0].top.face)


def test_a_die_that_is_shaken_again_is_another() -> None:
    """A second shake hides what its owner knew: each shake shows the owner what lies there now."""
    kept = play(Case(Liars, 2, {}, 5))
    first = [entry[2] for entry in kept.log if entry[0] == SHOWN]
    assert [entry[1] for entry in kept.log if entry[0] == SHAKEN] == [*range(4, 4 - len(first), -1)]
    assert len({faces[:2] for faces in first}) > 1
    seen = dict[int, int]()
    for entry in kept.log:
        seen |= {entry[1]: entry[2]} if entry[0] == FACE else {}
    assert set(seen) == {0, 1, 2, 3}


def test_a_face_that_is_there_twice_comes_twice_as_often() -> None:
    """The sides are equally likely, not the faces."""
    kept = play(Case(Shaker, 2, {}, 1))
    game = kept.match.game
    assert isinstance(game, Shaker)
    faces = [kept.source._faces[die.id] for die in game.cup]
    assert set(faces) == {0, 1}
    assert faces.count(0) > faces.count(1)


@pytest.mark.parametrize("dice", [0, -1])
def test_a_cup_has_a_die_to_begin_with(dice: int) -> None:
    """The error says what to do with dice that a seat gets later."""

    class Bare(Shaker):
        def setup(self, t: Table[Options]) -> None:
            t.cups("cup", ODD, dice)

    with pytest.raises(GameError, match=r"has .* dice: give it one or more"):
        rehearse(Bare, seats=2)


def test_dice_are_not_shuffled_and_cards_are_not_shaken() -> None:
    """Each word refuses the other's things, and nothing has happened."""

    class Muddle(Shaker):
        async def turn(self, t: Table[Options]) -> Outcome | None:
            for what in (t.shuffle(self.cup), t.mix(self.cup), t.shuffle(self.cards, self.cup)):
                with pytest.raises(PieceError, match="dice are shaken, not shuffled"):
                    await what
            self.cup.put(self.cards.take_top())
            with pytest.raises(PieceError, match="a cup holds dice only"):
                await t.shake(self.cup)
            self.cards.put(self.cup.take_top())
            await t.shake()
            return Outcome((t.ring[0],))

    kept = play(Case(Muddle, 2, {}, 1))
    assert not [entry for entry in kept.log if entry[0] == SHAKEN]
    game = kept.match.game
    assert isinstance(game, Muddle)
    assert [card for card in (*game.cup, *game.cards) if not card.is_public] == []
