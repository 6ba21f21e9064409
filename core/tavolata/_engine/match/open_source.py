"""The open dealer: one process plays the whole match with random numbers from a seed.

Simulations and matches on one machine use this source. It has to be the fastest, so an input that can be
answered at once does not suspend the match. The order of the cards stays in this module; rules see opaque
handles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Any, TypeVar

from typing_extensions import override

from tavolata._engine.match.entries import (
    ANSWER,
    DECLARED,
    FACE,
    NARRATED,
    NUMBER,
    PROVEN,
    QUIET,
    REACT,
    SAY,
    SHAKEN,
    SHOWN,
    SHUFFLED,
    TIMEOUT,
    UNDONE,
    MatchEntry,
    hearers,
    plain,
)  # fmt: skip
from tavolata._engine.match.interjections import ALL, meant, share_of, taken
from tavolata._engine.match.match import ROOM, TOO_MUCH, Match, MatchSource, SeatKnowledge
from tavolata._engine.match.source import (
    ABOUT_WINDOWS,
    NOWHERE,
    InputRequest,
    Record,
    Stamp,
    TimedAnswer,
    check_late,
    enter,
    hide,
    keep,
    reflex_of,
    sides_of,
    take_out,
)  # fmt: skip
from tavolata._engine.match.take_back import agree
from tavolata._players import Bot, Chance, ChatMessage
from tavolata.asks import Ask
from tavolata.assertions import Declaration, FaceProof, Narration
from tavolata.cards import Card, Pile
from tavolata.choices import Answer
from tavolata.errors import GameError, MessageError, Refused
from tavolata.kinds.one_of import GO
from tavolata.kinds.question import Question, RandomNumbers
from tavolata.messages import N_
from tavolata.reaction_times import GOES, GRACE
from tavolata.ring import Seat
from tavolata.secret import Secret
from tavolata.source import Dealt
from tavolata.table import TURN, Table
from tavolata.windows import Window

F = TypeVar("F")
_SPREAD = 0x9E3779B97F4A7C15
_APART = 0xD1342543DE82EF95
"""Unlike `_SPREAD`, no step of `Chance`: else the seats of a window would share their random numbers."""
_EXACT = 1 << 32
"""The most sides of a lot for which one number from `random()` is fine enough."""
_FOREVER = 1 << 62
"""More rounds than any match has."""
MOST_ANSWERS = 51_200
"""The most answers and windows of bots in a match that no one watches; a longer one counts as endless."""
HASNT_ENDED = N_("{game} hasn't ended after {n} answers.")
_ALONE = (0,)
"""The peers of a match in one process."""


class Unended(MessageError):
    """A match between bots alone is so long that it counts as endless (exit code 4)."""


class CutShort(BaseException):  # rules may catch Exception
    """Raised where bots have given as many answers as they may."""


class _Cap:
    """How many answers bots may still give; `patient` is asked before each but the first."""

    __slots__ = ("_given", "_patient")

    def __init__(self, patient: Callable[[], bool]) -> None:
        self._given, self._patient = 0, patient

    def count(self) -> None:
        if self._given and not (self._given < MOST_ANSWERS and self._patient()):
            raise CutShort
        self._given += 1


class AtOnceTable(Table[Any]):
    """The table of an open dealer if nothing can interrupt it: no pause, and no bot that interjects.

    In many games every step turns up a card, so one call does the work of `Table` and the source together. No
    other method is worth a second implementation.
    """

    order: list[int]
    """By handle, the number of its face."""
    record: Record

    # The interpreter calls a method of an attribute (`self.x.append(y)`) quickly only if the attribute's
    # class has it. A bound method in an attribute is therefore read into a local name first.

    @override
    async def turn_up(
        self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None, verb: str = TURN
    ) -> Card[F]:
        try:
            card = pile.cards.pop()
        except IndexError:
            card = pile.top  # which says that there isn't one
        face = self.order[card.id]
        record = self.record
        record((FACE, card.id, face))
        card._face = card.deck.faces[face]
        if onto is not None:
            onto.cards.append(card)
        if self._facts.said:
            self._facts.note(card)
        return card


class QuietTable(AtOnceTable):
    """The table of an open dealer whose bots interject now and then: most cards are turned as above."""

    source: OpenSource

    @override
    async def turn_up(
        self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None, verb: str = TURN
    ) -> Card[F]:
        source = self.source
        if source.quiet:
            source.quiet -= 1
        else:
            card = pile.cards[-1] if pile.cards else pile.top
            source.invite()
            if not pile.cards or pile.cards[-1] is not card:  # an interjection has moved cards
                pile.take(card)
                pile.cards.append(card)
        # From here on as above: to call it would take a tenth of a match.
        try:
            card = pile.cards.pop()
        except IndexError:
            card = pile.top
        face = self.order[card.id]
        record = self.record
        record((FACE, card.id, face))
        card._face = card.deck.faces[face]
        if onto is not None:
            onto.cards.append(card)
        if self._facts.said:
            self._facts.note(card)
        return card


class OpenSource(MatchSource):
    """A source with random numbers from a seed, and answers from bots here or from people through `feed`.

    The same seed, options and answers give the same match on every machine. `record` is called with every
    entry before it is acted on; no one by default, which is faster. With `hold`, bots wait for
    `let_bot_answer`, so that people can follow. Then talkative bots speak when a question or a window opens,
    so that people can answer them before the match continues; otherwise before each card. `quiet` counts the
    rounds of invitations that pass from here on without anyone being asked.
    """

    # Of more than thirty attributes in its dict an instance is read as slowly as any other dict.
    __slots__ = (
        "_awake", "_cap", "_most", "_polls", "_seldom", "_taken", "_takes", "_talkers", "quiet",
    )  # fmt: skip

    def __init__(
        self, seed: int, bots: Sequence[Bot | None], record: Record | None = None, *, hold: bool = False
    ) -> None:
        # Only `random()` of this generator is used: its sequence is the same in all versions of Python.
        self._rng = Random(seed)  # noqa: S311 - a seed that means the same match everywhere is the purpose
        self._seed = seed
        self._key = 0  # made when a bot is first asked: in many games none ever is
        self._faces: list[int] = []
        # By number, the faces of shuffled cards that something was said of.
        self._kept_faces: dict[int, int] = {}
        self._log: list[MatchEntry] = []
        self._record = self._log.append if record is None else _both(self._log, record)
        self._chance = Chance()
        self._hold = hold
        self._polls = 0  # this many invitations have passed, those of the quiet rounds among them
        self._cap: _Cap | None = None
        self.sit_down(bots)
        self.open: list[Ask] = []
        self.declaring: list[Declaration] = []
        self.wants: InputRequest | None = None
        self.known: dict[int, dict[int, int]] = defaultdict(dict)  # filled when needed: many games never do
        self.sealed: dict[int, dict[int, Answer]] = defaultdict(dict)
        self.opened: dict[int, Answer] = {}
        self._polled_floor = 0  # the first question of the open floor at which bots were asked last
        self._changed: Callable[[], bool] | None = None  # whether the open floor has to be opened again
        self._polled_at = 0  # the number of a question or a window

    def sit_down(self, bots: Sequence[Bot | None]) -> None:
        """Let these bots play from here on; None where a person answers."""
        self.bots = list(bots)
        self._talkers = [(seat, bot) for seat, bot in enumerate(bots) if bot is not None and bot.interjects]
        self.words: type[Table[Any]] = AtOnceTable
        self.quiet = self._taken = 0
        self.window: Window | None = None  # these bots have yet to be asked in an open one
        if self._talkers:
            ways = {bot.interjecting for _, bot in self._talkers}
            self._awake = ways.pop() if len(ways) == 1 else Bot.interjecting
            self.words = Table if self._hold else QuietTable

    @property
    @override
    def log(self) -> list[MatchEntry]:
        return self._log

    @override
    def attach(self, match: Match) -> None:
        self._match = match
        table = match.table
        if self._talkers:
            options = match.terms.options
            shares = {seat: share_of(bot, options) for seat, bot in self._talkers}
            self._most = ALL if self._hold else max(shares.values())
            self._seldom = {seat: share for seat, share in shares.items() if share < self._most}
            if self._most < ALL and not self._taken:
                self._be_quiet()
            if isinstance(table, QuietTable):
                table.source = self
                if self._most == ALL:
                    match.table.__class__ = Table
        if isinstance(table, AtOnceTable):
            table.order, table.record = self._faces, self._record

    @override
    def go_back(self, at: int, mark: MatchEntry, closed: Mapping[int, Ask]) -> None:
        del self._log[at:]
        self._log.append(mark)
        self.open, self._changed, self._polled_floor = [], None, 0
        self.attach(self._match)

    @override
    def lie_as(self, cards: Sequence[Card[Any]], public: Mapping[int, int]) -> None:
        """Do nothing: this source knows the faces of all cards."""

    def let_go(self) -> None:
        """Forget the match: it is over and nothing will be fed to it.

        A match and a source that refer to each other are left to the garbage collector, which would take a
        twentieth of the time of a simulation.
        """
        del self._match

    @property
    def replaying(self) -> bool:
        return False

    def _make_key(self) -> int:
        """Make a bot's key.

        It can work back from its random numbers to this key, but not from it to the cards.
        """
        key = blake2b(str(self._seed).encode(), digest_size=8).digest()
        self._key = int.from_bytes(key, "little")
        return self._key

    # -- cards and chance ---------------------------------------------------------------------

    @override
    def lay(self, cards: list[Card[Any]]) -> None:
        self._faces += cards[0].deck.cards

    @override
    def shuffle(self, cards: list[Card[Any]]) -> bool:
        """Give each card a number from `random()`, and sort the cards by it.

        Two numbers are equal once in 10**13 shuffles, and then the two cards keep their order, a bias too
        small to measure. Sorting takes half as long as exchanging the cards one by one.
        """
        faces, random = self._faces, self._rng.random
        everything = len(cards) == len(faces)
        # A shuffle does not depend on the face that each handle had before. If all cards of the table are in
        # one pile, the list of all faces is shuffled in place.
        order = faces if everything else [faces[card.id] for card in cards]
        order.sort(key=lambda _: random())
        if not everything:
            for card, face in zip(cards, order, strict=True):
                faces[card.id] = face
        hide(cards, self.known)
        self._record((SHUFFLED, len(cards), b""))
        return True

    @override
    def shake(self, dice: list[Card[Any]]) -> bool:
        for die in dice:
            self._faces[die.id] = self._thrown(die)
        hide(dice, self.known)
        self._record((SHAKEN, len(dice)))
        return True

    def _thrown(self, die: Card[Any]) -> int:
        sides = sides_of(die)
        return sides[int(self._rng.random() * len(sides))]

    @override
    def may_see(self, card: Card[Any], seat: Seat) -> bool:
        return card.id in self.known[seat]

    @override
    def keep(self, cards: Mapping[int, int]) -> None:
        self._kept_faces.update({number: self._faces[card] for card, number in cards.items()})

    @override
    def reveal(self, card: Card[Any]) -> bool:
        if self._talkers and not self._hold:
            self._poll()
        face = self._faces[card.id]
        self._record((FACE, card.id, face))
        card._face = card.deck.faces[face]
        return True

    @override
    def show(self, what: Dealt, number: int) -> bool:
        if self._talkers and not self._hold:
            self._poll()
        faces = [self._faces[card.id] for card, _ in what]
        self._record((SHOWN, number, tuple(faces)))
        for (card, seat), face in zip(what, faces, strict=True):
            self.known[seat][card.id] = face
        return True

    @override
    def number(self, sides: int, seat: Seat | None = None) -> int | None:
        random = self._rng.random
        value = int(random() * sides)
        if sides > _EXACT:  # `random()` has 53 bits: the last ones of a larger number would always be zero
            value = sum(int(random() * _EXACT) * _EXACT**place for place in range(3)) * sides >> 96
        self._record((NUMBER, sides, value))
        return value

    # -- what is said of hidden things ------------------------------------------------------------

    @override
    def declare(self, what: list[Declaration]) -> bool:
        """Say for everyone what is true: this process knows all faces."""
        match = self._match
        for one in what:
            plain_value = match.plain_of(self.work_out(one), "A declaration")
            self._record((DECLARED, int(one.seat), one.id, plain(plain_value)))
            one.say(match.value_of(plain_value), 0)
        return True

    @override
    def narrate(self, what: Narration) -> bool:
        """Give the true value at once."""
        match = self._match
        said = match.narration(what, lambda: self.work_out(what))
        if said is None:
            self.work_out(what)  # raises what the fact does
            raise GameError(TOO_MUCH.format(what.fact.__name__, ROOM))
        self._record((NARRATED, what.to, what.id, said))
        if what.ask is None:
            what.value = match.read_said(*said)
        else:
            self.sealed[what.ask.seat][what.id] = said
        return True

    def work_out(self, one: Declaration | Narration) -> Any:
        def answer(secret: Secret[Any]) -> Any:
            return secret.question.value_of(self.sealed[secret.seat].get(secret.id, secret._ask.answer))

        return one.work_out(lambda card: card.deck.faces[self._faces[card.id]], answer)

    @override
    def prove(self, what: list[FaceProof]) -> dict[FaceProof, int | None] | None:
        found: dict[FaceProof, int | None] = {}
        for proof in what:
            face = self._kept_faces.get(proof.kept) if proof.kept else self._faces[proof.card.id]
            found[proof] = face  # None for what was shuffled before an imagined world began
            if not self._match.is_breaking:  # else a file could not continue with fixed rules
                self._record((PROVEN, proof.ask, proof.card.id, face))
        return found

    # -- questions ----------------------------------------------------------------------------

    @override
    def answer(self, ask: Ask) -> bool:
        if ask.answer is not None:
            self.open = []
            return True
        if self._talkers:
            self._poll_at(ask.id)
        bot = self.bots[ask.seat]
        if self._hold or bot is None:
            self.open = [ask]
            return False
        if self._talkers:
            self._poll()
        self._bot_answers(bot, ask)
        return True

    @override
    def floor(self, asks: list[Ask], changed: Callable[[], bool]) -> bool:
        """Take bots that do nothing as done; where people play, their session says when."""
        self._changed = changed
        if not changed() and self._polled_floor != asks[0].id:
            self._polled_floor = asks[0].id
            if self._talkers and self._most < ALL:
                self.invite(changed)
            else:
                for seat, bot in self._talkers:
                    if not changed():
                        self._poll_one(bot, seat)
        self.open = [] if changed() else [ask for ask in asks if ask.answer is None]
        for ask in list(self.open):
            player = self.bots[ask.seat]
            if player is not None and not self._hold:
                self._bot_answers(player, ask)
                self.open.remove(ask)
        if not self.open:
            self._changed = None
        return not self.open

    @override
    def seal(self, asks: list[Ask]) -> bool:
        if asks:
            self._poll_at(asks[0].id)
        for ask in asks:
            bot = self.bots[ask.seat]
            if ask.answer is None and not (self._hold and bot is not None and bot.seconds):
                self.let_bot_answer(ask)
        self.open = [ask for ask in asks if ask.answer is None]
        if self.open:
            return False
        keep(asks, self.sealed)
        return True

    @override
    def unseal(self, asks: list[Ask]) -> bool:
        take_out(asks, self.sealed)
        self.opened.update({ask.id: ask.late if ask.answer is None else ask.answer for ask in asks})
        self.learned = len(self._log)
        return True

    def cut_short(self, patient: Callable[[], bool] | None = None) -> None:
        """Raise `CutShort` in the match once bots have given `MOST_ANSWERS` answers from here on.

        Do so earlier if `patient`, which is called before each but the first, returns False.
        """
        self._cap = _Cap(patient or (lambda: True))

    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        if self._cap is not None:
            self._cap.count()
        self._chance.reseed((self._key or self._make_key()) + ask.id * _SPREAD)
        match, question = self._match, ask.question
        try:
            view, go = match.view(ask.seat), question is GO
            answer = 0 if go else question.answer_for(bot.choose(view, ask, self._chance))
            if ask.claim is not None:
                match.check_claim(ask, answer)
        except Refused as refusal:
            raise illegal(ask.seat, refusal) from refusal
        self._record((ANSWER, ask.seat, ask.id, answer))
        ask.answered(answer, 0)

    def let_bot_answer(self, ask: Ask, by: Bot | None = None) -> None:
        """Let the seat's bot, if there is one, or this one answer; the match doesn't continue on its own."""
        bot = by or self.bots[ask.seat]
        if bot is not None and not (self._changed is not None and self._changed()):
            self._bot_answers(bot, ask)

    # -- windows --------------------------------------------------------------------------------

    @override
    def react(self, window: Window) -> bool:
        """If only bots play, wait for no one: compare their times at once."""
        if not window.decided(_ALONE):
            self._poll_at(window.id)
            if self._hold or not self._bots_react(window):
                self.window = window
                return False
            window.decided(_ALONE)
        self.window = None
        return True

    def _bots_react(self, window: Window) -> bool:
        """Take the reactions of all bots at once; return True if this decides the window: only bots play."""
        if window is not self.window:
            if self._cap is not None:
                self._cap.count()
            if self._talkers:
                self._poll()
            seats = filter(window.may, range(len(self.bots)))
            reflexes = [(seat, found) for seat in seats if (found := self.reflex(window, seat)) is not None]
            times = [
                max(ms, window.hurry if answer == GOES else 0) + window.handicap(seat, answer)
                for seat, (answer, ms) in reflexes
            ]
            latest = GRACE + min([*times, *map(window.time, window.claims)], default=0)
            for seat, (answer, milliseconds) in sorted(reflexes, key=lambda one: one[1][1]):
                if milliseconds <= latest:
                    self._record(enter(window, (REACT, seat, window.id, answer, milliseconds)))
        if not all(self.bots):
            return False
        if window.claims:
            first = int(window.order()[0])
            self._record(enter(window, (QUIET, first, window.id, first, 0, 0)))
        else:
            self._record(enter(window, (TIMEOUT, window.id)))
        return True

    def reflex(self, window: Window, seat: int) -> TimedAnswer | None:
        """Return the reaction of a seat's bot in a window and its time; None without a reaction or a bot."""
        bot = self.bots[seat]
        if bot is None:
            return None
        self._chance.reseed((self._key or self._make_key()) + (window.id << 8 | seat + 1) * _APART)
        try:
            return reflex_of(bot.react(self._match.view(seat), window, self._chance), window, seat)
        except (Refused, GameError) as error:
            raise BotFault(
                seat, f"The bot at seat {seat + 1} reacted in a way that can't be: {error}"
            ) from error

    def _poll_at(self, number: int) -> None:
        """Ask the talkative bots once when this question or window opens, where people play."""
        if self._talkers and self._hold and number != self._polled_at:
            self._polled_at = number
            self._poll()

    def _poll(self) -> None:
        """Ask every bot that might interject now, and again those who came before one that said something."""
        if self._most < ALL:
            self.invite()
            return
        talkers, first, seats = self._talkers, self._polls, self._who_wakes()
        number, last = 0, len(talkers) if seats is None or seats else 0
        while number < last:
            seat, bot = talkers[number % len(talkers)]
            number += 1
            if seats is not None:
                if seat not in seats:
                    continue
                self._polls = first + number - 1  # the bots between have said nothing
            entries = len(self._log)
            self._poll_one(bot, seat)
            if len(self._log) > entries:
                last = self._after_words(number)
                seats = self._who_wakes()  # what it said may wake others
        if seats is not None:
            self._polls = first + max(last, len(talkers))

    def _who_wakes(self) -> frozenset[int] | None:
        """Return the seats with bots that might have something to say now; None for all."""
        seats = self._awake(self._match.game, self._match.terms.options)
        return None if seats is None else frozenset(map(int, seats))

    def _after_words(self, number: int) -> int:
        """Return how many invitations precede a card if the one of this number made a bot say something.

        All others are asked once more, as at a table, where they hear it. No one is asked a third time: two
        bots that always have an answer would continue for ever.
        """
        return min(number + len(self._talkers) - 1, 2 * len(self._talkers))

    def _poll_one(self, bot: Bot, seat: int) -> None:
        # What a seat may do is only worked out when somebody looks: most bots mostly have nothing to say.
        standing = StandingChoices(self._match, seat)
        if self._match.game.listens or standing:
            self._polls += 1
            self._invite(bot, seat, standing)

    def invite(self, stop: Callable[[], bool] | None = None) -> None:
        """Ask those whose invitations in this round are taken; none in a quiet round, or after a stop."""
        if self.quiet:
            self.quiet -= 1
            return
        talkers, before, number = self._talkers, self._polls, self._taken
        last = before + len(talkers)
        while number <= last:
            self._polls, self._taken = number, next(self._takes)
            if stop is None or not stop():
                seat, bot = talkers[(number - before - 1) % len(talkers)]
                standing = StandingChoices(self._match, seat)
                entries = len(self._log)
                if self._match.game.listens or standing:
                    self._invite(bot, seat, standing)
                if stop is None and len(self._log) > entries:
                    last = before + self._after_words(number - before)
            number = self._taken
        self._pass_quiet_rounds(last)

    def _pass_quiet_rounds(self, passed: int) -> None:
        """Let the rounds before that of the next taken invitation be quiet, after `passed` of them."""
        many = len(self._talkers)
        self.quiet = quiet = (self._taken - passed - 1) // many
        self._polls = passed + quiet * many

    def _passed(self) -> int:
        """Return how many invitations have passed, without those of the rounds that are still to be quiet."""
        return self._polls - (self.quiet * len(self._talkers) if self._taken else 0)

    def _be_quiet(self) -> None:
        """Draw which invitation is taken next."""
        if self._most:
            self._takes = taken(self._most, self._key or self._make_key(), self._polls)
            self._taken = next(self._takes)
            self._pass_quiet_rounds(self._polls)
        else:
            self.quiet = _FOREVER

    def _invite(self, bot: Bot, seat: int, standing: Mapping[str, Question]) -> None:
        """Let a bot interject or speak; if it is refused, nothing has changed, as with a person."""
        chance, match = self._chance, self._match
        chance.reseed(~(self._key or self._make_key()) + self._polls * _SPREAD)
        if seat in self._seldom and chance.below(self._most) >= self._seldom[seat]:
            return
        try:
            said = bot.interject(match.view(seat), standing, chance)
            if said is None:
                return
            if isinstance(said, ChatMessage):
                match.apply_late((SAY, seat, hearers(said.to), said.text), self._record)
            else:
                match.interject(seat, said.name, meant(standing, said), self._record)
        except Refused:
            return

    @override
    def feed(self, entry: MatchEntry, stamp: Stamp = NOWHERE) -> None:
        kind = entry[0]
        if self._changed is not None and (self._changed() or not self._polled_floor):
            self._match.run()  # what was done at the open floor comes before this entry
        if kind == ANSWER:
            _, seat, number, answer, *took = entry
            ask = self._open_ask(seat, number)
            answer = ask.question.check(answer)
            self._match.check_claim(ask, answer)
            self._record((ANSWER, seat, number, answer, *took))
            ask.answered(answer, 0)
        elif self.window is not None and kind in ABOUT_WINDOWS:
            if not self.window.decided(_ALONE):  # else it is void for who reads the file
                self._record(enter(self.window, entry))
        elif kind == TIMEOUT:
            ask = self._open_ask(None, entry[1])
            check_late(ask)
            self._record(entry)
            ask.answer = ask.late
        else:
            if self.open and all(ask.answer is not None for ask in self.open):
                self._match.run()  # all is answered: the consequences come before this entry
            elif self.window is not None and self.window.decided(_ALONE):
                self._match.run()
            if kind == UNDONE:
                agree(self._match, entry, self._record)
                self._match.run()  # whatever comes next is about the question that is open again
                return
            self._match.apply_late(entry, self._record)
            if self._changed is not None:
                self._polled_floor = 0  # when the match continues
            elif self._talkers:
                self._poll()

    def _open_ask(self, seat: int | None, number: int) -> Ask:
        for ask in self.open:
            if ask.id == number and ask.answer is None and seat in (None, ask.seat):
                return ask
        raise Refused(N_("That question is closed."))

    # -- saving -------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return the dealer's secrets, for a file of this process alone."""
        version, state, gauss = self._rng.getstate()
        seats = range(len(self.bots))  # all of them, so that the file does not depend on who has looked
        return {
            "faces": list(self._faces),
            "kept": dict(self._kept_faces),
            "rng": [version, list(state), gauss],
            "polls": self._passed(),
            "known": {seat: dict(self.known[seat]) for seat in seats},
            "sealed": {seat: dict(self.sealed[seat]) for seat in seats},
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        version, state, gauss = saved["rng"]
        self._rng.setstate((version, tuple(state), gauss))
        self._faces[:] = saved["faces"]
        self._kept_faces = dict(saved["kept"])
        self._polls = saved["polls"]
        if self._taken:
            self._be_quiet()
        for seat, faces in saved["known"].items():  # in place, because views refer to these dicts
            self.known[seat].clear()
            self.known[seat].update(faces)
        for seat, answers in saved["sealed"].items():
            self.sealed[seat].clear()
            self.sealed[seat].update({number: plain(answer) for number, answer in answers.items()})
        self.before = SeatKnowledge(
            {seat: dict(faces) for seat, faces in self.known.items()},
            {seat: dict(answers) for seat, answers in self.sealed.items()},
        )

    def deal_from(
        self,
        faces: list[int],
        known: Mapping[int, Mapping[int, int]],
        sealed: Mapping[int, Mapping[int, Answer]],
    ) -> None:
        """Take over a match at this place: the face of every card, and what each seat knows."""
        self._faces = faces
        self.known.update({seat: dict(seen) for seat, seen in known.items()})
        self.sealed.update({seat: dict(answers) for seat, answers in sealed.items()})

    def reseed(self, chance: RandomNumbers) -> None:
        """Draw everything from here on from other random numbers."""
        self._rng.seed(chance.below(1 << 64))
        self._key = chance.below(1 << 64) | 1  # zero would be made again from the seed
        if self._taken:
            self._polls = self._passed()
            self._be_quiet()

    def twin(self) -> OpenSource:
        """Return a source that continues to draw what this one would draw, with the same bots."""
        twin = OpenSource(self._seed, self.bots)
        twin._rng.setstate(self._rng.getstate())
        twin._key, twin._polls = self._key, self._passed()
        twin._kept_faces = dict(self._kept_faces)
        return twin

    def faces(self) -> list[int]:
        return list(self._faces)


def answering(key: int, ask: int) -> Chance:
    """Draw one number each for random bots at this question and at those after it.

    `key` is the second number that their source was `reseed`ed with.
    """
    return Chance((key | 1) + ask * _SPREAD)  # which is a step of `Chance`


def _both(log: list[MatchEntry], record: Record) -> Record:
    def both(entry: MatchEntry) -> None:
        log.append(entry)
        record(entry)

    return both


class StandingChoices(Mapping[str, Question]):
    """The interjections that a seat may make now, by name; worked out when they're first needed."""

    __slots__ = ("_found", "_match", "_seat")

    def __init__(self, match: Match, seat: int) -> None:
        self._match = match
        self._seat = seat
        self._found: dict[str, Question] | None = None

    @override
    def get(self, name: str, default: Any = None) -> Any:
        if self._found is not None:
            return self._found.get(name, default)
        question = self._match.standing_one(self._seat, name)
        return default if question is None else question

    def _all(self) -> dict[str, Question]:
        if self._found is None:
            self._found = self._match.standing(self._seat)
        return self._found

    @override
    def __getitem__(self, name: str) -> Question:
        return self._all()[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    @override
    def __len__(self) -> int:
        return len(self._all())


class BotFault(GameError):
    """A bot gave an illegal answer, or was too slow (exit code 8)."""

    def __init__(self, seat: int, sentence: str) -> None:
        super().__init__(sentence)
        self.seat = Seat(seat)


def illegal(seat: int, refusal: Refused) -> BotFault:
    """Return the error for a bot with an illegal answer."""
    return BotFault(seat, f"The bot at seat {seat + 1} gave an illegal answer: {refusal}")
