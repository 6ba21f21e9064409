"""Predictions between peers: an order is known to the team that wrote it, and in no other file."""

from __future__ import annotations

from tavolata._engine.match.entries import ANSWER, SEALED
from tavolata._engine.match.header import Header
from tavolata_jumpy_jack.rules import JumpyJack

from .following import followed, key_of, seed_of
from .table import Hall, agree


def test_a_prediction_is_known_to_its_team_alone(hall: Hall) -> None:
    """Replayed to the first move with its own key, a peer's file shows its mate's paper and no other."""
    options = [word for rule in ("points=2", "board=short") for word in ("--option", rule)]
    host = hall.host(
        "jumpy-jack", "--seats", "4", "--teams", "2", "--start", "full", "--bot", "easy", *options
    )
    players = [host, *(hall.join("--bot", "easy") for _ in range(3))]
    agree(*players)
    for player in players:
        (kept,) = player.matches()
        header = Header.of(kept.header)
        seed = seed_of(player.home)
        me = header.keys.index(key_of(seed))
        first = next(at for at, entry in enumerate(kept.entries) if entry[0] == ANSWER)
        sealed = [entry for entry in kept.entries[:first] if entry[0] == SEALED]
        assert len(sealed) == 2
        copies = [copy for entry in sealed for copy in entry[4]]
        assert copies
        assert all(type(copy) is bytes and len(copy) > 48 for copy in copies)
        match = followed(kept, player.home, JumpyJack, kept.entries[:first])
        papers = match.game.papers  # type: ignore[attr-defined] # it is Jumpy Jack
        for writer, paper in papers.items():
            # an own answer is in the running match's memory; in the file it is a copy for the mate only
            mate = writer != me and writer % 2 == me % 2
            assert (match.view(me).answer(paper) is not None) is mate
            assert {match.view(seat).answer(paper) for seat in range(4) if seat != me} == {None}
