"""The check of a match file, for every kind of dealer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tavolata._engine.match.header import OPEN, Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.updates import Ended
from tavolata._engine.match.worlds import new_match
from tavolata._engine.review import table_match
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage.match_file import MAGIC, Kept
from tavolata._engine.storage.record_framing import is_torn, records
from tavolata._engine.storage.recorded import plain_end, plain_event
from tavolata._machine import disk
from tavolata.errors import MessageError, Refused
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.admission import Entrance

OTHER_CARDS = N_("The cards that were dealt don't match the dealer's seed at the end of the file.")


def check(kept: Kept, header: Header, rules: type[Game[Any]]) -> Findings:
    """Check everything in a match file.

    Raise `Wrong` if something isn't as it should be; the sentence says where, and where possible by whom.
    Raise `OtherRules` if the rules installed here would play the match differently.
    """
    torn = kept.whole < kept.size
    if torn and (kept.end is not None or not _is_cut_short(kept)):
        raise Wrong(N_("The file is damaged from byte {at} on; the rest can't be read."), at=kept.whole)
    checked = _check_own if header.dealer == OPEN else table_match.check
    found = checked(kept, header, rules)
    if kept.book is not None and header.dealer != OPEN and Replay(kept, header, rules).is_book_wrong:
        raise Wrong(OTHER_CARDS)
    if torn:
        found.tell(N_("The last entry is incomplete, as can happen after a crash; it was left out."))
    return found


def check_without_rules(kept: Kept, header: Header, why: MessageError) -> Findings:
    """Check what can be checked of a match file without its rules: signatures, and how the match began.

    `why` says why its rules can't be followed here. Raise `Wrong` if something isn't as it should be.
    """
    found = Findings(without=why)
    if header.dealer == OPEN:
        found.tell(N_("Dealt by one process from its seed: the whole match follows from the rules."))
    else:
        table_match.check_signatures(kept, header, found)
    return found


def check_after(header: Header, before: Header, found: Findings) -> None:
    """Check that a match continues the one before, as its header says.

    Add everything right to `found`, the findings about the match before. Raise `Wrong` if it continues from
    another match, from another state, or with other terms.
    """
    said = header.before
    if said is None or said.match != before.id:
        raise Wrong(N_("This match doesn't continue match {match}."), match=before.id)
    if found.snapshots.get(said.chain) != said.snapshot:
        raise Wrong(N_(
            "This match doesn't continue match {match} from the end of a turn that left nothing secret: "
            "that match's file is different, or ends earlier."
        ), match=before.id)  # fmt: skip
    if replace(header, id=before.id, before=before.before) != before:
        raise Wrong(N_("The terms of this match aren't those of match {match}."), match=before.id)
    if found.next is None:
        found.tell(N_(
            "This match started from the state of match {match} at the end of a turn; that match's file "
            "ends before the point where everyone continued."
        ), match=before.id)  # fmt: skip
    elif found.next != header:
        raise Wrong(N_("Match {match} continues in match {other}, not in this one."),
                    match=before.id, other=found.next.id)  # fmt: skip
    else:
        found.tell(N_("This match continues match {match}, as everyone in it had agreed."), match=before.id)


def _is_cut_short(kept: Kept) -> bool:
    """Return True if the file only lacks the end of its last record, as after a kill while writing."""
    data = disk().read(kept.path, Entrance.RECORDS)
    end = max((end for end, _ in records(data, len(MAGIC))), default=len(MAGIC))
    return is_torn(data, end)


def _check_own(kept: Kept, header: Header, rules: type[Game[Any]]) -> Findings:
    """Replay a match of one process from its seed; raise `Wrong`, saying where, if the file differs."""
    if header.seed is None:
        raise Wrong(N_("The file names neither a seed nor a dealer."))
    events: list[Any] = []
    digests: list[tuple[bytes, int]] = []
    terms = header.terms(rules)
    source = ResumeSource(header.seed, (None,) * len(header.names), lambda _: None, kept.entries, hold=True)
    match: Match = new_match(
        rules, terms, source, lambda event: events.append(unpack(pack(plain_event(event, match))))
    )
    try:
        if kept.start is not None:
            match.load(kept.start["state"])
            source.load(kept.start["source"])
            events += kept.events[: kept.start["events"]]
        match.on_turn = lambda: digests.append((match.digest(), match.turns))
        match.run()
    except Refused as refusal:
        raise Wrong(N_("An entry in the match wasn't legal: {problem}"), problem=refusal) from refusal
    except Exception as error:  # a doctored state or entry may lead to any
        raise Wrong(N_("The match doesn't follow from its seed: {problem}"), problem=error) from error
    if source.replaying:
        raise Wrong(N_("The file has entries after the end of the match."))
    if events[: len(kept.events)] != kept.events:
        raise Wrong(N_("The events in the file don't follow from the match's entries."))
    if digests[: len(kept.turns)] != kept.turns:
        raise Wrong(N_("After one of the turns, the table doesn't match the file."))
    if kept.end is not None:
        statistics = StatisticsBuilder(len(header.names), kept.entries).statistics(match.turns)
        ended = Ended(match.outcome, match.digest(), match.conviction, statistics)
        if not match.over or kept.end != unpack(pack(plain_end(ended))):
            raise Wrong(N_("The match didn't end as the file says."))
    found = Findings()
    found.tell(N_("Dealt by one process from its seed: the person who ran it could have known every card."))
    found.tell(N_("Rules: {n} entries replayed, and the table compared with the file {turns} times."),
               n=len(kept.entries), turns=len(kept.turns))  # fmt: skip
    if match.undone:
        found.tell(N_("Undone answers: {n}."), n=match.undone)
    if kept.start is not None:
        found.tell(
            N_(
                "The match was played with older rules up to the end of a turn; only the part after "
                "that was checked."
            )
        )
    if kept.end is None:
        found.leave_off(N_("Correct up to entry {number} of the match; the end is missing."),
                        number=len(kept.entries))  # fmt: skip
    return found
