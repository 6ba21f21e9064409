"""Assertions: what was said of hidden things, and the list of what can't be judged yet.

Nobody else can check a fact before its faces are public. So what was said is noted with its cards, and judged
as soon as all of them have shown their faces. A card that is shuffled before that is stored: its dealer can
still open what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Protocol

from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.errors import FalseFact, GameError, TavolataError
from tavolata.facts import FACTS, Claim, cards_in, faced, name_of
from tavolata.kinds.question import Question
from tavolata.ring import SEATS, Seat
from tavolata.secret import Secret

NOTHING: Final[Mapping[int, Answer]] = MappingProxyType({})
UNSAID: Final[Any] = object()
"""Stands for a value that nobody has said."""


class _Failed:
    def __str__(self) -> str:
        return "an error"


FAILED: Final[Any] = _Failed()
"""Stands for a value that a machine could not work out, because the fact raises, as it says."""
_FAILED_PLAIN: Final = ["failed"]


@dataclass(eq=False, slots=True)
class Declaration:
    """A declaration that the match waits for: the machine of a seat works out a fact and says its value.

    Attributes:
        id: its number among the questions of the match.
        seat: the seat.
        fact: the fact.
        about: the cards, the card or the sealed answer that it is called with.
        args: its other arguments.
        otherwise: the value that counts when nobody can say it; `UNSAID` if there isn't one.
        value: what was said; `UNSAID` before, and after if nobody can say it.
        by: the first seat of the party that said it, 0 in one process; None if nobody has.
        is_said: whether there is nothing more to wait for.
    """

    id: int
    seat: Seat
    fact: Callable[..., Any]
    about: tuple[Card[Any], ...] | Card[Any] | Secret[Any]
    args: tuple[Any, ...]
    otherwise: Any = UNSAID
    value: Any = field(default=UNSAID, init=False)
    by: int | None = field(default=None, init=False)
    is_said: bool = field(default=False, init=False)

    def say(self, value: Any, by: int | None) -> None:
        """Take the value that a party says; of nobody it convicts nobody."""
        self.value, self.by, self.is_said = value, by, True

    def work_out(self, face: Callable[[Card[Any]], Any], answer: Callable[[Secret[Any]], Any]) -> Any:
        """Return the value of the fact, from the faces and the sealed answers that somebody knows.

        Raises:
            Exception: whatever the fact raises.
        """
        about = answer(self.about) if isinstance(self.about, Secret) else faced(self.about, face)
        return self.fact(about, *self.args)


@dataclass(eq=False, slots=True)
class Narration:
    """A narration that the match waits for: the narrator's machine works out a fact.

    Attributes:
        id: its number among the questions of the match.
        fact: the fact.
        parts: what it is called with: cards, sealed answers, and tuples and dicts of these.
        args: its other arguments.
        ask: stands for a value for one seat; None if all learn it.
        value: the value that all learn; `UNSAID` before, and if only one seat does.
    """

    id: int
    fact: Callable[..., Any]
    parts: tuple[Any, ...]
    args: tuple[Any, ...]
    ask: Ask[Any] | None
    value: Any = field(default=UNSAID, init=False)

    @property
    def to(self) -> int | None:
        """The seat that learns the value; None if all do."""
        return None if self.ask is None else int(self.ask.seat)

    def work_out(self, face: Callable[[Card[Any]], Any], answer: Callable[[Secret[Any]], Any]) -> Any:
        """Return the value of the fact, from all faces and sealed answers.

        Raises:
            Exception: whatever the fact raises.
        """
        return self.fact(*faced(unsealed(self.parts, answer), face), *self.args)


def unsealed(value: Any, answer: Callable[[Secret[Any]], Any]) -> Any:
    """Return a value with answers in place of its sealed answers."""
    if isinstance(value, Secret):
        return answer(value)
    if type(value) is tuple:
        return tuple([unsealed(part, answer) for part in value])
    if type(value) is dict:
        return {key: unsealed(part, answer) for key, part in value.items()}
    return value


def secrets_in(value: Any) -> list[Secret[Any]]:
    """Return the sealed answers in a value, in their order."""
    found: list[Secret[Any]] = []
    unsealed(value, found.append)
    return found


def _answer_of(sealed: Mapping[int, Answer], secret: Secret[Any]) -> Any:
    known = None if secret.is_open else sealed.get(secret.id)
    return secret.value if known is None else secret.question.value_of(known)


def _tuples(plain: Any) -> Any:
    return tuple(map(_tuples, plain)) if isinstance(plain, list) else plain


def _seals_in(plain: Any) -> Iterable[int]:
    """Return the numbers of the sealed answers in the plain form of such a value."""
    match plain:
        case ["secret", int(number)]:
            yield number
        case ["tuple", *parts]:
            for part in parts:
                yield from _seals_in(part)
        case ["dict", *pairs]:
            for _, part in pairs:
                yield from _seals_in(part)
        case _:
            pass


class Undeclared(TavolataError):
    """Nobody can declare for some seats, and the rules have no value for that case.

    Args:
        seats: the seats.
    """

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        super().__init__(f"Nobody can declare for seats {', '.join(str(seat + 1) for seat in seats)}.")
        self.seats = seats


@dataclass(eq=False, slots=True)
class Assertion:
    """Something that was said of hidden things and can't be judged yet, as it was when it was said.

    Attributes:
        ask: the number of the question or declaration.
        seat: the seat that said it; None for the narrator.
        by: the first seat of the party that said it, 0 in one process and for the narrator.
        turn: the turn in which it was said, as players count.
        fact: module and name of the fact.
        is_claim: whether an answer claims that the fact is true; otherwise its value was declared.
        words: what was said: the chosen or the declared value, or the seal of the chosen one; the cards, the
            card or the sealed answer that the fact is called with; its other arguments.
        is_plain: whether these are plain data. Otherwise they are values that nobody can change, which are
            only written as plain data when the match is saved: in a simulation mostly never.
        cards: the cards that it speaks of.
        faces: by card, the face number, once it has become public.
        kept: by card that was shuffled since, the number under which the dealer keeps what it was.
        seals: the numbers of the sealed answers that it speaks of.
    """

    ask: int
    seat: Seat | None
    by: int
    turn: int
    fact: str
    is_claim: bool
    words: tuple[Any, Any, Any]
    is_plain: bool
    cards: tuple[Card[Any], ...]
    faces: dict[int, int] = field(default_factory=dict)
    kept: dict[int, int] = field(default_factory=dict)
    seals: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.seals = [*_seals_in(["tuple", *self.words[:2]])] if self.is_plain else []

    def saved(self, forms: PlainForms) -> list[Any]:
        """All of it as plain data."""
        words = self.words if self.is_plain else [forms.plain_of(one, self.fact) for one in self.words]
        return [
            self.ask, None if self.seat is None else int(self.seat), self.by, self.turn, self.fact,
            self.is_claim, *words,
            [card.id for card in self.cards], sorted(self.faces.items()), sorted(self.kept.items()),
        ]  # fmt: skip

    @classmethod
    def loaded(cls, saved: Sequence[Any], cards: Sequence[Card[Any]]) -> Assertion:
        """Return the assertion from the plain data of `saved`.

        Raises:
            GameError: the game has no such fact any more.
        """
        ask, seat, by, turn, fact, is_claim, value, about, args, of, faces, kept = saved
        if fact not in FACTS:
            raise GameError(f"This game has no fact {fact}.")
        author = None if seat is None else SEATS[seat]
        told = cls(ask, author, by, turn, fact, is_claim, (value, about, args), True,
                   tuple(cards[number] for number in of))  # fmt: skip
        told.faces, told.kept = dict(faces), dict(kept)
        return told

    @property
    def missing(self) -> list[Card[Any]]:
        """The cards whose faces were not public since this was said."""
        return [card for card in self.cards if card.id not in self.faces]


class PlainForms(Protocol):
    """The plain forms of a game's values; the match gives them."""

    def plain_of(self, value: Any, where: str) -> Any:
        """Return the plain form of a value: a copy, as lists and plain data of at most 1 KiB.

        Raises:
            GameError: it has none.
        """

    def told_of(self, value: Any, where: str) -> Any:
        """Return the plain form of a value for one seat, which has to fit into a box.

        Raises:
            GameError: it has none, or doesn't fit.
        """

    def check_sealed(self, question: Question) -> None:
        """Check that every answer to a question fits under a seal.

        Raises:
            GameError: one may not.
        """

    def value_of(self, plain: Any) -> Any:
        """Return the value of a plain form."""

    def read_said(self, said: Any) -> Any:
        """Return the value that an entry says.

        Raises:
            Refused: this game has no such value.
        """

    def lasts(self, value: Any) -> bool:
        """Whether a value surely has a plain form, and nobody can change it: then it is as good as that."""

    def turn_now(self) -> int:
        """Return the number of the turn that is being played, as players count."""


