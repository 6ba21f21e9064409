"""The table: the methods by which rules lay pieces, tell events, draw random values, show faces and ask.

Every method that brings a random value, a face or an answer is awaited. There the match may wait, log entries
come in, and interjections happen. All other methods are plain. A source (`tavolata.source`) brings the
answers and faces.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar, TypeVarTuple, overload

from tavolata._renamed import refuse_old_names
from tavolata._text import fields
from tavolata.asks import Ask
from tavolata.assertions import FAILED, UNSAID, Declaration, Narration, OpenFacts, Undeclared
from tavolata.ballots import Ballots
from tavolata.boards import Cell, Grid, Track
from tavolata.cards import Card, Deck, Hand, Pile
from tavolata.choices import Answer
from tavolata.counters import Bank, Counter, Counters
from tavolata.cups import Cup, DiceDeck
from tavolata.dice import Die, check_dice
from tavolata.errors import GameError, PieceError, Refused, check_words
from tavolata.facts import Claim, name_of
from tavolata.kinds.one_of import GO, one_of
from tavolata.kinds.question import Number, Question, choices_of, has_text
from tavolata.messages import N_, FieldMark, Mark
from tavolata.options import Options
from tavolata.pieces import Pieces
from tavolata.reaction_times import FLOOR
from tavolata.ring import Ring, Seat
from tavolata.secret import Narrated, Secret
from tavolata.source import Source
from tavolata.windows import Doubts, Reaction, Window
from tavolata.zones import Zone

O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options, as in tavolata.game
F = TypeVar("F")
V = TypeVar("V")
A = TypeVar("A")
L = TypeVar("L")
Ts = TypeVarTuple("Ts")
Tell = Callable[[str, dict[str, Any], Iterable[Seat] | None, str, tuple[Mark, ...]], object]


class Listener(NamedTuple):
    """Where somebody follows a match: what hears it, and what draws the zones of a seat."""

    tell: Tell
    zones: Callable[[Seat], Iterable[Zone]]


_UNSAID: Final = object()
MOST_SIDES: Final = 1 << 63
"""The most sides of a lot."""
_DECK = attrgetter("deck")
HASTY: Final = N_("{seat} keeps claiming impossibly fast reaction times.")


class _Wait:
    """Awaited where an entry is missing: it returns control to the caller of `Match.run`."""

    __slots__ = ()

    def __await__(self) -> Generator[None, None, None]:
        yield


WAIT = _Wait()

NO_HANDICAPS: Final[Mapping[Seat, int]] = MappingProxyType({})
TURN = N_("Turn up the next card")
NEXT_CARD = N_("{seat} turns up the next card.")
DONE = N_("Done")
STAMP: Final = 24
"""The most letters of a stamp."""
ROUNDS: Final = 100
"""The most rounds of an open floor."""
NEXT = N_("{seat} is next.")
"""What the key of a pause does, if the rules don't say it."""


