"""A match: the coroutine of its rules, driven over a source; its views, digests and snapshots.

`MatchSource` is the contract of the source. When an input is missing, the match waits; `wants`, `open` or
`window` of the source says for what. The coroutine continues after an entry was fed.

The same class serves play, simulation, replay and every peer of a table; they differ in the source. It uses
no file, no socket and no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, Protocol
from weakref import proxy, ref

from typing_extensions import TypeVar

from tavolata._engine.match.campaign import pack_legacy, read_legacy
from tavolata._engine.match.entries import (
    DECLARED,
    INTERJECT,
    RAISES,
    SAY,
    SEAT,
    MatchEntry,
    are_words,
    listed,
    plain,
    texts_of,
)  # fmt: skip
from tavolata._engine.match.interjections import answer_of
from tavolata._engine.match.offences import Caught, Conviction
from tavolata._engine.match.outcomes import checked
from tavolata._engine.match.source import NOWHERE, InputRequest, Stamp, hidden, hide
from tavolata._engine.match.state import Reader, Writer, digest, longest, pack, room, unpack
from tavolata._text import Verbatim
from tavolata.asks import Ask
from tavolata.assertions import FAILED, UNSAID, Assertion, Declaration, Narration, Undeclared
from tavolata.cards import Card, Pile
from tavolata.choices import Answer
from tavolata.cups import DiceDeck
from tavolata.errors import Diverged, FalseFact, GameError, MessageError, Refused
from tavolata.game import Game, Interjection, interjections
from tavolata.kinds.question import Question, RandomNumbers
from tavolata.messages import N_, Event, Mark, Text
from tavolata.options import Options
from tavolata.outcome import Outcome
from tavolata.ring import SEATS, Seat
from tavolata.secret import Narrated, Secret
from tavolata.source import Source
from tavolata.table import WAIT, Listener, Table
from tavolata.teams import NAMES
from tavolata.texts import clean
from tavolata.view import View, World
from tavolata.windows import Window
from tavolata.zones import CardView, Zone
from tavolata_protocol.fair.offences import Charge, Offence

TEAM = N_("{team}: {seats}.")
STATUSES = ("here", "away", "blind")
"""The states of a seat's player."""

NO_VALUE = N_("That isn't a valid value in this game.")
MOST_SAID = 1024
"""Bytes of a value that is said of hidden things, and of the arguments of a fact."""
ROOM: Final = 222
"""The most bytes in a sealed answer and in a narration for one seat, since all their boxes are equally long.
"""
TOO_MUCH = "{0} tells one seat more than {1} bytes."

_DECLARED: dict[type[Game[Any]], dict[str, Interjection[Any, Any]]] = {}


class Terms(NamedTuple):
    """The terms of a match; they are the same on every peer.

    Attributes:
        pace: None without pauses (simulation), 0 for a key at every pause, otherwise the seconds of a pause.
        parties: by seat, the number of the peer that plays it; empty in one process.
        snapshot: the packed clean snapshot that the match continues from.
        teams: by seat, the number of its team.
        convicts: a lie about hidden cards costs the match; not where the machines' code differs, which could
            make an honest word a lie.
        legacy: the bytes that the match before has left.
        narrator: the seats of the narrator's machine; usually it has none.
    """

    names: tuple[str, ...]
    options: Options
    pace: float | None = None
    parties: tuple[int, ...] = ()
    snapshot: bytes | None = None
    teams: tuple[int, ...] = ()
    bots: frozenset[int] = frozenset()
    convicts: bool = True
    legacy: bytes = b""
    narrator: tuple[int, ...] = ()


class SeatKnowledge(NamedTuple):
    """The seats' knowledge where the log of a source begins: nothing, unless it was loaded there.

    `known` has, by seat and card, the number of its face; `sealed`, by seat and question, the sealed answer.
    """

    known: Mapping[int, Mapping[int, int]] = MappingProxyType({})
    sealed: Mapping[int, Mapping[int, Answer]] = MappingProxyType({})


