"""A match that was played at a table, run again from one peer's file with that peer's secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tavolata import Game
from tavolata._engine.dealing.dealer import Dealer
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.sealing import Keys
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, MatchEntry
from tavolata._engine.match.header import TOGETHER, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.worlds import new_match
from tavolata._engine.review.replay import ALL, Replay
from tavolata._engine.review.signed_log import beginning, origin_of, stamps
from tavolata._engine.storage.match_file import Kept, read
from tavolata_protocol.identity import Identity


def seed_of(home: Path) -> bytes:
    """The secret of the identity in a player's folder."""
    return next((home / "data" / "identities").glob("*/key")).read_bytes()


def key_of(seed: bytes) -> bytes:
    """The public key of an identity."""
    return bytes(Identity(seed).peer)


def begun(kept: Kept, home: Path, rules: type[Game[Any]]) -> tuple[Match, FairDealing | None]:
    """The match as the peer of this folder had it before the first entry, and the dealing if all deal.

    The secret of the match was copied while it was there.
    """
    header, me = Header.of(kept.header), key_of(seed_of(home))
    origin = origin_of(kept, header, rules)
    assert origin is not None
    stored = (home.parent / "secrets" / origin.nonces[me][:16].hex()).read_bytes()
    secret = MatchSecret(stored, origin.header_hash)
    deal = FairDealing(header, origin, me) if header.dealer in TOGETHER else None
    if deal is not None:
        Dealer(deal, secret, bytes)
    source = LogSource(
        len(header.names), deal or OneDealer(), keys=Keys(header, origin, me, secret), stamp=origin.stamp
    )  # fmt: skip
    source.stamps.update(enumerate(stamps(kept)))
    match = new_match(rules, header.terms(rules), source, lambda _: None)
    for entry, stamp in beginning(kept, header):
        if source.dealing.owing:
            source.prepare(entry, stamp)
    return match, deal


def followed(
    kept: Kept, home: Path, rules: type[Game[Any]], entries: list[MatchEntry] | None = None
) -> Match:
    """The match as the peer of this folder knows it, from file and secret, after all entries or these."""
    match, _ = begun(kept, home, rules)
    match.run()
    for entry in kept.entries if entries is None else entries:
        match.feed(entry)
    return match


def hands_seen(home: Path, rules: type[Game[Any]], monkeypatch: pytest.MonkeyPatch) -> tuple[int, ...]:
    """The seats whose dealt cards `tt replay` shows on a player's machine, before any of them was played."""
    monkeypatch.setenv("TT_DATA_DIR", str(home / "data"))
    (path,) = (home / "data" / "matches").glob("*.ttm")
    kept = read(path)
    replay = Replay(kept, Header.of(kept.header), rules)
    first = next(at for at, entry in enumerate(kept.entries) if entry[0] == ANSWER)
    replay.go(max(at for at, step in enumerate(replay.steps) if step.entries <= first))
    view = replay.view(ALL)
    hands: Any = replay.match.game.hands  # type: ignore[attr-defined]  # of the games that are tried
    return tuple(
        seat for seat, hand in enumerate(hands) if hand and all(view.face(card) is not None for card in hand)
    )
