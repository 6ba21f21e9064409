"""The settling of questions: how entries answer open questions, at once, under a seal or by time-out."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from tavolata._engine.match.dealing import Dealing, Keyring
from tavolata._engine.match.entries import (
    ANSWER,
    DECLARED,
    OPENED,
    SEALED,
    TIMEOUT,
    MatchEntry,
    plain,
    time_of,
)
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import Caught
from tavolata._engine.match.source import check_late
from tavolata.asks import Ask
from tavolata.assertions import Declaration
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.ring import Seat
from tavolata.secret import Narrated
from tavolata_protocol.fair.offences import Charge, Offence


class Settling:
    """Applies entries to open questions, as one machine sees them.

    `sealed` has, by seat, the sealed answers that it may look at; this object keeps it up to date.
    """

    def __init__(self, keys: Keyring, dealing: Dealing, sealed: dict[int, dict[int, Answer]]) -> None:
        self._keys = keys
        self._dealing = dealing
        self._sealed = sealed

    def settles(self, match: Match, entry: MatchEntry, waiting: list[Ask]) -> bool:
        """Answer the question that the entry is about; return False if the entry isn't about questions.

        Raise `Refused` if the entry is not a legal answer now.
        """
        kind = entry[0]
        if kind == TIMEOUT:
            ask = _asked(waiting, entry[1], None)
            check_late(ask)
            ask.answer = ask.late
        elif kind == ANSWER:
            _, seat, number, answer, *_ = entry
            time_of(entry)
            ask = _asked(waiting, number, seat)
            if ask.box is not None:  # else a seat could change its answer after it has seen the others
                raise Refused(N_("That question takes a sealed answer."))
            answer = ask.question.check(answer)
            if not ask.is_late(answer):
                match.check_claim(ask, answer, public=True)
                ask.by = self._dealing.speaker(match, seat)
            ask.answer = answer
        elif kind == SEALED:
            _, seat, number, box, *more = entry
            time_of(entry)
            ask = _asked(waiting, number, seat)
            is_free = ask.sealed and ask.box is None
            if not is_free or type(box) is not bytes or not self._dealing.is_seal(ask, box):
                raise Refused(N_("That question doesn't take a sealed answer."))
            copies, author = tuple(*more[:1]), match.source.stamp.author
            for mate, copy in zip(ask.shown_to, copies, strict=False):
                self._look(ask, box, author, mate, copy)
            ask.box, ask.by = box, self._dealing.speaker(match, seat)
            self._confides(author, ask, box, copies[len(ask.shown_to) :])
        elif kind == OPENED:
            _, seat, number, nonce, answer = entry
            ask = _asked(waiting, number, seat)
            if nonce == b"" and self._dealing.may_put_aside(ask) and answer == ask.late:
                ask.answer, ask.by = ask.late, None
                return True
            if ask.box is None or not self._dealing.opens(ask, ask.box, nonce, answer):
                if isinstance(ask.question, Narrated) and self._dealing.is_narrator(
                    match.source.stamp.author
                ):
                    raise Caught(Charge(Offence.WRONG_OPENING))
                raise Refused(N_("That answer doesn't match the seal."))
            answer = ask.question.check(answer)
            ask.answer = answer if self._dealing.is_confided(ask, nonce, answer) else ask.late
        else:
            return False
        return True

    def declares(self, match: Match, entry: MatchEntry, waiting: list[Declaration]) -> bool:
        """Take a machine's declaration; return False if the entry isn't one.

        Raise `Refused` if no one waits for it, or it isn't a value of this game.
        """
        if entry[0] != DECLARED:
            return False
        _, seat, number, said = entry
        one = next((one for one in waiting if one.id == number and int(one.seat) == seat), None)
        if one is None:
            raise Refused(N_("That question is closed."))
        one.say(match.read_said(said), self._dealing.speaker(match, seat))
        return True

    def _confides(self, author: bytes, ask: Ask, box: bytes, copies: tuple[object, ...]) -> None:
        """Let a narrator look at a sealed answer; a copy that isn't right counts as silence, for all."""
        if not self._dealing.has_boxes:
            return
        copy = copies[0] if copies else b""
        found = self._keys.confided(author, int(ask.seat), ask.id, copy) if type(copy) is bytes else None
        self._dealing.confide(ask, author, copy, None)
        if found is None:
            return
        with suppress(Refused, ValueError, TypeError, IndexError, KeyError):
            nonce, told = found[0], ask.question.check(plain(found[1]))
            if self._dealing.opens(ask, box, nonce, told) and self._dealing.is_confided(ask, nonce, told):
                self._dealing.confide(ask, author, copy, (nonce, told))

    def _look(self, ask: Ask, box: bytes, sender: bytes, mate: Seat, copy: object) -> None:
        """Let a seat look at another's sealed answer, if this copy is for it and correct.

        Only one machine can open the copy. So a wrong copy must not be an error: the entry would be void on
        that machine only.
        """
        opened: Any = self._keys.answer(sender, mate, ask.id, copy) if type(copy) is bytes else copy
        if opened is None:
            return
        with suppress(Refused, ValueError, TypeError, IndexError, KeyError):
            nonce, told = opened
            answer = ask.question.check(plain(told))
            if self._dealing.opens(ask, box, nonce, answer):
                self._sealed[mate][ask.id] = answer


def _asked(waiting: list[Ask], number: int, seat: int | None) -> Ask:
    for ask in waiting:
        if ask.id == number and seat in (None, ask.seat):
            return ask
    raise Refused(N_("That question is closed."))
