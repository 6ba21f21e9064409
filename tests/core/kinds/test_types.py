"""The types of questions: mypy checks this module, and the match shows that the values are of these types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_type

from tavolata import (
    YES_NO,
    Amount,
    Choice,
    Game,
    OneOf,
    Options,
    Outcome,
    Question,
    Secret,
    SomeOf,
    Table,
    amount,
    form,
    one_of,
    some_of,
)
from tavolata._engine.match.simulate import play
from tavolata.bots import RandomBot


@dataclass(frozen=True)
class Spent:
    """What a form makes."""

    on: str
    coins: int


class Asked(Game[Options]):
    """Every kind of question, asked in every way."""

    name, title, seats = "asked", "Asked", (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""
        self.values: list[Any] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Ask; the type of each value is that of its question."""
        word = await t.ask(t.first_seat, one_of("ab"))
        assert_type(word, str)
        maybe = await t.ask(t.first_seat, one_of([1, 2], Choice(None, "none")))
        assert_type(maybe, int | None)
        some = await t.ask(t.first_seat, some_of([Choice("x", "ex"), Choice("y", "why")], 1, 2))
        assert_type(some, list[str])
        number = await t.ask(t.first_seat, amount(1, 6), seconds=5, otherwise=3)
        assert_type(number, int)
        all_said = await t.ask_all(dict.fromkeys(t.ring, YES_NO))
        sealed = await t.seal_all(dict.fromkeys(t.ring, amount(0, 1)))
        for secret in sealed.values():
            assert_type(secret, Secret[int])
        await t.reveal(sealed.values())
        first = await t.react(dict.fromkeys(t.ring, one_of([True])), seconds=1)
        spent = await t.ask(t.first_seat, form(Spent, on=one_of("ab"), coins=amount(1, 9)))
        assert_type(spent, Spent)
        self.values += [word, maybe, some, number, *all_said.values()]
        assert_type(None if first is None else first.value, bool | None)
        return Outcome(())


def test_what_is_asked_says_of_which_type_its_value_is() -> None:
    """`ask` and the makers of questions leak no Any: mypy knows each value, and a match gives such values."""
    assert_type(one_of("ab"), OneOf[str])
    assert_type(one_of([Choice(1, "one")]), OneOf[int])
    assert_type(some_of([1, 2], 0, 1), SomeOf[int])
    assert_type(some_of([1, 2], 0, 1).nth(1), list[int])
    assert_type(amount(1, 6), Amount)
    whole: Question[int] = amount(1, 6)
    assert_type(whole.nth(0), int)
    game: Any = play(Asked, Options(), [RandomBot(), RandomBot()], 3).match.game
    word, maybe, some, number, *all_said = game.values
    assert word in {"a", "b"}
    assert maybe in {1, 2, None}
    assert set(some) <= {"x", "y"}
    assert 1 <= number <= 6
    assert {type(one) for one in all_said} == {bool}
