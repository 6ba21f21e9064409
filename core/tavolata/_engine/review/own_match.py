"""The check of a match of one process: it is replayed from its seed and compared with the file."""

from __future__ import annotations

from typing import Any

from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.updates import Ended
from tavolata._engine.match.worlds import new_match
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._engine.storage.match_file import Kept
from tavolata._engine.storage.recorded import plain_end, plain_event
from tavolata.errors import Diverged, Refused
from tavolata.game import Game
from tavolata.messages import N_, Event


def check(kept: Kept, header: Header, rules: type[Game[Any]]) -> Findings:
    """Check a match of one process; raise `Wrong`, saying where, if the file and the replay differ."""
    if header.seed is None:
        raise Wrong(N_("The file names no seed, and nobody else who dealt."))
    events: list[Any] = []
    digests: list[tuple[bytes, int]] = []
    terms = header.terms(rules)
    source = ResumeSource(header.seed, (None,) * len(header.names), lambda _: None, kept.entries, hold=True)
    match: Match = new_match(rules, terms, source, lambda event: _note(event, match, events))
    if kept.start is not None:
        match.load(kept.start["state"])
        source.load(kept.start["source"])
        events += kept.events[: kept.start["events"]]
    match.on_turn = lambda: digests.append((match.digest(), match.turns))
    try:
        match.run()
    except Diverged as error:
        raise Wrong(N_("The match does not follow from its seed: {problem}"), problem=error) from error
    except Refused as refusal:
        raise Wrong(N_("An entry of the match was not legal: {problem}"), problem=refusal) from refusal
    if source.replaying:
        raise Wrong(N_("The file has entries behind the end of the match."))
    if events[: len(kept.events)] != kept.events:
        raise Wrong(N_("What was told in the match is not what its entries lead to."))
    if digests[: len(kept.turns)] != kept.turns:
        raise Wrong(N_("After some turn the table was not as the file says."))
    if kept.end is not None:
        statistics = StatisticsBuilder(len(header.names), kept.entries).statistics(match.turns)
        ended = Ended(match.outcome, match.digest(), match.conviction, statistics)
        if not match.over or kept.end != unpack(pack(plain_end(ended))):
            raise Wrong(N_("The match did not end as the file says."))
    found = Findings()
    found.tell(N_("Dealt by one process from its seed: who ran it could know every card."))
    found.tell(N_("Rules: {n} entries played again, the table compared {turns} times."),
               n=len(kept.entries), turns=len(kept.turns))  # fmt: skip
    if match.undone:
        found.tell(N_("Answers taken back: {n}."), n=match.undone)
    if kept.start is not None:
        found.tell(N_("Before that it was played by older rules, up to the end of a turn: only from there "
                      "on it was checked."))  # fmt: skip
    if kept.end is None:
        found.tell(N_("The match is not over in this file."))
    return found


def _note(event: Event, match: Match, events: list[Any]) -> None:
    events.append(unpack(pack(plain_event(event, match))))
