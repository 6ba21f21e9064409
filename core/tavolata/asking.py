"""Asking: every question that a rule can put to seats, and the waiting for what they say."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tavolata.asks import Ask, Claim, cards_in
from tavolata.cards import Card
from tavolata.choices import Kind
from tavolata.errors import GameError, Refused
from tavolata.kinds import GO
from tavolata.laying import Laying, Tell
from tavolata.messages import N_
from tavolata.reaction_times import FLOOR, GOES
from tavolata.ring import Seat
from tavolata.secret import Secret
from tavolata.windows import Reaction, Window

if TYPE_CHECKING:
    from tavolata._engine.match.source import Source

SUSPICION: Final = 10
"""What a claim that can't be counts against a seat, up to NAMED; each that can be takes one off."""
NAMED: Final = 25
HASTY: Final = N_("{seat} claims again and again to be faster than can be.")


class _Wait:
    """Awaited where an entry is missing: control goes to whoever drives the match."""

    __slots__ = ()

    def __await__(self) -> Generator[None, None, None]:
        yield


WAIT = _Wait()


class Asking(Laying):
    """A table as far as seats are asked something; see `tavolata.Table`."""

    def __init__(self, seats: int, source: Source, listener: Tell | None, pace: float | None) -> None:
        super().__init__(seats, source, listener)
        self._answer = source.answer
        self._pace = pace
        self._asks = 0
        self._claims: list[tuple[Card[Any], Seat, Claim]] = []
        self._cuts: dict[Seat, int] = {}

    async def ask(
        self,
        seat: Seat,
        kind: Kind,
        /,
        you: str = "",
        others: str = "",
        *,
        seconds: float | None = None,
        otherwise: Any = None,
        claim: Claim | None = None,
        **params: Any,
    ) -> Any:
        """Ask one seat; the value of its answer.

        Args:
            seat: who is asked.
            kind: what: `one_of`, `some_of`, `amount`, `form`.
            you: the prompt for the seat asked, a message id.
            others: the prompt for the others.
            seconds: after so long `otherwise` counts; None waits for ever.
            otherwise: the value that counts when time runs out.
            claim: what choosing a card says of its hidden face.
            **params: what the prompts' fields stand for.
        """
        self._asks = number = self._asks + 1
        late = None if seconds is None else _late(kind, otherwise)
        ask = Ask(number, seat, kind, you, others, params, seconds, late, claim=claim)
        while not self._answer(ask):
            await WAIT
        value = kind.value_of(ask.answer)
        if claim is not None:  # what is public was checked with the answer
            self._claims += [(card, seat, claim) for card in cards_in(value) if not card.is_public]
        return value

    async def seal_all(
        self,
        kinds: Mapping[Seat, Kind],
        /,
        you: str = "",
        others: str = "",
        *,
        seconds: float | None = None,
        otherwise: Any = None,
        shown_to: Mapping[Seat, Iterable[Seat]] | None = None,
        **params: Any,
    ) -> dict[Seat, Secret[Any]]:
        """Ask several seats at once; each answer stays sealed until `open` shows it.

        The owner may look at its own at any time (`View`), and so may the seats that `shown_to`
        names for it, such as team mates; nobody else learns it before.
        """
        asks = []
        for seat, kind in kinds.items():
            self._asks += 1
            late = None if otherwise is None else _late(kind, otherwise)
            mates = () if shown_to is None else tuple(mate for mate in shown_to.get(seat, ()) if mate != seat)
            asks.append(
                Ask(self._asks, seat, kind, you, others, params, seconds, late, sealed=True, shown_to=mates)
            )
        while not self._source.seal(asks):
            await WAIT
        return {ask.seat: Secret(ask) for ask in asks}

    async def open(self, secrets: Iterable[Secret[Any]]) -> None:
        """Show sealed answers to everybody, all of these at once."""
        closed = [secret for secret in secrets if not secret.is_open]
        while not self._source.unseal([secret._ask for secret in closed]):
            await WAIT
        for secret in closed:
            secret._open()

    async def ask_all(
        self,
        kinds: Mapping[Seat, Kind],
        /,
        you: str = "",
        others: str = "",
        *,
        seconds: float | None = None,
        otherwise: Any = None,
        **params: Any,
    ) -> dict[Seat, Any]:
        """Ask several seats at once, sealed, and show all answers when the last is in; by seat."""
        sealed = await self.seal_all(kinds, you, others, seconds=seconds, otherwise=otherwise, **params)
        await self.open(sealed.values())
        return {seat: secret.value for seat, secret in sealed.items()}

    async def window(
        self,
        kinds: Mapping[Seat, Kind],
        /,
        you: str = "",
        others: str = "",
        *,
        go: Seat | None = None,
        goes: str = N_("go on"),
        floor: int = FLOOR,
        hurry: int = 0,
        seconds: float | None = None,
        **params: Any,
    ) -> Reaction | None:
        """Let any of these seats react to what has just happened; the fastest reaction counts.

        Each screen measures by itself, from when it has drawn what there is to see; so it is the
        person who has to be fast, not the line. None if the match goes on without a reaction.

        Args:
            kinds: what each seat may choose; of equal times the one named first here counts.
            you: the prompt for who may react, a message id.
            others: the prompt for the rest.
            go: the seat that has the next move, whose key ends the window.
            goes: what that key does, a message id.
            floor: the least that a reaction can take, milliseconds.
            hurry: the least that passes before the match goes on, milliseconds.
            seconds: after so long the match goes on by itself; None waits for `go`.
            **params: what the prompts' fields stand for.

        Raises:
            GameError: neither a seat nor a time would end it.
        """
        self._asks = number = self._asks + 1
        window = Window(
            number, kinds, go, floor=floor, hurry=hurry, seconds=seconds or self._pace or None,
            you=you, others=others, goes=goes, params=params,
        )  # fmt: skip
        while not self._source.react(window):
            await WAIT
        self._name_the_hasty(window)
        return window.reaction()

    def _name_the_hasty(self, window: Window) -> None:
        """Who claims again and again what can't have been is named; once in a while is an uneven line."""
        for seat, claim in window.claims.items():
            if claim.answer == GOES:
                continue
            if claim.milliseconds < window.least(seat):
                self._cuts[seat] = self._cuts.get(seat, 0) + SUSPICION
            elif self._cuts.get(seat):
                self._cuts[seat] -= 1
            if self._cuts.get(seat, 0) >= NAMED:
                self._cuts[seat] = 0
                self.tell(HASTY, seat=seat)

    async def pause(self, by: Seat) -> None:
        """Wait for a key of this seat, or for the set pace; in simulation, nothing at all."""
        if self._pace is None:
            return
        await self.ask(
            by, GO, N_("Your hand is on the deck."), N_("{seat} has a hand on the deck."),
            seconds=self._pace or None, otherwise=True, seat=by,
        )  # fmt: skip


def _late(kind: Kind, otherwise: Any) -> Any:
    """The answer that counts when time runs out.

    Raises:
        GameError: the rules name one that is not legal.
    """
    try:
        return kind.answer_for(otherwise)
    except Refused as refusal:
        raise GameError(f"{otherwise!r} can't count when time runs out: it is no legal answer.") from refusal