@refuse_old_names
class Table(Generic[O]):
    """The table of a single match, as its rules see it.

    Attributes:
        options: the house rules.
        ring: the seats in turn order.
        first_seat: a random seat, drawn before the match.
        names: the players' names by seat: for messages, and for a legacy, in which a person is the same one
            on another evening; rules depend on them in nothing else.
        turn: how many turns have ended.
        teams: the seats of each team; without teams each seat is alone.
    """

    def __init__(
        self,
        game: object,
        options: O,
        source: Source,
        names: Sequence[str],
        listener: Listener | None,
        pace: float | None,
        teams: Sequence[int] = (),
        read_legacy: Callable[[type[Any]], Any] | None = None,
    ) -> None:
        self.options = options
        self.ring = Ring(len(names))
        self.first_seat = self.ring[0]
        self.names = tuple(names)
        self.turn = 0
        self.teams: tuple[tuple[Seat, ...], ...] = tuple(zip(self.ring, strict=True))
        if teams:
            together = [[seat for seat in self.ring if teams[seat] == team] for team in sorted(set(teams))]
            self.teams = tuple(map(tuple, together))
        self._read_legacy = read_legacy
        self._source = source
        self._reveal = source.reveal  # bound once: it is called for every card
        self._answer = source.answer
        self._listener = listener
        self._unheard = _TOLD if listener is None else _NONE  # the messages with which nothing must be done
        self._pace = pace
        self._pieces = Pieces()
        self._facts = OpenFacts(narrates=getattr(game, "narrator", False))
        self._doubts = Doubts()
        self._revealing: list[Card[Any]] = []
        self._asks = 0
        self._interjections = 0
        self._pauses: set[int] = set()  # the questions that nothing was chosen in
        self._seals: set[int] = set()  # the questions that were asked under seal

    # -- teams ----------------------------------------------------------------------------------

    def team(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats of this seat's team, itself included; without teams itself alone."""
        return next(team for team in self.teams if seat in team)

    def mates(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats of this seat's team."""
        return tuple(mate for mate in self.team(seat) if mate != seat)

    def legacy(self, cls: type[L]) -> L:
        """Return what the match before has left; without a campaign, an instance of only defaults.

        It is for `setup`. The seats of another evening may be others: `names` says who is who.

        Args:
            cls: the class that the game declares as its `legacy`.

        Raises:
            GameError: the game declares another one, or none.
        """
        left: L = cls() if self._read_legacy is None else self._read_legacy(cls)
        return left

    def _draw_from(self, source: Source) -> None:
        """Take what is still to come from another source, without pauses."""
        self._source = source
        self._reveal, self._answer = source.reveal, source.answer
        self._unheard = _TOLD if self._listener is None else _NONE
        self._pace = None

    def _follow_log(self) -> None:
        """Follow a log: where nobody listens, everything was checked when it was played."""
        if self._listener is None:
            self._unheard = _FOLLOWED

    # -- pieces ---------------------------------------------------------------------------------

    def pile(self, name: str, deck: Deck[F] | None = None) -> Pile[F]:
        """Return a pile of all cards of a deck, faces public until a shuffle; empty without a deck."""
        pile: Pile[F] = self._pieces.add(Pile(name))
        if deck is not None:
            pile.cards[:] = cards = self._pieces.add_cards(deck)
            self._source.lay(cards)
        return pile

    def hand(self, name: str, owner: Seat) -> Hand[Any]:
        """Return a hand that a seat holds."""
        return self._pieces.add(Hand(name, owner))

    def hands(self, name: str) -> list[Hand[Any]]:
        """Return a hand for each seat, by seat; see `hand`."""
        return [self.hand(f"{name}.{seat}", seat) for seat in self.ring]

    def cup(self, name: str, owner: Seat, die: Die[F], dice: int) -> Cup[F]:
        """Return a seat's cup with dice of one kind, which show their first face until they're shaken."""
        return self._cup(name, owner, DiceDeck(name, die, dice))

    def cups(self, name: str, die: Die[F], dice: int) -> list[Cup[F]]:
        """Return a cup with as many dice for each seat, by seat."""
        deck = DiceDeck(name, die, dice)
        return [self._cup(f"{name}.{seat}", seat, deck) for seat in self.ring]

    def _cup(self, name: str, owner: Seat, deck: DiceDeck[F]) -> Cup[F]:
        cup = self._pieces.add(Cup[F](name, owner))
        cup.cards[:] = dice = self._pieces.add_cards(deck)
        self._source.lay(dice)
        return cup

    def ballots(self, name: str, values: Sequence[V]) -> Ballots[V]:
        """Return a pack for each seat with one card for each of these values, for `ballot`.

        Raises:
            PieceError: there are fewer than two values, or one is there twice.
        """
        if len(values) < 2 or len(set(values)) < len(values):
            raise PieceError(f"{name} needs two or more values, each different from the others.")
        cards = self._pieces.add_cards(Deck(name, [*values] * len(self.ring)))
        self._source.lay(cards)
        packs = self.hands(name)
        for place, pack in enumerate(packs):
            pack.cards[:] = cards[place * len(values) :][: len(values)]
        laid: Pile[V] = self.pile(f"{name}.laid")
        kept: Pile[V] = self.pile(f"{name}.kept")
        return self._pieces.add(Ballots(name, packs, laid, kept))

    def counter(self, name: str, start: int = 0) -> Counter:
        """Return a counter that belongs to no seat, such as a pot."""
        return self._pieces.add(Counter(name, start))

    def counters(self, name: str, start: int = 0) -> Counters:
        """Return a counter for each seat."""
        return self._pieces.add(Counters(name, len(self.ring), start))

    def bank(self, name: str) -> Bank:
        """Return a counter that can always pay."""
        return self._pieces.add(Bank(name))

    def track(
        self, name: str, length: int, tokens: Sequence[str], marks: Mapping[int, str] | None = None
    ) -> Track:
        """Return a track of squares 0 to `length`; raise `PieceError` for two tokens of the same name."""
        return self._pieces.add(Track(name, length, tokens, marks))

    def grid(
        self,
        name: str,
        rows: int,
        columns: int,
        *,
        hexagonal: bool = False,
        stacks: bool = False,
        terrain: Mapping[Cell, object] | None = None,
        labels: str = "1a",
    ) -> Grid:
        """Return a grid of empty cells; see `Grid` for what it can be.

        Raises:
            PieceError: it has no cells, terrain outside, or labels that can't be counted.
        """
        return self._pieces.add(
            Grid(name, rows, columns, hexagonal=hexagonal, stacks=stacks, terrain=terrain, labels=labels)
        )

    # -- events ---------------------------------------------------------------------------------

    # The most frequent parameters are in the signature, because the interpreter makes a dict of all others at
    # each call. In a simulation nobody listens, and that dict would be the only work done here.
    def tell(
        self,
        message: str,
        /,
        seat: Any = _UNSAID,
        to: Any = _UNSAID,
        card: Any = _UNSAID,
        only: Iterable[Seat] | None = None,
        stamp: str = "",
        marks: Iterable[Mark | FieldMark] = (),
        **params: Any,
    ) -> None:
        """Tell an event: `t.tell(N_("{seat} pays {n}."), seat=seat, n=2)`.

        Args:
            message: a message id.
            seat: the value of its field `seat`.
            to: the value of its field `to`.
            card: the value of its field `card`.
            only: the seats that are told; by default everybody.
            stamp: the verdict that a screen stamps on the board, a message id of at most 24 letters without
                fields: `stamp=N_("never cooked")`. The seat in the field `seat` bears it, so change the
                state first.
            marks: what a screen points out with it: `counted`, `flow` and `calls` of `tavolata.zones`.
            **params: the values of its other fields.

        Raises:
            GameError: a field has no value, a value no field, a mark names a missing field, or a
                stamp is too long or has fields.
        """
        if stamp and (len(stamp) > STAMP or "{" in stamp):
            raise GameError(f"`tell`: the stamp {str(stamp)!r} isn't a text of at most {STAMP} letters.")
        if message in self._unheard:
            return
        if self._unheard is _FOLLOWED:
            _FOLLOWED.add(message)
            return
        if (message, seat is _UNSAID, to is _UNSAID, card is _UNSAID, *params) not in _CHECKED:
            self._check_tell(message, seat, to, card, params)
        if self._listener is None:
            return
        if card is not _UNSAID:
            params = {"card": card, **params}
        if to is not _UNSAID:
            params = {"to": to, **params}
        if seat is not _UNSAID:
            params = {"seat": seat, **params}
        self._listener.tell(message, params, only, stamp, tuple(self._marks(message, marks, params)))

    def _marks(
        self, message: str, marks: Iterable[Mark | FieldMark], params: Mapping[str, Any]
    ) -> Iterator[Mark]:
        for mark in marks:
            try:
                yield mark.told(params, self.ring.after) if isinstance(mark, FieldMark) else mark
            except KeyError as missing:
                raise GameError(
                    f"`tell`: a mark names the field {missing}, which {message!r} hasn't."
                ) from None

    def _check_tell(self, message: str, seat: Any, to: Any, card: Any, params: Mapping[str, Any]) -> None:
        said = {"seat": seat, "to": to, "card": card}
        _check_params("tell", (message,), [*params, *(name for name in said if said[name] is not _UNSAID)])
        _CHECKED.add((message, seat is _UNSAID, to is _UNSAID, card is _UNSAID, *params))
        _TOLD.add(message)

    # -- random values and faces ----------------------------------------------------------------

    async def shuffle(self, *piles: Pile[Any]) -> None:
        """Shuffle a pile and hide its cards from everybody; several piles are put onto the first one before.

        Raises:
            PieceError: the cards have different backs, or there are dice among them; nothing has moved.
        """
        first, *rest = piles
        if self._pieces.mixed:
            decks = {deck for pile in piles for deck in map(_DECK, pile.cards)}
            if any(isinstance(deck, DiceDeck) for deck in decks):
                raise PieceError(f"{first.name} would have dice in it; dice are shaken, not shuffled.")
            if len(decks) > 1:
                raise PieceError(
                    f"{first.name} would have cards of {len(decks)} decks; one can tell their backs."
                )
        for pile in rest:
            pile.move_to(first)
        await self._shuffle(first.cards)

    async def _shuffle(self, cards: list[Card[Any]]) -> None:
        if self._facts.said:
            self._source.keep(self._facts.keep(cards))
        while not self._source.shuffle(cards):
            await WAIT

    async def mix(self, hand: Hand[Any]) -> None:
        """Shuffle a hand: its owner still knows its cards, but nobody else knows when each was drawn.

        This is for games in which that would give something away when the card is played.
        """
        await self.shuffle(hand)
        await self.show(hand, [hand.owner])

    async def turn_up(
        self, pile: Pile[F], onto: Pile[F] | None = None, by: Seat | None = None, verb: str = TURN
    ) -> Card[F]:
        """Take the top card of a pile and show it to everybody.

        Args:
            pile: the pile.
            onto: the pile that it goes onto; by default the caller has to place it.
            by: the seat that turns it up, by a key or after the set pace.
            verb: what that key does; a message id.

        Raises:
            PieceError: the pile is empty.
        """
        if by is not None and self._pace is not None:
            await self.pause(by, verb)
        cards = pile.cards
        card = cards[-1] if cards else pile.top
        while not self._reveal(card):
            await WAIT
        if cards and cards[-1] is card:
            cards.pop()
        else:  # an interjection has moved cards while the match waited
            pile.take(card)
        if onto is not None:
            onto.cards.append(card)
        if self._facts.said:
            self._facts.note(card)
        return card

    @overload
    async def reveal(self, what: Iterable[Card[F]]) -> list[Card[F]]: ...

    @overload
    async def reveal(self, what: Iterable[Secret[Any]]) -> list[Secret[Any]]: ...

    async def reveal(self, what: Iterable[Any]) -> list[Any]:
        """Show these cards, which stay in place, or these sealed answers, all at once, to everybody."""
        shown = list(what)
        if sealed := [one for one in shown if isinstance(one, Secret)]:
            await self._unseal(sealed)
        cards = self._revealing = [one for one in shown if not isinstance(one, Secret)] if sealed else shown
        for card in cards:
            if not card.is_public:
                while not self._reveal(card):
                    await WAIT
                if self._facts.said:
                    self._facts.note(card)
        self._revealing = []
        return shown

    async def show(self, cards: Iterable[Card[Any]], to: Iterable[Seat]) -> None:
        """Show these cards to some seats only."""
        shown = list(cards)
        await self._show([(card, seat) for seat in to for card in shown])

    async def _show(self, what: list[tuple[Card[Any], Seat]]) -> None:
        self._asks += 1
        while not self._source.show(what, self._asks):
            await WAIT

    async def deal(self, pile: Pile[F], hands: Iterable[Hand[Any]], each: int = 1) -> None:
        """Deal cards one by one from the top, `each` to every hand in this order; owners see their cards.

        Raises:
            PieceError: the pile has too few cards, or this is one hand, not several; nothing was dealt.
        """
        given: object = hands
        if isinstance(given, Pile):
            raise PieceError(f"Deal to several hands: [{given.name}], not {given.name}.")
        order = list(hands) * each
        if len(order) > len(pile):
            raise PieceError(f"{pile.name} has {len(pile)} cards; {len(order)} can't be dealt.")
        dealt = [(pile.cards[-1 - place], hand) for place, hand in enumerate(order)]
        await self._show([(card, hand.owner) for card, hand in dealt])
        for card, hand in dealt:
            hand.put(pile.take(card))

    async def shake(self, *cups: Cup[Any]) -> None:
        """Throw all dice of these cups again, hidden: the owner of each cup alone sees its dice.

        Raises:
            PieceError: there is something else than dice in a cup; nothing was thrown.
        """
        thrown = [(die, cup.owner) for cup in cups for die in cup.cards]
        dice = [die for die, _ in thrown]
        if not all(isinstance(die.deck, DiceDeck) for die in dice):
            raise PieceError("A card can't be shaken: a cup holds dice only.")
        if not dice:
            return
        if self._facts.said:
            self._source.keep(self._facts.keep(dice))
        while not self._source.shake(dice):
            await WAIT
        await self._show(thrown)

    async def roll(self, *dice: Die[F]) -> list[F]:
        """Throw dice that all see; the faces that they show, in their order.

        Raises:
            GameError: something isn't a die.
        """
        check_dice(dice)
        return [die.faces[await self.randrange(len(die.faces))] for die in dice]

    async def randrange(self, n: int, seat: Seat | None = None) -> int:
        """Return a random number from 0 to `n` - 1, all equally likely; everybody sees it.

        Args:
            n: how many numbers there are, 2**63 at most.
            seat: the seat for which it is drawn, if the rules decide that: the numbers of different seats are
                different ones, in whatever order they are drawn.

        Raises:
            PieceError: `n` is below 1 or above 2**63.
        """
        if not 1 <= n <= MOST_SIDES:
            raise PieceError(f"There are no {n} numbers to draw from.")
        while (number := self._source.number(n, seat)) is None:
            await WAIT
        return number

    # -- questions ------------------------------------------------------------------------------

    async def ask(
        self,
        seat: Seat,
        question: Question[V],
        /,
        you: str = "",
        others: str = "",
        *,
        seconds: float | None = None,
        otherwise: V | None = None,
        claim: Claim | None = None,
        verb: str = "",
        about: Iterable[Any] = (),
        **params: Any,
    ) -> V:
        """Ask one seat; return the value of its answer.

        Args:
            seat: the seat.
            question: the question: `one_of`, `some_of`, `amount`, `form`, `free_text`.
            you: the prompt for the seat that is asked; a message id.
            others: the prompt for the others; a message id.
            seconds: the time limit; None waits for ever.
            otherwise: the value that counts when time runs out, or if nobody plays the seat; needed with
                `seconds`.
            claim: what has to be true of the answer and of hidden faces; see `tavolata.claim`.
            verb: what the act button says; a message id with the field `choice`.
            about: the pieces, or the ids of zones drawn now, that decide the answer.
            **params: the values of the fields of these messages; `seat` and `choice` are known.

        Raises:
            GameError: a field has no value, a value no field, `otherwise` is illegal, or `about` isn't drawn.
        """
        asked = (you, others, verb, *params) if params else (you, others, verb)
        if asked not in _ASKED:
            _check_params("ask", (you, others, verb), params, implied=ASKED)
            _ASKED.add(asked)
        self._asks = number = self._asks + 1
        late = None if seconds is None and otherwise is None else _late(question, otherwise)
        seen = self._zones_of(about, (seat,)) if about else ()
        ask = Ask(
            number, seat, question, you, others, params, seconds, late, claim=claim, verb=verb, about=seen
        )
        while not self._answer(ask):
            await WAIT
        value = question.value_of(ask.answer)
        if claim is not None and ask.by is not None:
            self._facts.claimed(number, seat, ask.by, claim, value)
        return value

    async def seal_all(
        self,
        questions: Mapping[Seat, Question[V]],
        /,
        you: str = "",
        others: str = "",
        *,
        seconds: float | None = None,
        otherwise: V | None = None,
        shown_to: Mapping[Seat, Iterable[Seat]] | None = None,
        claim: Mapping[Seat, Claim] | None = None,
        verb: str = "",
        about: Iterable[Any] = (),
        **params: Any,
    ) -> dict[Seat, Secret[V]]:
        """Ask several seats at once; each answer stays sealed until `reveal` shows it.

        The owner may look at its answer at any time (`View`), and so may the seats that `shown_to` lists for
        the owner, such as team mates. Nobody else can read it before. `claim` is by seat; errors as in `ask`,
        but if `otherwise` is None and that isn't a choice, the first answer counts when time runs out; and an
        answer that may have more than 222 bytes can't be sealed.
        """
        _check_params("ask_all", (you, others, verb), params, implied=ASKED)
        asks, seen = [], self._zones_of(about, questions)
        last: Question[V] | None = None
        late: Answer | None = None
        for seat, question in questions.items():
            self._asks += 1
            self._seals.add(self._asks)
            if question is not last:  # mostly all get the same question
                self._facts.forms.check_sealed(question)
                named = otherwise is not None or (seconds is not None and _has_none(question))
                last, late = question, _late(question, otherwise) if named else None
            mates = () if shown_to is None else tuple(mate for mate in shown_to.get(seat, ()) if mate != seat)
            asks.append(Ask(
                self._asks, seat, question, you, others, params, seconds, late,
                sealed=True, shown_to=mates, claim=None if claim is None else claim.get(seat), verb=verb,
                about=seen,
            ))  # fmt: skip
        while not self._source.seal(asks):
            await WAIT
        sealed: dict[Seat, Secret[V]] = {ask.seat: Secret(ask) for ask in asks}
        for ask in asks:
            if ask.claim is not None and ask.by is not None:
                self._facts.claimed(ask.id, ask.seat, ask.by, ask.claim, sealed[ask.seat])
        return sealed

    def _zones_of(self, about: Iterable[Any], seats: Iterable[Seat]) -> tuple[str, ...]:
        """Return the ids of what a question is about; where somebody follows the match, each has to be there.

        Raises:
            GameError: there is no such piece, and no zone of this name is drawn for one of these seats.
        """
        names = self._pieces.named
        seen = tuple(one if isinstance(one, str) else getattr(one, "name", repr(one)) for one in about)
        if self._listener is not None and (left := [one for one in seen if one not in names]):
            drawn = dict.fromkeys(zone.id for seat in seats for zone in self._listener.zones(seat))
            for one in left:
                check_words("ask", about=(one, {*names, *drawn}))
        return seen

    async def _unseal(self, secrets: Iterable[Secret[Any]]) -> None:
        closed = [secret for secret in secrets if not secret.is_open]
        while not self._source.unseal([secret._ask for secret in closed]):
            await WAIT
        for secret in closed:
            secret._open()
        if self._facts.said:
            self._facts.opened(closed)

    async def ask_all(
        self,
        questions: Mapping[Seat, Question[V]],
        /,
        you: str = "",
        others: str = "",
        *,
        seconds: float | None = None,
        otherwise: V | None = None,
        claim: Mapping[Seat, Claim] | None = None,
        verb: str = "",
        about: Iterable[Any] = (),
        **params: Any,
    ) -> dict[Seat, V]:
        """Ask several seats at once; show all answers after the last; values by seat. Errors as in `ask`."""
        sealed = await self.seal_all(
            questions, you, others, seconds=seconds, otherwise=otherwise, claim=claim, verb=verb, about=about,
            **params,
        )  # fmt: skip
        await self._unseal(sealed.values())
        return {seat: secret.value for seat, secret in sealed.items()}

    async def ballot(
        self,
        ballots: Ballots[V],
        voters: Iterable[Seat] | Mapping[Seat, Iterable[V]],
        you: str = "",
        others: str = "",
    ) -> list[V]:
        """Let these seats vote in secret: all learn which values were laid, and never by whom.

        Each seat lays a card of its pack face down. What was laid is mixed and revealed, then the cards
        held back, which tells nothing more, and the packs are given back. A seat whose time is up, or that
        nobody plays, lays one of its cards at random.

        Args:
            ballots: the packs.
            voters: who votes; where one votes alone, all see what. A mapping says by seat which values it may
                lay: the cards of all others are put away openly before the pack is mixed.
            you: the prompt for the seats that vote; a message id.
            others: the prompt for the others; a message id.

        Returns:
            The values laid, in the order of the values of the ballots; none if nobody votes.

        Raises:
            GameError: a seat may lay nothing.
        """
        seats = list(dict.fromkeys(voters))
        if not seats:
            return []
        if isinstance(voters, Mapping):
            for seat in seats:
                allowed, pack = [*voters[seat]], ballots.packs[seat]
                pack.move_to(ballots.kept, [card for card in pack if card.face not in allowed])
                if not pack:
                    raise GameError(f"Seat {seat + 1} may lay none of the values of {ballots.name}.")
        for seat in seats:
            await self.mix(ballots.packs[seat])
        votes = await self.ask_all({seat: one_of(ballots.packs[seat]) for seat in seats}, you, others)
        for seat, card in votes.items():
            ballots.packs[seat].move_to(ballots.laid, [card])
            ballots.packs[seat].move_to(ballots.kept)
        for pile in (ballots.laid, ballots.kept):
            await self.shuffle(pile)
            await self.reveal(pile)
        laid = sorted(ballots.laid, key=lambda card: card.deck.number[card.face])
        ballots.give_back(seats)
        return [card.face for card in laid]

    # -- what is said of hidden things ------------------------------------------------------------

    @overload
    async def declare(
        self, seat: Seat, fact: Callable[[F, *Ts], V], about: Card[F], /, *args: *Ts, otherwise: V = ...
    ) -> V: ...  # pragma: no cover

    @overload
    async def declare(
        self, seat: Seat, fact: Callable[[A, *Ts], V], about: Secret[A], /, *args: *Ts, otherwise: V = ...
    ) -> V: ...  # pragma: no cover

    @overload
    async def declare(
        self,
        seat: Seat,
        fact: Callable[[Sequence[F], *Ts], V],
        about: Iterable[Card[F]],
        /,
        *args: *Ts,
        otherwise: V = ...,
    ) -> V: ...  # pragma: no cover

    async def declare(
        self,
        seat: Seat,
        fact: Callable[[Any, *Ts], Any],
        about: Any,
        /,
        *args: *Ts,
        otherwise: Any = UNSAID,
    ) -> Any:
        """Have the machine of a seat work out a fact and say its value; its player is not asked.

        All know the value from then on. A wrong one costs its author the match, at the end at the latest.

        Args:
            seat: the seat, which may see all that the fact is about.
            fact: a function with `@fact`, called with the faces and `args`.
            about: cards, one card, or a sealed answer.
            *args: plain data, at most 1 KiB together.
            otherwise: the value that counts if nobody can say it for this seat; without one, the seat then
                forfeits the match.

        Raises:
            GameError: the function isn't a fact, or the seat may not see what it is about.
        """
        return (await self.declare_all(fact, {seat: about}, *args, otherwise=otherwise))[seat]

    async def declare_all(
        self,
        fact: Callable[[Any, *Ts], V],
        about: Mapping[Seat, Card[Any] | Secret[Any] | Iterable[Card[Any]]],
        /,
        *args: *Ts,
        otherwise: Any = UNSAID,
    ) -> dict[Seat, V]:
        """Have the machines of several seats declare at once; values by seat. Errors as in `declare`."""
        name = name_of(fact)
        what = []
        for seat, one in about.items():
            of = one if isinstance(one, Card | Secret) else tuple(one)
            if not self._sees(seat, of):
                raise GameError(f"Seat {seat + 1} can't declare {name}: it may not see all that it is about.")
            self._asks += 1
            what.append(Declaration(self._asks, seat, fact, of, args, otherwise))
        while not self._source.declare(what):
            await WAIT
        if silent := tuple(said.seat for said in what if said.value is UNSAID):
            raise Undeclared(silent)
        for said in what:
            self._facts.declared(said)
            if said.value is FAILED:  # opened now: it is the fault of the game, or a lie
                raise GameError(f"{name} raises, says the machine of seat {said.seat + 1}.")
        return {said.seat: said.value for said in what}

    def _sees(self, seat: Seat, about: Card[Any] | Secret[Any] | tuple[Card[Any], ...]) -> bool:
        """Return True if a seat may see what something is said of, as everybody knows."""
        if isinstance(about, Secret):
            return about.is_open or seat == about.seat or seat in about._ask.shown_to
        cards = (about,) if isinstance(about, Card) else about
        return all(card.is_public or self._source.may_see(card, seat) for card in cards)

    @overload
    async def narrate(
        self, fact: Callable[..., V], /, *parts: Any, args: Iterable[Any] = (), to: None = None
    ) -> V: ...  # pragma: no cover

    @overload
    async def narrate(
        self, fact: Callable[..., V], /, *parts: Any, args: Iterable[Any] = (), to: Seat
    ) -> Secret[V]: ...  # pragma: no cover

    async def narrate(
        self, fact: Callable[..., Any], /, *parts: Any, args: Iterable[Any] = (), to: Seat | None = None
    ) -> Any:
        """Return the value of a fact about hidden things, which the narrator's machine works out.

        It knows all faces and all sealed answers of the match. A wrong value convicts it: when the script has
        returned, all parts are opened and the fact is judged.

        Args:
            fact: a function with `@fact`, called with the parts and `args`.
            *parts: cards, one card, a sealed answer, or a mapping or list of these; the fact gets faces and
                values.
            args: its other arguments, plain data, at most 1 KiB together.
            to: the only seat that learns the value; None for everyone.

        Returns:
            The value; with `to`, a `Secret` of it. Its plain form has at most 222 bytes then.

        Raises:
            GameError: the function isn't decorated with `@fact`, or the game has no narrator.
        """
        name = name_of(fact)
        if not self._facts.narrates:
            raise GameError(f"{name} can't be narrated: set `narrator = True` in the game.")
        self._asks += 1
        ask = None if to is None else Ask(self._asks, to, Narrated(self._facts.forms), sealed=True)
        if ask is not None:
            ask.by = 0
        one = Narration(self._asks, fact, tuple(map(_part, parts)), tuple(args), ask)
        while not self._source.narrate(one):
            await WAIT
        secret = None if ask is None else Secret(ask)
        self._facts.narrated(one, secret)
        if one.value is FAILED:
            raise GameError(f"{name} raises, says the narrator.")
        return one.value if secret is None else secret

    async def judge(self, *piles: Pile[Any]) -> None:
        """Open now what was said of the cards in these piles, and judge it; of all cards if there aren't any.

        Without this word it is done when the match is over.
        """
        facts = self._facts
        cards = [card for pile in piles for card in pile.cards] if piles else None
        await self._unseal(facts.seals_of(facts.about(cards)))
        about = facts.about(cards)
        missing = facts.hidden_of(about)
        while (faces := self._source.prove(missing) if missing else {}) is None:
            await WAIT
        for proof, face in faces.items():
            if face is not None:
                facts.proven(proof, face)
        facts.judge(about)

    async def react(
        self,
        questions: Mapping[Seat, Question[V]],
        /,
        you: str = "",
        others: str = "",
        *,
        go: Seat | None = None,
        goes: str = N_("continue"),
        floor: int = FLOOR,
        hurry: int = 0,
        handicaps: Mapping[Seat, int] = NO_HANDICAPS,
        seconds: float | None = None,
        **params: Any,
    ) -> Reaction[V] | None:
        """Let any of these seats react to the last event; the fastest reaction counts.

        Each screen measures its own time from the moment at which it has drawn the event. So the person has
        to be fast, not the line. The result is None if the match continues without a reaction.

        Args:
            questions: the choices of each seat; of two equal times, that of the seat listed first counts.
            you: the prompt for the seats that may react; a message id.
            others: the prompt for the others; a message id.
            go: the seat with the next move, whose key ends the window.
            goes: the label of that key; a message id.
            floor: the least time of a reaction, in milliseconds.
            hurry: the least time before the match continues, in milliseconds.
            handicaps: by seat, the milliseconds that its reactions count later.
            seconds: the time after which the match continues on its own; None waits for `go`.
            **params: the values of the fields of these messages.

        Raises:
            GameError: neither a seat nor a time would end the window, a text has to be written, a number may
                be below zero, a field has no value, or a value no field.
        """
        if any(map(has_text, questions.values())):
            raise GameError("`react` takes no text: the fastest would be who types fastest. Use `ask_all`.")
        if any(isinstance(shape := one.shape(), Number) and shape.low < 0 for one in questions.values()):
            raise GameError("`react` takes no number below zero: -1 is what lets the match continue.")
        _check_params("react", (you, others, goes), params)
        self._asks = number = self._asks + 1
        window = Window(
            number, dict(questions), go, floor=floor, hurry=hurry, seconds=seconds or self._pace or None,
            you=you, others=others, goes=goes, params=params, handicaps=handicaps,
        )  # fmt: skip
        while not self._source.react(window):
            await WAIT
        for seat in self._doubts.hasty(window):
            self.tell(HASTY, seat=seat)
        return window.reaction()

    async def open_floor(
        self,
        you: str = "",
        others: str = "",
        *,
        seats: Iterable[Seat] | None = None,
        until: Seat | None = None,
        seconds: float | None = None,
        **params: Any,
    ) -> None:
        """Let people talk and interject until each of these seats has said that it is done.

        Any interjection takes back what they said: all are asked again, and the time begins again. Bots are
        asked after each interjection whether they want to make one, and are done if not. After 100 rounds the
        floor is closed.

        Args:
            you: the prompt for the seats that are asked; a message id.
            others: the prompt for the others; a message id.
            seats: the seats that are asked; by default all. Without any the floor doesn't open.
            until: the only seat that is asked.
            seconds: the time after which a seat counts as done; None waits for ever.
            **params: the values of the prompts' fields.
        """
        asked = [until] if until is not None else list(self.ring if seats is None else seats)
        if not asked:
            return
        late = None if seconds is None else 0
        for _ in range(ROUNDS):
            before, asks = self._interjections, list[Ask]()
            for seat in asked:
                self._asks += 1
                self._pauses.add(self._asks)
                asks.append(Ask(self._asks, seat, GO, you, others, params, seconds, late, verb=DONE))
            while not self._source.floor(asks, partial(self._has_changed, before)):
                await WAIT
            if not self._has_changed(before):
                return

    def _has_changed(self, before: int) -> bool:
        """Return True if an interjection took effect since there were this many."""
        return self._interjections != before

    async def pause(self, by: Seat, verb: str = TURN) -> None:
        """Wait for a key of this seat, or for the set pace; in a simulation, don't wait.

        Args:
            by: the seat.
            verb: what that key does; a message id.
        """
        if self._pace is None:
            return
        self._pauses.add(self._asks + 1)
        await self.ask(
            by, GO, verb, NEXT_CARD if verb == TURN else NEXT,
            seconds=self._pace or None, otherwise=True, seat=by,
        )  # fmt: skip


def _part(value: Any) -> Any:
    """Return a part of a narration: a handle as it is, a mapping as a dict, anything else as a tuple."""
    if isinstance(value, Card | Secret) or value is None:
        return value
    if isinstance(value, Mapping):
        return {key: _part(one) for key, one in value.items()}
    return tuple(map(_part, value))


_CHECKED: set[tuple[Any, ...]] = set()
"""The messages that were checked with the names of the values that they get."""
_TOLD: set[str] = set()
"""The messages of events that were checked with any names; where nobody listens, that is enough."""
_FOLLOWED: set[str] = set()
"""The messages of events that nobody heard where a log was followed."""
_NONE: Final = set[str]()
_ASKED: set[tuple[str, ...]] = set()
"""The prompts of questions to one seat that were checked with the names of the values that they get."""
ASKED: Final = frozenset({"seat", "choice"})
"""The fields of a question's messages that are filled in by whoever shows it."""


def _check_params(
    call: str, messages: tuple[str, ...], params: Collection[str], implied: frozenset[str] = frozenset()
) -> None:
    """Check that messages and the values for their fields agree; once for each set of both.

    Raises:
        GameError: they don't.
    """
    key = (call, messages, *params)
    if key in _CHECKED:
        return
    wanted = {name for one in messages for name in fields(one) | fields(getattr(one, "other", ""))}
    said = " / ".join(repr(str(one)) for one in messages if one) or "no message"
    if strange := sorted(set(params) - wanted - implied):
        raise GameError(f"`{call}`: {', '.join(strange)} is no field of {said}.")
    if missing := sorted(wanted - set(params) - implied):
        raise GameError(f"`{call}`: the field {{{missing[0]}}} of {said} has no value.")
    _CHECKED.add(key)


def _has_none(question: Question) -> bool:
    """Return True if None is one of the values to choose from."""
    return any(choice.value is None for choice in choices_of(question))


def _late(question: Question, otherwise: Any) -> Any:
    """Return the answer that counts when time runs out.

    Raises:
        GameError: the rules name one that is not legal.
    """
    try:
        return question.answer_for(otherwise)
    except Refused as refusal:
        raise GameError(f"{otherwise!r} can't count when time runs out: it is no legal answer.") from refusal
