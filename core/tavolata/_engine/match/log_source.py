"""The log source: every input of the match is an entry, from a file or from the agreed log.

Entries may come before they are needed. `wants`, `open` and `window` say what the match waits for. Replays,
spectators and every peer of a table use this source. An entry that does not fit is void: every machine skips
it in the same way and keeps the reason for its author.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from typing_extensions import override

from tavolata._engine.match.dealing import Dealing, Keyring, NoKeys
from tavolata._engine.match.entries import (
    ANSWER,
    DEAL,
    DECLARED,
    FACE,
    INTERJECT,
    LATE,
    NARRATED,
    NEVER_TOGETHER,
    NUMBER,
    OPENED,
    PROVEN,
    REACT,
    SEAT,
    SHAKEN,
    SHOWN,
    SHUFFLED,
    TIMEOUT,
    UNDONE,
    UNOPENED,
    MatchEntry,
)  # fmt: skip
from tavolata._engine.match.match import Match, MatchSource
from tavolata._engine.match.settling import Settling
from tavolata._engine.match.source import (
    ABOUT_WINDOWS,
    NOT_ASKED,
    NOWHERE,
    InputRequest,
    Stamp,
    enter,
    faces_before,
    hide,
    keep,
    party_of,
    take_out,
)
from tavolata._engine.match.take_back import agree, settle
from tavolata.asks import Ask
from tavolata.assertions import FAILED, Declaration, FaceProof, Narration
from tavolata.cards import Card, Pile
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.reaction_times import GOES
from tavolata.ring import Seat
from tavolata.source import Dealt
from tavolata.table import TURN, Table
from tavolata.windows import Window

UNATTENDED = 3000
"""Milliseconds after which a window goes on that an absent player would end."""
F = TypeVar("F")
_ID = attrgetter("id")


class FollowingTable(Table[Any]):
    """The table of a match that follows a log, with a fast path for turning up a card.

    Usually the next entry has arrived and is about that card. Then one call does the work of `Table` and the
    source together; every other case is left to them.
    """

    _source: LogSource

    @override
    async def turn_up(
        self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None, verb: str = TURN
    ) -> Card[F]:
        source, cards = self._source, pile.cards
        try:
            kind, number, face = source.entries[source.at]
            card = cards[-1]
            shown = card.deck.faces[face]
        except (IndexError, ValueError, TypeError):  # no entry yet, another entry, or an empty pile
            return await Table.turn_up(self, pile, onto, by, verb)
        if number != card.id or kind != FACE or type(face) is not int or face < 0:
            return await Table.turn_up(self, pile, onto, by, verb)
        source.at += 1
        card._face = shown
        cards.pop()
        if onto is not None:
            onto.cards.append(card)
        if self._facts.said:
            self._facts.note(card)
        return card


class LogSource(MatchSource):
    """A source whose inputs are entries.

    Attributes:
        entries: all entries so far; those before `at` have been acted on.
        stamp: the place in the agreed log of the last entry acted on; at first, of the match's beginning.
        stamps: the places of entries that were not acted on yet.
        voids: by number of a void entry, the reason.
        forgotten: for each shuffle, by seat, the faces of its cards that were known here until then.
    """

    def __init__(
        self,
        seats: int,
        dealing: Dealing,
        entries: Iterable[MatchEntry] = (),
        keys: Keyring | None = None,
        stamp: Stamp = NOWHERE,
    ) -> None:
        self.entries: list[MatchEntry] = list(entries)
        self.at = 0
        self._unwanted = 0  # how many more entries were acted on than wants were met
        self.open: list[Ask] = []
        self.window: Window | None = None
        self.wants: InputRequest | None = None
        self.known: dict[int, dict[int, int]] = {seat: {} for seat in range(seats)}
        self.sealed: dict[int, dict[int, Answer]] = {seat: {} for seat in range(seats)}
        self.voids: dict[int, Refused] = {}
        self.declaring: list[Declaration] = []
        self.said_by: dict[int, int | None] = {}
        self._shown: dict[int, set[int]] = {}
        self._proven: dict[FaceProof, int | None] = {}
        self._log: list[MatchEntry] = []
        self._logged = 0
        self.forgotten: list[dict[int, dict[int, int]]] = []
        self.stamp = stamp
        self.stamps: dict[int, Stamp] = {}
        self.dealing = dealing
        self.words: type[Table[Any]] = Table if dealing.is_fair else FollowingTable
        self._keys = keys or NoKeys()
        self._settling = Settling(self._keys, dealing, self.sealed)

    @override
    def attach(self, match: Match) -> None:
        self._match = match
        match.table._follow_log()
        self.dealing.attach(match)

    def prepare(self, entry: MatchEntry, stamp: Stamp) -> None:
        """Take an entry of the beginning, before the match is run; one that is void changes nothing."""
        self.stamp = stamp
        with suppress(Refused, ValueError, TypeError, IndexError, KeyError):
            self.dealing.prepare(entry)

    @override
    def feed(self, entry: MatchEntry, stamp: Stamp = NOWHERE) -> None:
        if stamp is not NOWHERE:
            self.stamps[len(self.entries)] = stamp
        self.entries.append(entry)

    def _take(self, want: InputRequest | None, fits: Callable[[MatchEntry], bool]) -> MatchEntry | None:
        """Take the next entry that fits, or, without a want, that may have changed what is decided.

        Late entries before it are applied, and all others are void.
        """
        while not self._match.is_going_back:
            if want is not None and (made := self.dealing.met(want)) is not None:  # dealt by all together
                self.wants = None
                self._unwanted -= 1
                self._log.append(made)
                return made
            if self.at == len(self.entries):
                break
            number, entry = self.at, self.entries[self.at]
            self.at += 1
            self._unwanted += 1
            self.stamp = self.stamps.pop(number, self.stamp)
            try:
                done = self._acts(entry, fits)
            except Refused as refusal:
                self.voids[number] = refusal
                continue
            except (ValueError, TypeError, IndexError, KeyError):
                self.voids[number] = Refused(N_("That isn't a valid log entry for this game."))
                continue
            if self.dealing.is_fair:
                if entry[0] not in (DEAL, UNDONE):
                    self._log.append(entry)
                self.dealing.heard(self.stamp.author)
                done = done or want is None
            if self._match.undo_request is not None:  # the last one it waits for may have left
                settle(self._match)
            if done:
                self.wants = None
                self._unwanted -= want is not None
                return entry
        self.wants = want
        return None

    def _acts(self, entry: MatchEntry, fits: Callable[[MatchEntry], bool]) -> bool:
        """Act on an entry; return True if it's the one that was waited for.

        Raise `Refused` if it's not legal now (nothing has changed), `ValueError`, `TypeError`, `IndexError`
        or `KeyError` if it's no entry of this game.
        """
        if entry[0] == DEAL:
            self.dealing.take(entry)
            return False
        if entry[0] == UNOPENED:
            self.dealing.stop_waiting(entry[1], entry[2])
            return False
        if self.dealing.is_fair and entry[0] in NEVER_TOGETHER:
            raise Refused(NOT_ASKED)
        if entry[0] == UNDONE:
            agree(self._match, entry, lambda _: None)
            return False
        if fits(entry):
            return True
        if entry[0] not in LATE:
            raise Refused(NOT_ASKED)
        self._match.apply_late(entry, lambda _: None)
        return False

    @property
    @override
    def log(self) -> list[MatchEntry]:
        if not self.dealing.is_fair:  # where one dealer deals, the entries themselves are the log
            fresh = enumerate(self.entries[self._logged : self.at], self._logged)
            self._log += (one for number, one in fresh if number not in self.voids and one[0] != UNDONE)
            self._logged = self.at
        return self._log

    @property
    @override
    def is_waiting_over(self) -> bool:
        return self.dealing.is_waiting_over

    @override
    def go_back(self, at: int, mark: MatchEntry, closed: Mapping[int, Ask]) -> None:
        log = self.log
        log[at:] = [*(one for one in log[at:] if one[0] == SEAT), mark]  # who has left stays away
        self.open = []
        self.dealing.go_back(closed)

    # -- cards and chance ---------------------------------------------------------------------

    @override
    def lay(self, cards: list[Card[Any]]) -> None:
        self.dealing.lay(cards)

    @override
    def lie_as(self, cards: Sequence[Card[Any]], public: Mapping[int, int]) -> None:
        if self.dealing.is_fair:
            self.dealing.lie_as(faces_before(cards, public))

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        ids = tuple(map(_ID, cards))
        entry = self._take(
            InputRequest(SHUFFLED, self.dealt, ids),
            lambda e: e[0] == SHUFFLED and e[1] == len(cards) and type(e[2]) is bytes,
        )
        if entry is None:
            return False
        mixed = set(ids)
        self.forgotten.append({
            seat: {card: face for card, face in faces.items() if card in mixed}
            for seat, faces in self.known.items() if faces
        })  # fmt: skip
        self._hide(cards)
        self.dealing.shuffled(ids, entry[2])
        return True

    @override
    def shake(self, dice: list[Card[Any]]) -> bool:
        entry = self._take(
            InputRequest(SHAKEN, self.dealt, tuple(map(_ID, dice))),
            lambda e: e[0] == SHAKEN and e[1] == len(dice),
        )
        if entry is None:
            return False
        self._hide(dice)
        self.dealing.shaken(dice)
        return True

    def _hide(self, cards: list[Card[Any]]) -> None:
        hide(cards, self.known)
        for shown in self._shown.values():
            shown.difference_update(map(_ID, cards))

    @override
    def reveal(self, card: Card[Any]) -> bool:
        taken = self._take(
            InputRequest(FACE, self.dealt, (card.id, *self._next_faces(card))),
            lambda e: e[:2] == (FACE, card.id) and type(e[2]) is int and 0 <= e[2] < len(card.deck.faces),
        )
        if taken is None:
            return False
        card._face = card.deck.faces[taken[2]]
        return True

    def _next_faces(self, card: Card[Any]) -> tuple[int, ...]:
        """Return the cards that are revealed together with this one: their shares go into one step."""
        if not self.dealing.is_fair:
            return ()
        return tuple(one.id for one in self._match.table._revealing if one is not card and not one.is_public)

    @override
    def show(self, what: Dealt, number: int) -> bool:
        cards, seats = tuple(card.id for card, _ in what), tuple(int(seat) for _, seat in what)
        entry = self._take(
            InputRequest(SHOWN, self.dealt, cards, seats, number),
            lambda e: e[0] == SHOWN and e[1] == number and len(e[2]) == len(what),
        )
        if entry is None:
            return False
        for one, seat in zip(cards, seats, strict=True):
            self._shown.setdefault(seat, set()).add(one)
        self.dealing.shown(cards, seats)
        for (card, seat), box in zip(what, entry[2], strict=True):
            face = box if type(box) is int else self._keys.face(self.stamp.author, number, seat, card.id, box)
            if face is not None and 0 <= face < len(card.deck.faces):
                self.known[seat][card.id] = face
        return True

    @override
    def number(self, sides: int, seat: Seat | None = None) -> int | None:
        entry = self._take(
            InputRequest(NUMBER, self.dealt, number=sides, seat=0 if seat is None else int(seat) + 1),
            lambda e: e[0] == NUMBER and e[1] == sides and type(e[2]) is int and 0 <= e[2] < sides,
        )
        return None if entry is None else entry[2]

    # -- what is said of hidden things ------------------------------------------------------------

    @override
    def may_see(self, card: Card[Any], seat: Seat) -> bool:
        return card.id in self._shown.get(int(seat), ())

    @override
    def keep(self, cards: Mapping[int, int]) -> None:
        self.dealing.keep(cards)

    @override
    def declare(self, what: list[Declaration]) -> bool:
        def declares(match: Match, entry: MatchEntry, waiting: list[Declaration]) -> bool:
            return self._is_seat(entry) or self._settling.declares(match, entry, waiting)

        while waiting := [one for one in what if not one.is_said]:
            self.declaring = waiting
            late = self.dealing.nobody_declares(self._match, waiting)
            for one in late:
                one.say(one.otherwise, None)
                self.said_by[one.id] = None
                self.log.append((DECLARED, int(one.seat), one.id, None))
            if not late and self._take(None, lambda entry: declares(self._match, entry, waiting)) is None:
                return False
        self.declaring = []
        self.said_by.update({one.id: one.by for one in what})
        return True

    @override
    def narrate(self, what: Narration) -> bool:
        self.dealing.narrates(what)
        if self._take(InputRequest(NARRATED, self.dealt, number=what.id), partial(self._tells, what)) is None:
            return False
        self.dealing.narrated(what)
        return True

    def _tells(self, what: Narration, entry: MatchEntry) -> bool:
        """Take the narrator's value; return False if the entry isn't about this narration."""
        if entry[0] != NARRATED:
            return False
        _, seat, number, said = entry
        if (seat, number) != (what.to, what.id):
            return False
        if said is None:
            what.value = FAILED
        elif what.ask is None:
            (plain_value,) = said
            what.value = self._match.read_said(plain_value)
        else:
            self._told(what.ask, said)
        return True

    def _told(self, ask: Ask, said: Any) -> None:
        """Take a value for one seat: in a box, or openly in a match of one process."""
        if type(said) is not bytes:
            if self.dealing.has_boxes:
                raise Refused(NOT_ASKED)
            self.sealed[ask.seat][ask.id] = ask.question.check(said)
            return
        ask.box = said
        found = self._keys.told(self.stamp.author, int(ask.seat), ask.id, said)
        with suppress(Refused, ValueError, TypeError, IndexError, KeyError):
            if found is not None and self.dealing.opens(ask, said, *found):
                self.sealed[ask.seat][ask.id] = ask.question.check(found[1])

    @override
    def prove(self, what: list[FaceProof]) -> dict[FaceProof, int | None] | None:
        while missing := [proof for proof in what if proof not in self._proven]:
            first = missing[0]
            want = InputRequest(
                PROVEN, self.dealt, tuple(proof.card.id for proof in missing), number=first.ask,
                kept=tuple(proof.kept for proof in missing),
            )  # fmt: skip
            entry = self._take(want, partial(_proves, first))
            if entry is None:
                return None
            self._proven[first] = entry[3]
        found, self._proven = self._proven, {}
        return found

    # -- questions ----------------------------------------------------------------------------

    @override
    def answer(self, ask: Ask) -> bool:
        return self._collect([ask], lambda one: one.answer is not None)

    @override
    def floor(self, asks: list[Ask], changed: Callable[[], bool]) -> bool:
        return self._collect(asks, lambda one: one.answer is not None or changed(), interjections=True)

    @override
    def seal(self, asks: list[Ask]) -> bool:
        if not self._collect(asks, lambda one: one.answer is not None or one.box is not None):
            return False
        keep(asks, self.sealed)
        return True

    @override
    def unseal(self, asks: list[Ask]) -> bool:
        """Take no answer in a box from what this machine knows: its seat has to open it."""
        for ask in asks:
            if ask.answer is None and ask.box is None:
                ask.answer = self.sealed[ask.seat].get(ask.id)
        if not self._collect(asks, lambda one: one.answer is not None):
            return False
        take_out(asks, self.sealed)
        return True

    def _collect(self, asks: list[Ask], done: Callable[[Ask], bool], *, interjections: bool = False) -> bool:
        def settles(match: Match, entry: MatchEntry, waiting: list[Ask]) -> bool:
            if interjections and entry[0] == INTERJECT:
                match.apply_late(entry, lambda _: None)
                return True
            return self._is_seat(entry) or self._settling.settles(match, entry, waiting)

        while waiting := [ask for ask in asks if not done(ask)]:
            if self._match.is_going_back:
                return False
            self.open = waiting
            self.dealing.asked(waiting)
            if not self.dealing.times_out(self._match, waiting):
                taken = self._take(None, lambda entry: settles(self._match, entry, waiting))
                if taken is None:
                    return False
                if taken[0] != DEAL:  # a DEAL may open a seal by force
                    continue
            self.said_by.update({ask.id: ask.by for ask in waiting if ask.answer is not None})
            self.log.extend(
                (ANSWER, int(ask.seat), ask.id, ask.answer)
                if ask.box is None
                else (OPENED, int(ask.seat), ask.id, b"", ask.answer)
                for ask in waiting
                if ask.answer is not None
            )
        self.open = []
        self.said_by.update({ask.id: ask.by for ask in asks})
        return True

    # -- windows --------------------------------------------------------------------------------

    @override
    def react(self, window: Window) -> bool:
        """Decide the window when every present peer says that it has nothing earlier than the fastest."""
        while True:
            self._go_on_alone(window)
            if window.decided(self._here()):
                break
            self.window = window
            if self.dealing.is_window_over(window):
                window.end()
            elif self._take(None, lambda entry: self._races(entry, window)) is None:
                return False
        self.window = None
        if self.dealing.is_fair:  # who is present is not in its log
            self._log.append((TIMEOUT, window.id))
        return True

    def _go_on_alone(self, window: Window) -> None:
        """Make the move of an absent player, if nothing else would end a window."""
        go = window.go
        if go is None or window.seconds is not None or window.claims:
            return
        if self.dealing.is_left(self._match, int(go)):
            said = (REACT, int(go), window.id, GOES, UNATTENDED)
            self.log.append(enter(window, said, self._match.terms.parties))

    def _races(self, entry: MatchEntry, window: Window) -> bool:
        if self._is_seat(entry):  # nobody waits for a peer that has left, so the window may be decided now
            return True
        if entry[0] not in ABOUT_WINDOWS:
            return False
        enter(window, entry, self._match.terms.parties)
        return True

    def _is_seat(self, entry: MatchEntry) -> bool:
        """Apply a change of a seat's status, by which questions may be closed; return False for the rest."""
        if entry[0] == SEAT:
            self._match.apply_late(entry, lambda _: None)
        return bool(entry[0] == SEAT)

    def _here(self) -> list[int]:
        match = self._match
        here = (seat for seat, status in enumerate(match.status) if status == "here")
        return sorted({party_of(seat, match.terms.parties) for seat in here})

    @property
    def dealt(self) -> int:
        return self.at - self._unwanted


def _proves(proof: FaceProof, entry: MatchEntry) -> bool:
    if entry[0] != PROVEN:
        return False
    _, ask, card, face = entry
    fits = type(face) is int and 0 <= face < len(proof.card.deck.faces)
    return (ask, card) == (proof.ask, proof.card.id) and fits