class MatchSource(Source, Protocol):
    words: type[Table[Any]]
    """The table for a match without pauses."""
    open: list[Ask]
    """The questions that are open now."""
    window: Window | None
    """The window that is open now."""
    declaring: list[Declaration]
    """The declarations that the match waits for."""
    wants: InputRequest | None
    """The entry that the match waits for from a dealer; None if it waits for none."""
    known: dict[int, dict[int, int]]
    """By seat, the face numbers of cards that were shown to that seat here."""
    sealed: dict[int, dict[int, Answer]]
    """By seat and question, the answers under seals that are still closed, as far as they are known here."""
    before: SeatKnowledge = SeatKnowledge()
    """What the seats knew where the log begins."""
    said_by: Mapping[int, int | None] = MappingProxyType({})
    """By question, the first seat of the party that has answered or declared; 0 if it is not there."""
    opened: Mapping[int, Answer] = MappingProxyType({})
    """By question, the sealed answers that were opened, if the log does not have them."""
    forgotten: Sequence[Mapping[int, Mapping[int, int]]] = ()
    """For each shuffle, by seat, the faces that were known here until then, if the log does not have them."""
    stamp: Stamp = NOWHERE
    """The place in the agreed log of the entry that was acted on last."""
    at: int = 0
    """How many entries were acted on, if the source has them from the beginning of the match on."""
    learned: int = 0
    """The length of the log when something was last shown that no entry says."""

    @property
    def is_waiting_over(self) -> bool:
        """Return True if no one waits any longer for what would judge a match that is over by its rules."""
        return False

    @property
    def log(self) -> Sequence[MatchEntry]:
        """What the match has acted on since this source was attached or loaded, as this machine has it.

        Where all deal together it says what they dealt, and not how: there are no DEAL entries, and what was
        decided without an entry is written as one.
        """

    def attach(self, match: Match[Any]) -> None:
        """Meet the match that this source feeds."""

    def feed(self, entry: MatchEntry, stamp: Stamp = NOWHERE) -> None:
        """Take an entry from outside, with its place in the agreed log.

        Raise `Refused` if it's not legal now; nothing has changed.
        """

    def lie_as(self, cards: Sequence[Card[Any]], public: Mapping[int, int]) -> None:
        """Lay all cards as a clean snapshot has them.

        `public` has, by card, the face number of each public card.
        """

    def go_back(self, at: int, mark: MatchEntry, closed: Mapping[int, Ask]) -> None:
        """Put the match back to where it was after `at` entries of the log; continue from there.

        The log ends with these, and with the mark, a RETURNED. `closed` has, by number, the questions with
        answers under seal.
        """


class UndoRequest(NamedTuple):
    """A person's request to take an answer back; `agreed` includes the requesting seat."""

    seat: int
    ask: int
    agreed: frozenset[int]


class TakenBack(NamedTuple):
    """An answer to take back: its seat, the question's number, and the number of log entries before it."""

    seat: int
    ask: int
    at: int


class Replicas(Protocol):
    """Everything that takes a second copy of a running match.

    Copies are matches, too, so what makes them is built on `Match` and handed in from above (`worlds`).
    """

    def imagine(self, match: Match[Any], seat: int | None, chance: RandomNumbers) -> World:
        """Return a world that may be the true one, as far as this seat knows."""

    def go_back(self, match: Match[Any], to: TakenBack) -> None:
        """Put the match back in front of an answer."""


R = TypeVar("R")
S_co = TypeVar("S_co", bound=MatchSource, covariant=True, default=MatchSource)
"""The source of a match; a plain `Match` has any source."""


