"""What a machine keeps of a match that is void because replicas differ: a text file, and no outcome."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from tavolata._engine.match.game_info import as_text
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.storage.fault_report import write_report, written_now
from tavolata._engine.storage.match_file import END, LOG, MatchFile, read
from tavolata._engine.table.state_claims import Difference
from tavolata.errors import GameError
from tavolata_protocol.identity import PeerId, fingerprint

_ENTRIES: Final = 40
"""The last entries that are written down."""


def write_difference(
    match_file: Path, match: Match[LogSource], header: Header, difference: Difference, me: bytes
) -> Path | None:
    """Write what this machine knows, for whoever looks for the fault; return where, None if that failed.

    It holds the public state only, as all machines should have it, so it can be shown to anybody.
    """
    entries = match.source.entries
    parts = [
        f"Void since replicas differ: {header.game}, match {header.id}",
        *written_now(),
        "",
        f"Claimed after entry {difference.number} of the log:",
        *(
            f"  {claimed.hex() or 'no turn ended there':32}  {header.name_of(party)}"
            f"  {fingerprint(PeerId(party))}  code {as_text(header.code_of(party))}"
            f"{'  (this machine)' if party == me else ''}"
            for party, claimed in difference.digests.items()
        ),
        "",
        "The rules of all machines should be of one code: compare this file with those of the others.",
        "",
        f"The last of {len(entries)} entries of the match here:",
        *(f"  {number}: {entry!r}" for number, entry in list(enumerate(entries, 1))[-_ENTRIES:]),
        "",
        "The public state here, now:",
        _state(match),
    ]
    return write_report(match_file, "differs", parts)


def _state(match: Match[LogSource]) -> str:
    try:
        state: Any = match.state()
    except GameError as error:
        return str(error)
    return json.dumps(state, indent=1, sort_keys=True, default=repr)


def annul(match_file: Path, wires: list[bytes]) -> None:
    """Take the outcome back from the file of a match that was over already.

    `wires` are the entries of the agreed log since the end, with the claims that contradict each other. Raise
    StoreError if the file can't be read or written.
    """
    kept = read(match_file)
    if kept.end is not None and kept.end["outcome"] is not None:
        with MatchFile(match_file, kept) as file:
            for wire in wires:
                file.write(LOG, wire)
            file.write(END, {**kept.end, "outcome": None, "conviction": None})
            file.sync()