class OpenFacts:
    """What was said of hidden things and could not be judged yet.

    Attributes:
        said: the assertions, in the order of the log.
        secrets: by number, the sealed answers that they speak of.
        kept: how many shuffled cards were kept for them.
        forms: the plain forms of values; set by the match.
        narrates: whether the game has a narrator.
        convicts: whether what is false costs somebody the match; not in a world that a bot imagines.
    """

    __slots__ = ("_waiting", "convicts", "forms", "kept", "narrates", "said", "secrets")

    forms: PlainForms

    def __init__(self, *, narrates: bool = False) -> None:
        self.convicts = True
        self.narrates = narrates
        self.begin_with([], {}, 0)

    def begin_with(self, said: Iterable[Assertion], secrets: dict[int, Secret[Any]], kept: int) -> None:
        """Begin with what was said before, as a snapshot has it."""
        self.said: list[Assertion] = []
        self.secrets = secrets
        self.kept = kept
        self._waiting: dict[int, list[Assertion]] = {}  # by card whose face is missing
        for one in said:
            self._add(one)

    def _add(self, said: Assertion) -> None:
        self.said.append(said)
        for card in said.cards:
            if card.id not in said.faces and card.id not in said.kept:
                self._waiting.setdefault(card.id, []).append(said)

    # -- what is said -------------------------------------------------------------------------------

    def claimed(self, ask: int, seat: Seat, by: int, claim: Claim, chosen: Any) -> None:
        """Note the claim of an answer; `chosen` is its value, or the seal of it.

        Raises:
            FalseFact: it is false, as all can see.
        """
        of = chosen.question if isinstance(chosen, Secret) else chosen
        cards = dict.fromkeys([*claim.about, *cards_in(of)])
        self._note(ask, seat, by, claim.fact, True, chosen, claim.about, claim.args, tuple(cards))

    def declared(self, one: Declaration) -> None:
        """Note what was declared.

        Raises:
            FalseFact: it is false, as all can see.
        """
        if one.by is not None:
            cards = () if isinstance(one.about, Secret) else tuple(dict.fromkeys(cards_in(one.about)))
            self._note(one.id, one.seat, one.by, one.fact, False, one.value, one.about, one.args, cards)

    def narrated(self, one: Narration, told: Secret[Any] | None) -> None:
        """Note a narration; `told` stands for the value if only one seat knows it.

        Raises:
            FalseFact: it is false, as all can see.
        """
        value = one.value if told is None or one.value is FAILED else told
        asked = [secret.question for secret in secrets_in(one.parts)]
        cards = tuple(dict.fromkeys(cards_in((one.parts, asked))))
        self._note(one.id, None, 0, one.fact, False, value, one.parts, one.args, cards)

    def _note(
        self,
        ask: int,
        seat: Seat | None,
        by: int,
        fact: Callable[..., Any],
        is_claim: bool,
        value: Any,
        about: Any,
        args: tuple[Any, ...],
        cards: tuple[Card[Any], ...],
    ) -> None:
        if not self.convicts:
            return
        forms, name = self.forms, name_of(fact)
        words: tuple[Any, Any, Any] = (value, about, args)
        is_plain = not (is_claim and forms.lasts(words))
        if is_plain:
            plain = forms.plain_of
            said_plainly = _FAILED_PLAIN if value is FAILED else plain(value, "An answer")
            words = (said_plainly, plain(about, name), plain(args, name))
        said = Assertion(ask, seat, by, forms.turn_now(), name, is_claim, words, is_plain, cards)
        said.faces = {card.id: card.deck.number[card.face] for card in cards if card.is_public}
        sealed = isinstance(value, Secret) or isinstance(about, Secret)
        if is_claim and not sealed and len(said.faces) == len(cards):
            seen = faced((value, about), lambda card: card.face)
            if fact(*seen, *args):
                return  # all can see that it is true, and nothing is left to be judged later
        self.secrets |= {one.id: one for one in secrets_in((value, about))}
        self._add(said)
        self.judge([said])

    # -- what becomes public ------------------------------------------------------------------------

    def note(self, card: Card[Any]) -> None:
        """Note a face that is public now, and judge what can be judged by it.

        Raises:
            FalseFact: something that was said is false.
        """
        if (about := self._waiting.pop(card.id, None)) is not None:
            number = card.deck.number[card.face]
            for said in about:
                said.faces[card.id] = number
            self.judge(about)

    def opened(self, secrets: Iterable[Secret[Any]]) -> None:
        """Judge what can be judged now that these seals are open.

        Raises:
            FalseFact: something that was said is false.
        """
        new = {secret.id: secret for secret in secrets if secret.id in self.secrets}
        nobodys = {number for number, secret in new.items() if secret.is_late}
        asks = [secret._ask for secret in new.values()]  # noqa: SLF001 - authors have no use for it
        # A statement about an answer doesn't hold for one that replaces it.
        lost = {ask.id for ask in asks if ask.by is None and ask.box is not None}
        for one in list(self.said):
            if lost.intersection(one.seals) or (one.is_claim and nobodys.intersection(one.seals)):
                self._remove(one)
        if new:
            self.judge(list(self.said))

    def keep(self, cards: Iterable[Card[Any]]) -> dict[int, int]:
        """Return the cards to be shuffled that are stored for a judgement, each with its number."""
        found: dict[int, int] = {}
        for card in cards:
            if (about := self._waiting.pop(card.id, None)) is not None:
                self.kept += 1
                found[card.id] = self.kept
                for said in about:
                    said.kept[card.id] = self.kept
        return found

    # -- opening and judging ------------------------------------------------------------------------

    def about(self, cards: Iterable[Card[Any]] | None) -> list[Assertion]:
        """Return what was said of these cards as they lie now; of all if there aren't any."""
        if cards is None:
            return list(self.said)
        mine = set(cards)
        return [one for one in self.said
                if any(card in mine and card.id not in one.kept for card in one.cards)]  # fmt: skip

    def seals_of(self, assertions: Iterable[Assertion]) -> list[Secret[Any]]:
        """Return the closed seals of these assertions, in their order."""
        named = dict.fromkeys(number for said in assertions for number in said.seals)
        return [self.secrets[number] for number in named if not self.secrets[number].is_open]

    def hidden_of(self, assertions: Iterable[Assertion]) -> list[FaceProof]:
        """Return what has to be opened to judge these assertions, each face once."""
        found: dict[tuple[int, int], FaceProof] = {}
        for said in assertions:
            for card in self._needed(said):
                if card.id not in said.faces:
                    kept = said.kept.get(card.id, 0)
                    found.setdefault((card.id, kept), FaceProof(said.ask, card, kept))
        return list(found.values())

    def proven(self, proof: FaceProof, face: int) -> None:
        """Note a face that was opened for a judgement; it is judged by `judge`."""
        if not proof.kept:
            self._waiting.pop(proof.card.id, None)
        for said in self.said:
            if proof.card in said.cards and said.kept.get(proof.card.id, 0) == proof.kept:
                said.faces.setdefault(proof.card.id, face)

    def judge(self, assertions: Iterable[Assertion]) -> None:
        """Judge those of these assertions of which all faces are known.

        Raises:
            FalseFact: one of them is false; of several, the first that was said.
        """
        for said in assertions:
            if not said.seals:
                known = len(said.faces) == len(said.cards)
            else:
                known = not self.seals_of([said]) and all(
                    card.id in said.faces for card in self._needed(said)
                )
            if known:
                self._remove(said)
                self._judge(said)

    def drop(self) -> None:
        """Forget what can't be proven."""
        self.begin_with([], {}, self.kept)

    def _remove(self, said: Assertion) -> None:
        """Wait no longer for the cards of an assertion."""
        self.said.remove(said)
        for card in said.cards:
            if (waiting := self._waiting.get(card.id)) is not None and said in waiting:
                waiting.remove(said)
                if not waiting:
                    del self._waiting[card.id]

    def _needed(self, said: Assertion) -> Iterable[Card[Any]]:
        """Return the cards that decide an assertion: of an open seal only those chosen in it."""
        if not said.seals or self.seals_of([said]):
            return said.cards
        return dict.fromkeys(cards_in(self._words(said)[:2]))

    def _words(self, said: Assertion, sealed: Mapping[int, Answer] = NOTHING) -> tuple[Any, ...]:
        """Return a statement's values: the chosen or declared one, what the fact is about, its arguments.

        `sealed` has, by number, known sealed answers that aren't open.
        """
        if not said.is_plain:
            return said.words

        answer = partial(_answer_of, sealed)
        return tuple(
            FAILED if plain == _FAILED_PLAIN else unsealed(self.forms.value_of(plain), answer)
            for plain in said.words
        )

    def _judge(self, said: Assertion) -> None:
        if not self.convicts:
            return

        def face(card: Card[Any]) -> Any:
            return card.deck.faces[said.faces[card.id]]

        if not self.holds(said, face):
            value, about, _ = self._words(said)
            seen = faced(about, face)
            if said.is_claim:
                raise FalseFact(
                    said, "true", "; ".join(filter(None, (shown(faced(value, face)), shown(seen))))
                )
            raise FalseFact(said, shown(value), shown(seen))

    def holds(self, said: Assertion, face: Callable[[Card[Any]], Any]) -> bool:
        """Return True if an assertion would be true with these faces; all of its seals are open."""
        return self.test_of(said)(face)

    def test_of(
        self, said: Assertion, sealed: Mapping[int, Answer] = NOTHING
    ) -> Callable[[Callable[[Card[Any]], Any]], bool]:
        """What says whether an assertion would be true with given faces, as `holds` does.

        Its plain data are read once, for who tries many faces. `sealed` has, by number, known
        sealed answers that aren't open.
        """
        fact = FACTS[said.fact]
        chosen, about, args = self._words(said, sealed)
        is_told = isinstance(said.words[0], list) and said.words[0][:1] == ["secret"]
        plain_of = self.forms.told_of if is_told else self.forms.plain_of
        told = plain_of(chosen, said.fact) if is_told else said.words[0]

        def holds(face: Callable[[Card[Any]], Any]) -> bool:
            seen = faced(about, face)
            if said.is_claim:
                return bool(fact(faced(chosen, face), seen, *args))
            value = fact(*seen, *args) if said.seat is None else fact(seen, *args)
            declared: bool = plain_of(value, said.fact) == told
            return declared

        return holds

    def worked_out(
        self, said: Assertion, face: Callable[[Card[Any]], Any], sealed: Mapping[int, Answer]
    ) -> Answer:
        """Return a narrator's value for one seat with these faces and sealed answers, as an answer.

        Raises:
            Exception: whatever the fact raises.
        """
        answer = partial(_answer_of, sealed)
        about, args = (unsealed(self.forms.value_of(one), answer) for one in said.words[1:])
        return (_tuples(self.forms.told_of(FACTS[said.fact](*faced(about, face), *args), said.fact)),)


@dataclass(frozen=True, slots=True)
class FaceProof:
    """A face that must be opened for a judgement.

    Attributes:
        ask: the number of the first assertion that speaks of it.
        card: the handle that the card had then.
        kept: the number under which it was stored at a shuffle; 0 if it still is what the handle stands for.
    """

    ask: int
    card: Card[Any]
    kept: int


def shown(value: Any) -> str:
    """Return a value with faces, as text for people."""
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    if isinstance(value, Mapping):
        return ", ".join(map(shown, value.values()))
    if isinstance(value, Enum):
        return str(value.value)
    return "-" if value is None else str(value)
