"""The replay of a match: it runs the rules over the file, forward and back, for any seat that may see it.

A step is an entry after which something is told, or that another machine said for a seat. To go back, it
runs the match again from the beginning, which takes no longer than a person takes to read a line. This module
shows nothing.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from tavolata._engine.match.dealing import NoKeys, OneDealer
from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.header import OPEN, TOGETHER, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import SeatKnowledge
from tavolata._engine.match.offences import read_conviction
from tavolata._engine.match.outcomes import checked
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.statistics import StatisticsBuilder
from tavolata._engine.match.updates import Ended
from tavolata._engine.match.worlds import new_match
from tavolata._engine.network.identities import own_seed
from tavolata._engine.storage.match_file import Kept, StoreError
from tavolata._engine.storage.recorded import outcome_of
from tavolata.errors import GameError, Refused
from tavolata.game import Game
from tavolata.messages import N_, Event
from tavolata.outcome import Outcome
from tavolata.ring import SEATS
from tavolata.view import View
from tavolata.zones import Zone
from tavolata_protocol.errors import ProtocolError
from tavolata_protocol.identity import Identity

if TYPE_CHECKING:
    from tavolata._engine.review.host_book import HostBook

ALL = -1
"""Stands for a seat in a view of all the hands that can be opened."""
HIDDEN_YET = N_("Hands are revealed when the match is over.")
HIDDEN = N_(
    "This computer can open the hands of {seats}. The others stay face down "
    "unless shown to all: only their players' computers can open them."
)
HIDDEN_BY_HOST = N_(
    "This computer can open the hands of {seats}. The others stay face down "
    "unless shown to all; the host's computer dealt them and can open them."
)
HIDDEN_ALL = N_("This computer had no seat in this match: hands stay face down unless shown to all.")


class SeenFaces(NoKeys):
    """The keyring of a replay, which sets `source`: the faces that seats here were shown, from the file.

    When a match is over, nothing on the machine opens them again: its secret is erased.
    """

    source: LogSource

    def __init__(self, kept: Kept) -> None:
        self._faces: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for entries, seat, card, face in kept.seen:
            self._faces[seat, card].append((entries, face))

    @override
    def face(self, sender: bytes, request: int, seat: int, card: int, box: bytes) -> int | None:
        """Return the face that the seat was shown at this place of the match."""
        seen = (face for entries, face in reversed(self._faces[seat, card]) if entries <= self.source.at)
        return next(seen, None)


@dataclass(frozen=True, slots=True)
class Step:
    """A place in a match at which the replay can stop.

    It counts the entries acted on, the events told, and the turns that are over, as players count them.
    """

    entries: int
    events: int
    turn: int


class Replay:
    """The replay of a single match.

    `steps` are the places at which it can stop, the beginning first; `at` is the current one, and `match` is
    as it was there. `is_book_wrong`: a lone dealer's seed gives other cards or numbers. `on_event` is called
    with every event on the way to a step, as it happens. Raise `OtherRules` if the rules installed here would
    play the match differently, `StoreError` if the entries don't fit those rules.
    """

    def __init__(self, kept: Kept, header: Header, rules: type[Game[Any]]) -> None:
        self.kept = kept
        self.header = header
        self.on_event: Callable[[Event], object] | None = None
        self._rules = rules
        self._seed = own_seed(header.keys) if header.keys else None
        self._terms = header.terms(rules)
        self._holds_all = False
        self.steps = list(self._explore())
        self._holds_all = kept.end is not None and self._book is not None and self._book.fits
        self.is_book_wrong = self._book is not None and self._book.is_wrong
        self.rewind()

    def rewind(self) -> None:
        """Go to the beginning, even if the replay is there."""
        self.at = 0
        self._beginning: list[tuple[MatchEntry, Stamp]] = []
        self._source = self._new_source()
        self.match = new_match(self._rules, self._terms, self._source, self._tell)
        for entry, stamp in self._beginning:
            if self._source.dealing.owing:
                self._source.prepare(entry, stamp)
        if self.kept.start is not None:
            self.match.load(self.kept.start["state"])
        self.feed(0)

    def _tell(self, event: Event) -> None:
        if self.on_event is not None:
            if self._book is not None and self._holds_all:
                self._book.open_to(self._source)
            self.on_event(event)

    def _new_source(self) -> LogSource:
        """Make a source like that of the file's peer, with its keys if they're on this machine."""
        header, seats = self.header, len(self.header.names)
        self._book: HostBook | None = None
        if header.dealer == OPEN:
            source = LogSource(seats, OneDealer())
            if self.kept.start is not None:
                for seat, faces in self.kept.start["source"]["known"].items():
                    source.known[seat].update(faces)
                source.before = SeatKnowledge({seat: dict(known) for seat, known in source.known.items()})
            return source
        keys = SeenFaces(self.kept)
        if header.dealer not in TOGETHER:
            from tavolata._engine.review.host_book import HostBook  # noqa: PLC0415 - most matches have none

            narrator = b"" if header.narrator is None else header.narrator.key
            self._book = None if self.kept.book is None else HostBook(self.kept.book, header.keys, narrator)
            source = LogSource(seats, self._book or OneDealer(header.keys, narrator), keys=keys)
        else:
            source = self._together(keys)
        keys.source = source
        return source

    def _together(self, keys: SeenFaces) -> LogSource:
        # Matches of one process need none of it.
        from tavolata._engine.dealing.fair_dealing import FairDealing  # noqa: PLC0415 - see the line above
        from tavolata._engine.review.signed_log import beginning, origin_of  # noqa: PLC0415 - as above

        try:
            origin = origin_of(self.kept, self.header, self._rules)
            self._beginning = list(beginning(self.kept, self.header))
        except ProtocolError as error:
            raise self._wrong(error) from error
        if origin is None:
            raise self._wrong(N_("the beginning of the match is missing."))
        deal = FairDealing(self.header, origin, self._me)
        source = LogSource(len(self.header.names), deal, keys=keys, stamp=origin.stamp)
        source.stamps.update(enumerate(self._stamps))
        return source

    @cached_property
    def _stamps(self) -> list[Stamp]:
        from tavolata._engine.review.signed_log import stamps  # noqa: PLC0415 - as above

        try:
            return stamps(self.kept)
        except ProtocolError as error:
            raise self._wrong(error) from error

    @cached_property
    def _own(self) -> tuple[int, ...]:
        """The seats of this machine at a table of peers."""
        keys = self.header.keys
        return tuple(seat for seat in range(len(keys)) if self._me and keys[seat] == self._me)

    @cached_property
    def _me(self) -> bytes:
        """The identity of this machine among the peers; empty if it was not one of them."""
        return b"" if self._seed is None else bytes(Identity(self._seed).peer)

    def feed(self, until: int) -> None:
        """Act on the entries up to this number; `at` stays the step where the replay stopped last."""
        self._source.entries += self.kept.entries[len(self._source.entries) : until]
        self.match.run()
        if self._book is not None and self._holds_all:
            self._book.open_to(self._source)

    def _explore(self) -> Iterator[Step]:
        try:
            self.rewind()
            match, told = self.match, 0
            yield Step(0, 0, 0)
            for number in range(1, len(self.kept.entries) + 1):
                wanted = self._source.wants
                self.feed(number)
                if self._book is not None:
                    self._book.compare(self.kept.entries[number - 1], wanted, self._source, self._own)
                if len(match.told) > told or match.over:
                    told = len(match.told)
                    yield Step(number, told, match.turns)
        except StoreError:
            raise
        except Exception as error:
            raise self._wrong(error) from error
        if self._source.voids and self.header.dealer == OPEN:
            raise self._wrong(next(iter(self._source.voids.values())))

    def is_own(self, at: int) -> bool:
        """Return True if an entry that was acted on counted."""
        return at not in self._source.voids

    def _wrong(self, error: Exception | str) -> StoreError:
        return StoreError(
            N_("The entries in {path} don't follow the game's rules: {problem}"),
            path=self.kept.path,
            problem=error,
        )

    @property
    def broken_at(self) -> int | None:
        """The first byte that can't be read; None if the whole file could be read."""
        return self.kept.whole if self.kept.whole < self.kept.size else None

    # -- moving -------------------------------------------------------------------------------

    def go(self, step: int) -> list[Event]:
        """Go to a step; return the events on the way there, or those of this step when going back.

        A number beyond either end means that end.
        """
        step = max(0, min(step, len(self.steps) - 1))
        if step < self.at:
            self.rewind()
            before = max(0, step - 1)
        else:
            before = self.at
        self.feed(self.steps[step].entries)
        self.at = step
        return self.match.told[self.steps[before].events : self.steps[step].events]

    def _outcome(self, plain: Any) -> Outcome | None:
        """Return the outcome in the file; it isn't the rules' own where players left or cheated."""
        if plain is None:
            return None
        table = self.match.table
        package = self.match.rules.__module__.partition(".")[0]
        return checked(outcome_of(plain, table, package), len(table.names), table.teams)

    @property
    def turns(self) -> int:
        """How many turns are over at the last step, as players count them."""
        return self.steps[-1].turn

    def step_of_turn(self, turn: int) -> int:
        """Return the first step of a turn, 1 for the first turn."""
        begun = (at for at, step in enumerate(self.steps) if step.turn >= turn - 1)
        return next(begun, len(self.steps) - 1)

    def end(self) -> Ended | None:
        """How the match ended, at the last step; None if it was not finished."""
        if not self.match.over and self.kept.end is None:
            return None
        end = self.kept.end or {}
        try:
            outcome, conviction = self._outcome(end.get("outcome")), read_conviction(end.get("conviction"))
        except (ValueError, LookupError, TypeError, GameError) as error:
            raise self._wrong(error) from error
        if not self.kept.end or (outcome is not None and self.match.outcome is not None):  # or void
            outcome = self.match.outcome
        done = self.kept.entries[: self.steps[self.at].entries]
        figures = StatisticsBuilder(len(self.header.names), done).statistics(self.match.turns)
        suspended = bool(end.get("suspended"))
        return Ended(outcome, self.match.digest(), conviction, figures, suspended, self.header.seats_not_in)

    # -- looking ------------------------------------------------------------------------------

    def seats(self) -> tuple[int, ...]:
        """The seats whose cards this file can open.

        They are all seats if the match is over and this process or this machine dealt it. Otherwise they are
        its own seats: only the machines of the other players can open their cards.
        """
        everybody = range(len(self.header.names))
        if self.header.dealer != OPEN:
            return tuple(everybody) if self._holds_all else self._own
        if self.kept.end is not None:
            return tuple(everybody)
        people = [seat for seat in everybody if self.header.bots[seat] is None]
        return tuple(people) if len(people) == 1 else ()

    def own_seats(self) -> tuple[int, ...]:
        """The seats of the people who played on this machine: at a table its own player's."""
        header = self.header
        if header.keys:
            return (header.own_seat(self._me),) if self._own else ()
        return tuple(seat for seat, level in enumerate(header.bots) if level is None)

    def check_seat(self, seat: int | None) -> None:
        """Raise `Refused`, with the reason, if the cards of a seat may not be seen."""
        seats = self.seats()
        if seat is None or seat in seats or (seat == ALL and seats and self.header.dealer != OPEN):
            return
        if seat == ALL and len(seats) == len(self.header.names):
            return
        message, params = self.why_hidden() or (HIDDEN_YET, {})
        raise Refused(message, **params)

    def why_hidden(self) -> tuple[str, dict[str, Any]] | None:
        """Return the message that says why some hands stay face down; None if all can be seen."""
        seats = self.seats()
        if len(seats) == len(self.header.names):
            return None
        is_ours = self._book is not None and self._book.fits
        if self.header.dealer == OPEN or (self.kept.end is None and is_ours):
            return HIDDEN_YET, {}
        message = HIDDEN if self.header.dealer in TOGETHER else HIDDEN_BY_HOST
        return (message if seats else HIDDEN_ALL), {"seats": tuple(SEATS[seat] for seat in seats)}

    def view(self, seat: int | None) -> View:
        """Return the view of a seat, a spectator (None) or all seats together (ALL) at the current step."""
        if seat != ALL:
            return self.match.view(seat)
        one, source, match = self.match.view(None), self._source, self.match
        return View(
            None, match.game, one.options, one.ring, one.names,
            ChainMap(*source.known.values()), ChainMap(*source.sealed.values()), match.events,
            lambda _: self._zones_of_all(), match.table._pieces.cards, one.imagine,
        )  # fmt: skip

    def _zones_of_all(self) -> Iterator[Zone]:
        """Yield the zones that any viewer sees, each once."""
        seen: set[tuple[str, Any]] = set()
        table = self.match.table
        for viewer in [None, *SEATS[: len(self.header.names)]]:
            for zone in self.match.game.zones(table, viewer) if table._pieces.laid else ():
                key = (zone.id, zone.seat)
                if key not in seen:
                    seen.add(key)
                    yield zone
