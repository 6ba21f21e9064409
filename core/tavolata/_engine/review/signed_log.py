"""The signed log in a match file, whose entries are signed and chained, and where its match began there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from tavolata._engine.match.entries import MatchEntry, plain
from tavolata._engine.match.header import Header
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.review.findings import Wrong
from tavolata._engine.storage.match_file import Kept, is_copy
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import HEAD_SIZE, Heads
from tavolata._engine.table.start_barrier import StartBarrier
from tavolata.errors import Refused
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.entries import Entry, is_authentic, read_entry
from tavolata_protocol.errors import ProtocolError
from tavolata_protocol.identity import fingerprint, verify


def unchecked(kept: Kept) -> Iterator[Entry]:
    """Yield all entries of the log; nothing is checked here.

    Raise `ProtocolError` if an entry of the log isn't one.
    """
    chain = Heads(kept.base).chain
    for wire in kept.log:
        entry = read_entry(wire, chain)
        chain = entry.chain
        yield entry


def stamps(kept: Kept) -> list[Stamp]:
    """Return the place in the log of each entry of the match; the errors are those of `unchecked`."""
    places = [Stamp(entry.author, entry.chain, entry.lineage) for entry in unchecked(kept)]
    return [places[at - 1] for at in kept.logged_before] if places else []


def own_nonces(kept: Kept) -> list[bytes]:
    """Return the nonces that name secrets of the machine whose copy this is: those of its own INs.

    Nothing is checked here; unreadable ones are left out.
    """
    found = []
    with suppress(ProtocolError):
        for entry in unchecked(kept):
            body = log_bodies.read(entry.body)
            own = is_copy(kept.path, str(kept.header["id"]), entry.author)
            if own and body is not None and body[0] == log_bodies.IN:
                found.append(body[1][1])
    return found


def beginning(kept: Kept, header: Header) -> Iterator[tuple[MatchEntry, Stamp]]:
    """Yield the entries of the log that may have led to the first keys, each with its place.

    Nothing is checked here; the errors are those of `unchecked`.
    """
    before = kept.logged_before[0] - 1 if kept.logged_before else None
    for entry in islice(unchecked(kept), before):
        match log_bodies.read(entry.body):
            case (log_bodies.PLAY, [match_id, said, _]) if match_id == header.id:
                yield plain(said), Stamp(entry.author, entry.chain, entry.lineage)


def entries(kept: Kept, strays: list[Entry]) -> Iterator[Entry]:
    """Yield all entries of the log, checked one by one; add those made for another log to `strays`.

    Raise `Wrong` if an entry was not signed by its author, or is not chained to the one before.
    """
    if len(kept.base) != HEAD_SIZE:
        raise Wrong(N_("{path} doesn't include the log before the match."), path=kept.path)
    heads = Heads(kept.base)
    term = 0
    for wire in kept.log:
        number = heads.number + 1
        try:
            entry = read_entry(wire, heads.chain)
        except ProtocolError as error:
            raise Wrong(
                N_("Entry {number} of the log is invalid: {problem}"), number=number, problem=error
            ) from error
        who = fingerprint(entry.author)
        if not is_authentic(entry.proposal, verify):
            raise Wrong(N_("Entry {number} of the log wasn't signed by {who}, its supposed author."),
                        number=number, who=who)  # fmt: skip
        if entry.number != number or entry.term < term:
            raise Wrong(N_("Entry {number} of the log is out of place."), number=number)
        if heads.contradicts(entry.body):
            strays.append(entry)
        term = entry.term
        heads.note(entry.number, entry.chain)
        yield entry


def origin_of(kept: Kept, header: Header, rules: type[Game[Any]]) -> Origin | None:
    """Return where a match at a table began; None if its file doesn't say. No signature is checked here.

    Raise `ProtocolError` if an entry of the log isn't one.
    """
    barrier = None
    for entry in unchecked(kept):
        stamp = Stamp(entry.author, entry.chain, entry.lineage)
        match log_bodies.read(entry.body):
            case (log_bodies.START, [bytes(data), _]) if barrier is None:
                barrier = StartBarrier(rules, replace(header, id=""), data, stamp, kept.table)
            case (log_bodies.IN, [bytes(named), bytes(nonce), bytes(mailbox)]) if barrier is not None:
                with suppress(Refused):
                    if (origin := barrier.take(stamp, named, nonce, mailbox)) is not None:
                        return origin
    return None