class Match(Generic[S_co]):
    """A running match.

    `replicas` makes copies of the match, for imagined worlds and for taking an answer back. Without
    `on_event`, no events are made, which is faster.

    Attributes:
        game: the instance whose attributes are the state.
        ruled: how the match ends by its rules, while it is judged what was said in it.
        broken_off: the table ended the match without an outcome.
        fault: the fault of its rules that ended it.
        told: all events in the order in which they were told, also those of answers that were taken back.
        undone: how many answers were taken back.
        back_to: the answer in front of which the match is as soon as the script waits.
        status: by seat, "here", "away" or "blind".
        look: takes a snapshot for each event, because the state may have changed when the event is shown;
            called at the end of each turn after the first event, too.
        origin: the state from which the log of the source continues; None for the beginning of the match.
        shadows: by seat, the makers of the worlds that it imagines; empty until one is wanted.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        terms: Terms,
        source: S_co,
        replicas: Replicas,
        on_event: Callable[[Event], object] | None = None,
    ) -> None:
        self.rules = rules
        self.terms = terms
        self.source: S_co = source
        self.replicas = replicas
        self.events: list[Event] = []
        self.told: list[Event] = []
        self.undone = 0
        self.undo_request: UndoRequest | None = None
        self.back_to: TakenBack | None = None
        self._listener = None if on_event is None else Listener(partial(self._tell, on_event), self._zones)
        self._lay()
        self.outcome: Outcome | None = None
        self.conviction: Conviction | None = None
        self.ruled: Outcome | None = None
        self._broke: Exception | None = None
        self.broken_off = False
        self.fault: MessageError | None = None
        self.status = ["here"] * len(terms.names)
        self.on_turn: Callable[[], object] | None = None
        self.look: Callable[[], object] | None = None
        self.origin: Mapping[str, Any] | None = None
        self.shadows: dict[int | str | None, Any] = {}
        self._views: dict[int | None, View] = {}
        self._main: Coroutine[Any, Any, None] | None = None  # made by `run`: some matches are only looked at
        self._goes_back = False
        self._before_origin = 0
        source.attach(self)

    def _lay(self) -> None:
        terms, source = self.terms, self.source
        self.game = game = self.rules()
        words = source.words if terms.pace is None else Table
        self.table: Table[Any] = words(
            game,
            terms.options,
            source,
            terms.names,
            self._listener,
            terms.pace,
            terms.teams,
            partial(read_legacy, self.rules, terms.legacy),
        )
        self.table._facts.forms = proxy(self)  # else only garbage collection would end the match
        self.table._facts.convicts = terms.convicts

    @property
    def awaits(self) -> int:
        """How often the script has asked or dealt; between two of these the number stays the same.

        It is the same while a match is played, resumed and shown again.
        """
        return self.table._asks

    # -- the script ---------------------------------------------------------------------------

    async def _play(self) -> None:
        table = self.table
        if self.terms.snapshot is None:
            table.first_seat = table.ring[await table.randrange(len(table.ring))]
            self.game.setup(table)
            table._pieces.laid = True
            if self.terms.teams:
                for number, team in enumerate(table.teams):
                    table.tell(TEAM, team=NAMES[number], seats=team)
        else:
            self._restore(unpack(self.terms.snapshot))
            self.status = ["here"] * len(self.status)  # the log says who is away in this match
            for cards in hidden(table._pieces.cards).values():
                while not self.source.shuffle(cards):
                    await WAIT
        await self._turns()

    async def _turns(self) -> None:
        table, turn = self.table, self.game.turn
        try:
            while (ended := await turn(table)) is None:
                if self.look is not None:  # a simulation turns a card in the time of six calls
                    self._glance_at_end()
                table.turn += 1
                if self.on_turn is not None:
                    self.on_turn()
            self._glance_at_end()
            outcome = self._ended(ended)
        except (Diverged, FalseFact, Undeclared, Caught):
            raise
        except Exception as error:
            self._broke = error
            await table.judge()  # a lie that the rules can't bear is its author's fault, not the game's
            raise
        if table._facts.said:
            self.ruled = outcome
            await table.judge()
        self.ruled, self.outcome = None, outcome

    def _ended(self, outcome: object) -> Outcome:
        found = checked(outcome, len(self.table.names), self.table.teams)
        if found.legacy is not None:
            pack_legacy(self.rules, found.legacy)  # refuses one that could not be stored
        return found

    def texts_of(self, seats: Collection[int]) -> frozenset[str]:
        """Return the texts that these seats have written, as far as they are open."""
        return texts_of(seats, self.source.log) if seats else frozenset()

    @property
    def over(self) -> bool:
        return self.outcome is not None or self.conviction is not None or self.broken_off

    @property
    def is_breaking(self) -> bool:
        """Return True if the rules have raised; what was said is judged before they are blamed."""
        return self._broke is not None

    @property
    def is_judging(self) -> bool:
        """Return True if the rules have come to their end, in any way, and what was said is still judged."""
        return self.ruled is not None or self._broke is not None

    @property
    def is_unproven(self) -> bool:
        """Return True if the outcome is final, and what was said would still convict someone if opened."""
        return self.outcome is not None and self.ruled is not None

    @property
    def turns(self) -> int:
        """The number of completed turns, including the one that ended the match."""
        return self.game.turns_begun(self.table) - (self.outcome is None)

    def break_off(self, fault: MessageError | None = None) -> None:
        self.broken_off = True
        self.fault = fault
        self._close()

    def forfeit(self, seats: tuple[Seat, ...]) -> None:
        """End the match because the players of these seats have given it up, as the rules say."""
        self.outcome = self._ended(self.game.forfeit(self.table, seats))
        self._close()

    def end_early(self) -> None:
        """End the match as the table wants: as the rules score an unfinished one, else without an outcome."""
        outcome = self.game.unfinished(self.table)
        if outcome is None:
            self.break_off()
            return
        self.outcome = self._ended(outcome)
        self._close()

    def convict(self, conviction: Conviction, seats: tuple[Seat, ...]) -> None:
        """End the match because someone cheated and it can't continue; these seats forfeit it.

        Without seats it was the narrator, and the match has no outcome.
        """
        self.conviction = conviction
        if seats:
            self.forfeit(seats)
        else:
            self._close()

    def stand_at_turn(self) -> None:
        """Let the next `run` begin with a new turn: the state is that of a turn's end."""
        self._close()
        self.table._pieces.laid = True

    def _close(self) -> None:
        if self._main is not None:
            self._main.close()
        self._main = self.ruled = None

    def run(self) -> None:
        """Run until an entry is missing or the match is over."""
        self._run()
        while self.back_to is not None:
            self.replicas.go_back(self, self.back_to)
            self._run()

    def _run(self) -> None:
        if self.over and not self.is_unproven:
            return
        if self._main is None:
            self._main = self._turns() if self.table._pieces.laid else self._play()
        try:
            self._main.send(None)
        except StopIteration:
            pass
        except FalseFact as false:
            self._convict_liar(false)
        except Caught as caught:
            self._convict_narrator(caught.charge)
        except Undeclared as silent:
            self.forfeit(silent.seats)
        except (SystemExit, GeneratorExit) as error:  # they would end the event loop, and not only the match
            said = f"{type(error).__name__}: {error}".removesuffix(": ")
            raise GameError(said).with_traceback(error.__traceback__) from error
        except RuntimeError as error:
            if "reuse already awaited" in str(error):
                raise GameError("The match broke off at an earlier error and can't go on.") from error
            raise
        if self.is_judging and self.source.is_waiting_over:
            self.let_stand()

    def let_stand(self) -> None:
        """End the match as its rules say, without judging what was said; later shares still count.

        If the rules have raised an exception, raise it: then that is how it ends.
        """
        if self._broke is not None:
            broke, self._broke = self._broke, None
            self._close()
            raise broke
        self.outcome = self.ruled

    def _convict_liar(self, false: FalseFact) -> None:
        """Convict the party that said something false of hidden things: it forfeits all its seats."""
        said, parties = false.said, self.terms.parties
        name = said.fact.partition(":")[2]
        charge = Charge(Offence.FALSE_FACT, fact=name, value=false.value, faces=false.faces, turn=said.turn)
        if said.seat is None:
            self._convict_narrator(charge)
            return
        seats = tuple(SEATS[seat] for seat, party in enumerate(parties) if party == said.by) or (said.seat,)
        self.convict(Conviction(int(seats[0]), charge), seats)

    def _convict_narrator(self, charge: Charge) -> None:
        seats = tuple(SEATS[seat] for seat in self.terms.narrator)
        self.convict(Conviction(int(seats[0]) if seats else None, charge), seats)

    # -- taking an answer back --------------------------------------------------------------------

    @property
    def is_going_back(self) -> bool:
        return self.back_to is not None

    def returned(self, mark: MatchEntry) -> None:
        """Note an answer taken back here: no later question gives its number to another one."""
        _, seat, number = mark
        self.table._asks = number
        self.table.tell(N_("{seat} undoes an answer."), seat=SEATS[seat])

    def go_on_from(self: Match[Any], source: MatchSource) -> None:
        """Take all later input from another source, without pauses.

        The script waits where the first source has nothing more; the next `run` asks the other one.
        """
        self.source = source
        self.table._draw_from(source)
        self.table.__class__ = source.words  # the script holds this very table
        self._views.clear()
        source.attach(self)

    def feed(self, entry: MatchEntry, stamp: Stamp = NOWHERE) -> None:
        """Take one entry from outside, with its place in the agreed log, and continue.

        Raise `Refused` if it's not legal now; nothing has changed.
        """
        self.source.feed(entry, stamp)
        self.run()

    # -- entries that may come at any time ------------------------------------------------------

    def apply_late(self, entry: MatchEntry, record: Callable[[MatchEntry], object]) -> None:
        """Apply an interjection, words, or a change of a seat's status.

        Raise `Refused` if it's not legal now; nothing has changed.
        """
        if self.over:
            raise Refused(N_("The match is over."))
        if not isinstance(entry[1], int) or not 0 <= entry[1] < len(self.status):
            raise Refused(N_("There's no such seat."))
        if entry[0] == INTERJECT:
            _, seat, name, chosen = entry
            declared = self._declared().get(name)
            if declared is None:
                raise Refused(N_("This game has no such action."))
            question = self._choices(declared, SEATS[seat])
            if question is None:
                raise Refused(N_("You can't do that now."))
            value = question.value_of(self.answer_of(question, chosen))
            self._interjects(declared, seat, value, record, plain(chosen))
        elif entry[0] == SAY:
            _, seat, to, text = entry
            if not are_words(to, text, len(self.status)):
                raise Refused(N_("That isn't a valid message."))
            if (why := self.why_silent(seat, to)) is not None:
                raise Refused(why.message, **why.params)
            if self.game.listens:
                self._check_laid()
                words = None if to or not isinstance(text, str) else Verbatim(clean(text))
                _call(self.game.heard, self.table, SEATS[seat], tuple([SEATS[one] for one in to]), words)
            record(entry)
        elif entry[0] == SEAT:
            if entry[2] not in STATUSES:
                raise Refused(N_("A seat can't have that status."))
            self.status[entry[1]] = entry[2]
            record(entry)
        else:
            raise Refused(N_("That wasn't asked for."))

    def interject(self, seat: int, name: str, value: Any, record: Callable[[MatchEntry], object]) -> None:
        """Apply an interjection of this machine's bot, with a value of what it was offered just now.

        Raise `Refused` if it's not legal after all; nothing has changed.
        """
        if self.over:
            raise Refused(N_("The match is over."))
        self._interjects(self._declared()[name], seat, value, record, self.chosen(value))

    def _interjects(
        self,
        declared: Interjection[Any, Any],
        seat: int,
        value: Any,
        record: Callable[[MatchEntry], object],
        chosen: Any,
    ) -> None:
        self._check_laid()
        _call(declared.apply, self.game, self.table, SEATS[seat], value)
        self.table._interjections += 1
        record((INTERJECT, seat, declared.name, chosen))

    def why_silent(self, seat: int, to: Sequence[int]) -> Text | None:
        """Return why the rules let this seat not speak to these (none: to all); None if it may.

        Raise `GameError` if the rules give something other than a reason.
        """
        if not self.table._pieces.laid:
            return None
        why = _call(self.game.may_talk, self.table, SEATS[seat], tuple(SEATS[one] for one in to))
        if why is not None and not isinstance(why, Text):
            raise GameError(f"may_talk returns a Text or None, not {why!r}.")
        return why

    def _check_laid(self) -> None:
        if not self.table._pieces.laid:
            raise Refused(N_("The table isn't set up yet."))

    def _declared(self) -> dict[str, Interjection[Any, Any]]:
        found = _DECLARED.get(self.rules)
        if found is None:
            found = _DECLARED[self.rules] = interjections(self.rules)
        return found

    def _choices(self, declared: Interjection[Any, Any], seat: Seat) -> Question | None:
        if declared.choose is None or not self.table._pieces.laid:
            return None
        try:
            return _call(declared.choose, self.game, self.table, seat)
        except Refused:  # rules may say so here, too, that it's not possible now
            return None

    def standing(self, seat: int) -> dict[str, Question]:
        """Return, by name, the interjections that this seat may make now, each with its question."""
        found = {name: self._choices(one, SEATS[seat]) for name, one in self._declared().items()}
        return {name: question for name, question in found.items() if question is not None}

    def standing_one(self, seat: int, name: str) -> Question | None:
        declared = self._declared().get(name)
        return None if declared is None else self._choices(declared, SEATS[seat])

    def labels(self) -> dict[str, str]:
        return {name: one.label for name, one in self._declared().items()}

    def chosen(self, value: Any) -> Any:
        """Return a chosen value's plain data, for an entry; raise `GameError` if it can't be offered."""
        if type(value) is Seat:  # mostly it is one
            return ("seat", int(value))
        return plain(Writer(self.table).write(value, "A choice"))

    def answer_of(self, question: Question, chosen: Any) -> Answer:
        """Return the legal answer that means a chosen value; raise `Refused` if that's over.

        See `interjections.answer_of`.
        """
        return answer_of(question, chosen, self.chosen)

    def interjection(self, seat: int, name: str, value: Any) -> MatchEntry:
        return (INTERJECT, seat, name, self.chosen(value))

    def check_claim(self, ask: Ask, answer: Answer, *, public: bool = False) -> None:
        """Refuse an answer that claims something false about a face.

        With `public` only what everyone knows counts, otherwise what the asked seat knows here.
        """
        if ask.claim is not None and not self.view(None if public else ask.seat).holds(
            ask, ask.question.value_of(answer)
        ):
            raise Refused(ask.claim.reason)

    # -- what is said of hidden things ------------------------------------------------------------

    def plain_of(self, value: Any, where: str) -> Any:
        """Return the plain form of a value that is said, or that a fact is called with.

        See `assertions.PlainForms`. Raise `GameError` if it has none, or it is too long.
        """
        written = Writer(self.table).write(value, where)
        if len(pack(written)) > MOST_SAID:
            raise GameError(f"{where} holds more than {MOST_SAID} bytes; facts speak of less.")
        return written

    def told_of(self, value: Any, where: str) -> Any:
        """Return the plain form of a value for one seat; raise `GameError` if no box has room."""
        written = self.plain_of(value, where)
        if len(pack((written,))) > ROOM:
            raise GameError(TOO_MUCH.format(where, ROOM))
        return written

    def check_sealed(self, question: Question) -> None:
        """Raise `GameError` if an answer may be too long for a seal."""
        if (size := longest(question)[1]) > ROOM:
            raise GameError(
                f"An answer under seal has at most {ROOM} bytes, and one to this question may have {size}: "
                "offer fewer choices, fields or letters, or ask in several steps."
            )

    def value_of(self, plain: Any) -> Any:
        return self._reader(self.table._facts.secrets).read(plain)

    def declaration(self, one: Declaration) -> MatchEntry | None:
        """Return the entry by which a seat's machine declares; None while it doesn't see what it's about."""
        try:
            value = self.view(one.seat).worked_out(one)
            if value is UNSAID:
                return None
            said = plain(self.plain_of(value, "A declaration"))
        except Exception:  # noqa: BLE001 - the rules' fault; said to all, who judge it
            said = RAISES
        return (DECLARED, int(one.seat), one.id, said)

    def narration(self, one: Narration, value: Callable[[], Any]) -> tuple[Any] | None:
        """Return the value of a narration as an entry says it to all; None if the fact raises."""
        try:
            if one.ask is None:
                return (plain(self.plain_of(value(), "A narration")),)
            return (plain(self.told_of(value(), "A narration")),)
        except Exception:  # noqa: BLE001 - the rules' fault; said to all, who judge it
            return None

    def read_said(self, said: Any) -> Any:
        """Return the value that an entry declares; raise `Refused` if it isn't one of this game."""
        if said == RAISES:
            return FAILED
        try:
            value = self.value_of(listed(said))
            if plain(self.plain_of(value, "A declaration")) == said:
                return value
        except Exception as error:
            raise Refused(NO_VALUE) from error
        raise Refused(NO_VALUE)

    def lasts(self, value: Any) -> bool:
        """Return True if a value surely has a plain form of that size, and no one can change it."""
        return room(value) <= MOST_SAID

    def turn_now(self) -> int:
        return self.game.turns_begun(self.table)

    def _reader(self, secrets: dict[int, Secret[Any]]) -> Reader:
        return Reader(self.table, self.rules.__module__.partition(".")[0], secrets)

    # -- what people see ------------------------------------------------------------------------

    def _tell(
        self,
        on_event: Callable[[Event], object],
        message: str,
        params: dict[str, Any],
        only: Iterable[Seat] | None,
        stamp: str,
        marks: tuple[Mark, ...],
    ) -> None:
        event = Event(
            message,
            {name: _shown(value) for name, value in params.items()},
            None if only is None else tuple(only),
            stamp,
            marks,
        )
        self.events.append(event)
        if not self._goes_back:
            self.told.append(event)
            on_event(event)

    def _zones(self, seat: Seat) -> Iterable[Zone]:
        return self.game.zones(self.table, seat)

    def remember(self, events: Sequence[Event]) -> None:
        """Take the events before the place where this match was loaded."""
        self.events += events
        self.told += events
        self._before_origin = len(self.events)

    def glance(self) -> object:
        return None if self.look is None else self.look()

    def _glance_at_end(self) -> None:
        """Show what the rules did after the last event of the turn, before the next one begins."""
        if self.events and not self._goes_back:
            self.glance()

    def view(self, seat: int | None) -> View:
        """Return the view of a seat or of a spectator (None); it follows the match."""
        try:
            return self._views[seat]
        except KeyError:
            known: Mapping[int, int] = self.source.known[seat] if seat is not None else {}
            sealed: Mapping[int, Answer] = self.source.sealed[seat] if seat is not None else {}
            game, table = self.game, self.table  # not the match: it holds the view
            view = View(
                None if seat is None else SEATS[seat],
                self.game,
                self.terms.options,
                self.table.ring,
                self.terms.names,
                known,
                sealed,
                _Heard(self.events, seat),
                lambda who: game.zones(table, who) if table._pieces.laid else (),
                self.table._pieces.cards,
                partial(_imagined, ref(self), seat),
                lambda: (one for one in table._pieces.named.values() if isinstance(one, Pile)),
                1 if seat is None else len(table.team(SEATS[seat])),
            )
            self._views[seat] = view
            return view

    # -- state --------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the public state as plain data: everything that decides the future and is known to all."""
        table, pieces, writer = self.table, self.table._pieces, Writer(self.table)
        state: dict[str, Any] = {
            "first": int(table.first_seat),
            "turn": table.turn,
            "asks": table._asks,
            "ring": table.ring._save(),
            "faces": [card.deck.number[card.face] if card.is_public else -1 for card in pieces.cards],
            "pieces": {name: writer.write(piece._save(), name) for name, piece in pieces.named.items()},
            "game": {
                name: writer.write(value, f"{self.rules.__name__}.{name}")
                for name, value in vars(self.game).items()
            },
            "status": list(self.status),
            "over": self.over,
        }
        facts = table._facts
        if facts.kept:
            state["kept"] = facts.kept
        if facts.said:
            state["facts"] = [one.saved(self) for one in facts.said]
            for number in (number for one in facts.said for number in one.seals):
                writer.write(facts.secrets[number], "facts")
        if table._doubts.points:
            state["doubts"] = sorted(table._doubts.points.items())
        # Only the secrets that the game or a fact still holds: one that was dropped decides nothing.
        state["secrets"] = [self._secret(writer, secret) for secret in writer.secrets.values()]
        return state

    def _secret(self, writer: Writer, secret: Secret[Any]) -> list[Any]:
        ask = secret._ask
        answer = writer.write(ask.answer, "secret") if secret.is_open else None
        late = [writer.write(ask.late, "secret")] if ask.timed else []
        return [ask.id, int(ask.seat), writer.write(ask.question, "secret"), ask.box, answer, *late]

    def digest(self) -> bytes:
        """Return 16 bytes that are equal on all peers in the same state."""
        return digest(self.state())

    def load(self, state: Mapping[str, Any]) -> list[Ask]:
        """Restore the match at the beginning of a turn; return the questions under seals still closed.

        `state` is plain data, as from `state`. Raise `GameError` if they don't fit this game.
        """
        secrets = self._restore(state)
        self.origin = state
        self.stand_at_turn()
        return secrets

    def _restore(self, state: Mapping[str, Any]) -> list[Ask]:
        table, closed = self.table, []
        table.first_seat = SEATS[state["first"]]
        self.game.setup(table)
        table._pieces.laid = True
        reader = self._reader({})
        table.turn, table._asks = state["turn"], state["asks"]
        table.ring._load(state["ring"])
        cards = table._pieces.cards
        hide(cards, {})
        public = {card.id: face for card, face in zip(cards, state["faces"], strict=True) if face >= 0}
        for number, face in public.items():
            cards[number]._face = cards[number].deck.faces[face]
        self.source.lie_as(cards, public)
        for number, seat, question, box, answer, *late in state["secrets"]:
            ask = Ask(number, SEATS[seat], reader.read(question), sealed=True)
            for one in late:  # it may still count as late
                ask.seconds, ask.timed, ask.fallback = 0.0, True, reader.read(one)
            if isinstance(ask.question, Narrated):
                ask.question.forms = table._facts.forms
            ask.box, ask.by, ask.answer = box, 0, reader.read(answer)
            reader.secrets[number] = secret = Secret[Any](ask)
            if ask.answer is not None:
                secret._open()
            else:
                closed.append(ask)
        for name, saved in state["pieces"].items():
            table._pieces.named[name]._load(reader.read(saved))
        said = [Assertion.loaded(saved, cards) for saved in state.get("facts", ())]
        secrets = {number: reader.secrets[number] for one in said for number in one.seals}
        table._facts.begin_with(said, secrets, state.get("kept", 0))
        table._doubts.points = {SEATS[seat]: points for seat, points in state.get("doubts", ())}
        vars(self.game).clear()
        vars(self.game).update({name: reader.read(value) for name, value in state["game"].items()})
        self.status = list(state["status"])
        self._views.clear()
        return closed


