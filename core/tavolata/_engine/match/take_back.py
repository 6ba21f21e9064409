"""Taking an answer back: who may, until when, and who has to agree.

A person can go back to its own last answer if since then nobody learned anything and no other person chose
anything. What bots did since is undone with it. At a table all other people have to agree; bots do.

An answer under seal stays: its box is a promise, and a second box for the same question could tell something
about the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tavolata._engine.match.entries import ANSWER, INTERJECT, RETURNED, SAY, SEAT, UNDONE, MatchEntry
from tavolata._engine.match.match import Match, TakenBack, UndoRequest
from tavolata._engine.match.source import Record
from tavolata.errors import Refused
from tavolata.messages import N_

NOT_NOW: Final = N_("You can undo an answer only while a question is open.")
LEARNED: Final = N_("You can't undo any more: something has been dealt, shown or sealed since.")
CHOSEN: Final = N_("You can't undo any more: someone else has chosen something since.")
NOTHING: Final = N_("You have nothing to undo.")
NOBODYS: Final = N_("Only players who are here can undo an answer, or agree to undo one.")
NO_WISH: Final = N_("No one has asked to undo that answer.")

_TELLS_NOTHING: Final = frozenset({SEAT, UNDONE, RETURNED})
"""The kinds of entries that change nothing in the course of a match."""


def last_answer(match: Match[Any], seat: int) -> TakenBack:
    """Return the answer that a seat could take back now, if the others agree.

    Raise `Refused`, which says why, if there isn't one.
    """
    source, table = match.source, match.table
    if not match.rules.take_back:
        raise Refused(N_("This game has no undo."))
    if match.over or match.is_judging:  # what follows from the answer is known to all
        raise Refused(NOT_NOW)
    if match.status[seat] == "blind":  # the game would answer again in its place
        raise Refused(NOBODYS)
    if not source.open or source.window is not None or source.declaring:
        raise Refused(NOT_NOW)
    log, why = source.log, ""
    for at in range(len(log) - 1, -1, -1):
        kind, *rest = log[at]
        if kind == ANSWER and rest[1] not in table._pauses and rest[0] == seat:
            if not why and rest[1] not in table._seals and at >= source.learned:
                return TakenBack(seat, rest[1], at)
            raise Refused(why or LEARNED)
        why = why or _hinders(match, seat, log[at])
    raise Refused(NOTHING)


def _hinders(match: Match[Any], seat: int, entry: MatchEntry) -> str:
    """Return why an answer of a seat can't be taken back over this entry; "" if it can."""
    kind, *rest = entry
    if kind == ANSWER and rest[1] in match.table._seals:
        return LEARNED
    if kind == ANSWER and rest[1] in match.table._pauses:
        return ""
    if kind in (ANSWER, INTERJECT) or (kind == SAY and match.game.listens):
        by = match.source.said_by.get(rest[1], 0) if kind == ANSWER else 0
        nobodys = by is None and match.status[rest[0]] == "blind"  # its question was closed at once
        return "" if rest[0] == seat or rest[0] in match.terms.bots or nobodys else CHOSEN
    return "" if kind == SAY or kind in _TELLS_NOTHING else LEARNED


def agree(match: Match[Any], entry: MatchEntry, record: Record) -> None:
    """Act on an UNDONE: a request to take an answer back, or someone's answer to that request.

    With the last agreement that it takes, the next `run` of the match goes back. `record` is called with the
    entry once it is known to fit. Raise `Refused` if it can't be taken back, or that is nothing new (nothing
    has changed), `ValueError` if it is no such entry.
    """
    request = _agreed(match, entry)
    record(entry)
    match.undo_request = request
    settle(match)


def settle(match: Match[Any]) -> None:
    """Let the next `run` go back if all who are asked by now have agreed; nobody asks a person who leaves."""
    request = standing(match)
    if request is not None and not needed(match, request.seat) - request.agreed:
        match.back_to = last_answer(match, request.seat)


def _agreed(match: Match[Any], entry: MatchEntry) -> UndoRequest | None:
    """Return the request after a word about it."""
    _, seat, ask, yes = entry
    if type(seat) is not int or type(ask) is not int or type(yes) is not bool:
        raise ValueError(entry)
    if seat not in range(len(match.status)) or seat in match.terms.bots or match.status[seat] != "here":
        raise Refused(NOBODYS)
    request = match.undo_request
    if request is None or request.ask != ask:
        if not yes:
            raise Refused(NO_WISH)
        taken, said = last_answer(match, seat), frozenset[int]()
    else:
        if (seat in request.agreed) is yes:
            raise Refused(N_("You've already voted on that."))
        if not yes:
            return None if seat == request.seat else request._replace(agreed=request.agreed - {seat})
        taken, said = last_answer(match, request.seat), request.agreed
    if taken.ask != ask:
        raise Refused(NO_WISH)
    return UndoRequest(taken.seat, ask, said | {seat})


def needed(match: Match[Any], seat: int) -> set[int]:
    """Return the seats whose people all have to agree that an answer of this seat is taken back.

    Bots and those whose questions are closed at once are not asked; in one process, where all sit at one
    keyboard, no one else is.
    """
    if not match.terms.parties:
        return {seat}
    people = (one for one in range(len(match.status)) if one not in match.terms.bots)
    return {one for one in people if match.status[one] != "blind"}


def word(match: Match[Any], seats: Iterable[int]) -> MatchEntry:
    """Return the word of the person at these seats: its request, its yes to the open request, or its no.

    Raise `Refused` if it has nothing to take back, and no one else wants to.
    """
    mine = [seat for seat in seats if seat not in match.terms.bots]
    if not mine:
        raise Refused(NOBODYS)
    request = standing(match)
    if request is not None:
        silent = [seat for seat in mine if seat not in request.agreed]
        taking_part = silent or sorted(mine, key=lambda seat: seat != request.seat)
        return (UNDONE, taking_part[0], request.ask, bool(silent))
    why: Refused | None = None
    for seat in mine:
        try:
            return (UNDONE, seat, last_answer(match, seat).ask, True)
        except Refused as refusal:
            why = why or refusal
    raise why or Refused(NOTHING)


def may(match: Match[Any] | None, seats: Iterable[int]) -> bool:
    """Return True if the person at these seats has something to say about taking an answer back."""
    try:
        return match is not None and bool(word(match, seats))
    except Refused:
        return False


def standing(match: Match[Any]) -> UndoRequest | None:
    request = match.undo_request
    if request is None or match.over:
        return None
    try:
        return request if last_answer(match, request.seat).ask == request.ask else None
    except Refused:
        return None
