"""A match that was played at a table, run again from one peer's file with that peer's key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tavolata import Game
from tavolata._engine.entries import Entry
from tavolata._engine.fair.deal import Deal
from tavolata._engine.fair.dealer import Dealer
from tavolata._engine.header import TOGETHER, Header
from tavolata._engine.log_source import LogSource
from tavolata._engine.match import Match
from tavolata._engine.match_part import fair_seed
from tavolata._engine.sealing import Keys
from tavolata._engine.store import Kept
from tavolata_protocol.identity import Identity


def seed_of(home: Path) -> bytes:
    """The secret of the identity in a player's folder."""
    return next((home / "data" / "identities").glob("*/key")).read_bytes()


def key_of(seed: bytes) -> bytes:
    """The public key of an identity."""
    return bytes(Identity(seed).peer)


def followed(kept: Kept, seed: bytes, rules: type[Game[Any]], entries: list[Entry] | None = None) -> Match:
    """The match as a peer with this key knows it, from its file alone, after all entries or these."""
    header = Header.of(kept.header)
    deal = Deal(header, key_of(seed)) if header.dealer in TOGETHER else None
    if deal is not None:
        Dealer(deal, fair_seed(header, seed), bytes)
    source = LogSource(len(header.names), keys=Keys(header, seed), together=deal)
    match = Match(rules, header.terms(rules), source, lambda _: None)
    source.entries += kept.entries if entries is None else entries
    match.run()
    return match