def _imagined(match: Callable[[], Match[Any] | None], seat: int | None, chance: RandomNumbers) -> World:
    """Imagine a seat's world; the view that asks doesn't keep its match alive."""
    there = match()
    if there is None:
        raise GameError("The match of this view is gone.")
    return there.replicas.imagine(there, seat, chance)


def _shown(value: Any) -> Any:
    """Return an event's parameter as it is now: if a card is hidden later, the event keeps its face."""
    if isinstance(value, Card):
        face = value.face if value.is_public else None
        return CardView(value.id, value.deck.name, face, die=isinstance(value.deck, DiceDeck))
    return tuple(map(_shown, value)) if isinstance(value, list | tuple) else value


class _Heard(Sequence[Event]):
    """The events that one viewer may know, following the list of all of them."""

    def __init__(self, events: list[Event], seat: int | None) -> None:
        self._events = events
        self._seat = seat
        self._heard: list[Event] = []
        self._read = 0

    def _follow(self) -> list[Event]:
        fresh = self._events[self._read :]
        self._heard += (event for event in fresh if event.to is None or self._seat in event.to)
        self._read = len(self._events)
        return self._heard

    def __len__(self) -> int:
        return len(self._follow())

    def __getitem__(self, place: Any) -> Any:
        return self._follow()[place]


def _call(rules: Callable[..., R], *args: Any) -> R:
    """Call rules while an entry is applied: an error of theirs doesn't make the entry invalid."""
    try:
        return rules(*args)
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise GameError(f"{type(error).__name__}: {error}").with_traceback(error.__traceback__) from error
