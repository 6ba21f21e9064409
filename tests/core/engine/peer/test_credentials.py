"""What a machine says of its code: of the game that is on the table, and again if the table has it wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.peer.links import LooseLink
from tests.core.engine.table.test_editions_said import CODE, OTHER, says
from tests.core.engine.table.test_table_state import ANN, HOST, Guess, founded, put

from tavolata._engine.match.game_info import GameInfo
from tavolata._engine.network.joining import TableCard
from tavolata._engine.peer.credentials import Credentials
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import LoadedGame
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_state import TableState


class Speaker:
    """A machine with a game of this code."""

    def __init__(self, state: TableState, code: bytes, *, unlike: bool = False) -> None:
        info = GameInfo("guess", "Guess", "", (1, 6), 0, "1", 1, "", "", "", code)
        library: Any = SimpleNamespace(loaded=LoadedGame(info, Guess))
        self.log = SimpleNamespace(pending=(), commit_index=0)
        self.cards: list[TableCard | None] = []
        endpoint = SimpleNamespace(introduce=lambda profile: self.cards.append(TableCard.of(profile)))
        driver: Any = SimpleNamespace(log=self.log, driver=SimpleNamespace(endpoint=endpoint))
        self.link = LooseLink()
        settings = PeerSettings("P", unlike=unlike)
        self.credentials = Credentials(self.link, driver, state, library, settings, None)

    def says(self) -> list[tuple[Any, ...]]:
        """What it says of its code now."""
        self.link.proposed.clear()
        self.credentials.work()
        return [body for body in self.link.proposed if body[0] == log_bodies.EDITION]


def test_a_host_says_its_code_of_the_last_game_that_it_chose() -> None:
    """While another game is on its way to the table, it says nothing of the one before."""
    state = founded(ANN)
    speaker = Speaker(state, CODE)
    speaker.log.pending = (7,)
    assert speaker.says() == []
    speaker.log.pending = ()
    assert len(speaker.says()) == 1
    assert speaker.says() == []


def test_a_word_about_the_game_before_is_put_right() -> None:
    """A guest's word about the last game, which comes after the host's about this one, doesn't stay."""
    state = founded(ANN, me=ANN)
    says(state, HOST, "1", CODE)
    speaker = Speaker(state, CODE)
    assert speaker.says() == []
    says(state, ANN, "2", OTHER, facts=True)
    assert state.lobby.editions.stranger([ANN]) == ANN
    (again,) = speaker.says()
    assert speaker.says() == []
    put(state, ANN, *again)
    assert state.lobby.editions.others == {}
    assert speaker.says() == []


def test_other_code_is_said_once() -> None:
    """At a table for other code a guest says its own, and not again when the table has heard it."""
    state = founded(ANN, me=ANN)
    says(state, HOST, "1", CODE, unlike=True)
    speaker = Speaker(state, OTHER, unlike=True)
    (body,) = speaker.says()
    assert speaker.says() == []
    put(state, ANN, *body)
    assert state.lobby.editions.others[ANN].code == OTHER
    assert speaker.says() == []


def test_who_resumes_at_a_table_for_other_code_lets_other_code_in() -> None:
    """It was never told `--unlike`: callers read what the host has said, and nothing else before that."""
    state = founded(ANN, me=ANN)
    speaker = Speaker(state, CODE)
    speaker.credentials.show()
    assert speaker.cards == []
    says(state, HOST, "1", CODE, unlike=True)
    for _ in range(2):
        speaker.credentials.show()
    assert [card is not None and card.unlike for card in speaker.cards] == [True]


@pytest.mark.parametrize("peer", [HOST, ANN])
def test_nobody_is_told_off_for_a_word_about_the_game_before(peer: bytes) -> None:
    """A guest's word that comes before the host's about the new game is dropped without a refusal."""
    state = founded(ANN, me=ANN)
    assert says(state, peer, "1", CODE) == []
    assert (state.lobby.editions.of_table is not None) is (peer == HOST)
