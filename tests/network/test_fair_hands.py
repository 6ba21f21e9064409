"""Hidden hands that all peers deal together: no file or memory of a peer holds what its seats did not see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tavolata import Game, Hand
from tavolata._engine.match.entries import ANSWER, CHANCE, SEALED
from tavolata._engine.match.header import Header
from tavolata._engine.review.replay import Replay
from tavolata.decks import ItalianFace
from tavolata_conto.rules import Conto

from . import sealed_tricks
from .following import followed, hands_seen, key_of, seed_of
from .table import Hall, Tt, agree

RULES = sealed_tricks.SealedTricks


def test_no_single_peer_said_a_face(played: list[Tt]) -> None:
    """In no file is there an entry by which one peer would have dealt, and seals hold boxes only."""
    for player in played:
        (kept,) = player.matches()
        assert kept.header["dealer"] == "fair"
        assert not [entry for entry in kept.entries if entry[0] in CHANCE]
        assert {type(entry[3]) for entry in kept.entries if entry[0] == SEALED} == {bytes}


def test_in_the_middle_of_a_hand_a_file_and_its_key_show_ones_own_faces_only(played: list[Tt]) -> None:
    """Replayed to the first card chosen, each peer knows its five faces, and none of the others'."""
    for player in played:
        (kept,) = player.matches()
        only_own_hand(kept, player.home, RULES, lambda match: match.game.hands, 5)


def test_watched_again_a_fair_match_shows_ones_own_hand(
    played: list[Tt], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody's file, the host's neither, opens more than its own seat; why is said."""
    seen = [hands_seen(player.home, RULES, monkeypatch) for player in played]
    assert sorted(seen) == [(0,), (1,), (2,)]
    (kept,) = played[2].matches()
    told = Replay(kept, Header.of(kept.header), RULES).why_hidden()
    assert told is not None
    assert told[1]["seats"] == seen[2]
    assert "only their players" in told[0]


def test_the_bill_is_played_with_hands_that_nobody_else_sees(hall: Hall) -> None:
    """Il Conto, Prego! between three processes: the same, on a game that lives on hidden hands."""
    host = hall.host("conto", "--seats", "3", "--start", "full", "--bot", "easy", "--option", "hands=2")
    players = [host, *(hall.join("--bot", "easy") for _ in range(2))]
    agree(*players)
    for player in players:
        (kept,) = player.matches()
        only_own_hand(kept, player.home, Conto, lambda match: match.game.hands, 6)


def only_own_hand(kept: Any, home: Path, rules: type[Game[Any]], hands: Any, cards: int) -> None:
    """Up to the first choice that was made, a peer's key opens the cards of its seat and no other."""
    first = next(at for at, entry in enumerate(kept.entries) if entry[0] == ANSWER)
    match = followed(kept, home, rules, kept.entries[:first])
    me = Header.of(kept.header).keys.index(key_of(seed_of(home)))
    for seat in range(3):
        hand: Hand[ItalianFace] = hands(match)[seat]
        seen = [face for card in hand if (face := match.view(me).face(card)) is not None]
        assert len(seen) == (cards if seat == me else 0)
        assert len(match.source.known[seat]) == (cards if seat == me else 0)
