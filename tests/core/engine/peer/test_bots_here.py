"""When bots at a table speak: while somebody is asked, so that their words can be answered."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from tests.core.engine.peer.agents import AgentTable

from tavolata import N_, Game, Options, Outcome, Pile, Question, Seat, Table, View
from tavolata.bots import Chance, ChatMessage, RandomBot
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.kinds.one_of import GO

CARDS = 6


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


class Listens(Game[Options]):
    """Everybody turns a card in turn, by two keys; it notes when words came.

    Attributes:
        key: the key that is to be pressed, 1 or 2; 0 while the card is dealt.
        words: for all words so far, the key that was to be pressed then.
        spoken: whether there were words since the last card.
    """

    name, title, seats, listens = "listens", N_("Listens"), (3, 3), True

    deck: Pile[ItalianFace]
    turned: Pile[ItalianFace]
    words: list[int]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.turned = t.pile("deck", ITALIAN_40), t.pile("turned")
        self.key, self.words, self.spoken = 0, [], False

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if not self.turned:
            await t.shuffle(self.deck)
        seat = t.ring[len(self.turned) % len(t.ring)]
        for self.key in (1, 2):
            await t.ask(seat, GO, N_("Turn a card"))
        self.key = 0
        await t.turn_up(self.deck, onto=self.turned)
        self.spoken = False
        return Outcome((seat,)) if len(self.turned) == CARDS else None

    def heard(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        self.words.append(self.key)
        self.spoken = True


class Talker(RandomBot):
    """It speaks now and then, but not after others nor at the second key, where its words race with a key."""

    interjects = True

    def interject(self, view: View, standing: Mapping[str, Question], chance: Chance) -> ChatMessage | None:
        game = view.game
        assert isinstance(game, Listens)
        quiet = game.spoken or game.key == 2 or chance.percent(50)
        return None if quiet else ChatMessage((), "Well?")


def test_bots_at_a_table_speak_before_the_key_not_while_a_card_is_dealt() -> None:
    """No words come between a key and its card: nobody could answer them."""
    with closing(AgentTable(Listens, 3, Talker)) as table:
        table.play()
        assert table.match is not None
        game = table.match.game
        assert isinstance(game, Listens)
        assert len(game.turned) == CARDS
        assert game.words
        assert 0 not in game.words


class Once(Talker):
    """It counts how often it is asked for words while nothing happens."""

    asked = 0

    def interject(self, view: View, standing: Mapping[str, Question], chance: Chance) -> ChatMessage | None:
        Once.asked += 1
        return None


def test_a_silent_bot_is_asked_once_for_each_question() -> None:
    """Steps of dealing and answers of others are no reason to speak, and so talk does not grow with them."""
    Once.asked = 0
    with closing(AgentTable(Listens, 3, Once)) as table:
        table.play()
        assert Once.asked == 3 * 2 * CARDS


class Half(Once):
    """It wants half of the invitations."""

    def invited(self, options: Options) -> int:
        """In so many of a hundred cases."""
        return 50


def test_a_bot_gets_as_many_invitations_as_it_wants() -> None:
    """At a table it is drawn each time whether a bot is asked that wants only some of its invitations."""
    Once.asked = 0
    with closing(AgentTable(Listens, 3, Half)) as table:
        table.play()
        assert 6 <= Once.asked <= 30
