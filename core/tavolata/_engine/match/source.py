"""Parts that all sources share: the want, the origin, and how cards, questions and windows take entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NamedTuple

from tavolata._engine.match.entries import QUIET, REACT, TIMEOUT, MatchEntry
from tavolata._players import GO_ON, Reflex
from tavolata.asks import Ask
from tavolata.cards import HIDDEN, Card, Deck
from tavolata.choices import Answer
from tavolata.cups import DiceDeck
from tavolata.errors import GameError, Refused
from tavolata.messages import N_
from tavolata.reaction_times import GOES, LONGEST
from tavolata.ring import SEATS
from tavolata.windows import Window

NOT_ASKED = N_("That wasn't asked for.")

_ID = attrgetter("id")
Record = Callable[[MatchEntry], object]


class InputRequest(NamedTuple):
    """An input that the match waits for from a dealer: a random value or faces.

    Attributes:
        at: how many wants were met before, so that a dealer answers each want once.
        cards: in order; for FACE and PROVEN the card, and then those that will certainly be opened next.
        seats: for SHOWN, the seat to which each card is shown.
        seat: for NUMBER, the number of the seat for which it is drawn, from 1; 0 if for none.
        number: for NUMBER the sides, for SHOWN the request, for PROVEN the question about the first card,
            for NARRATED the number of the narration.
        kept: for PROVEN, the number under which each card was stored at a shuffle, 0 if it was not.
    """

    kind: int
    at: int
    cards: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    number: int = 0
    kept: tuple[int, ...] = ()
    seat: int = 0


class Stamp(NamedTuple):
    """The place of an entry in the agreed log; in a match of one process all of it is empty.

    `author` signed it; `chain` is the chain hash of the log after it.
    """

    author: bytes = b""
    chain: bytes = b""
    lineage: bytes = b""


NOWHERE: Final = Stamp()
"""The place of entries that are in no agreed log."""


@dataclass(frozen=True)
class Origin:
    """The beginning of a match: all parties have said IN.

    `id` has 16 bytes, which no peer chose. `stamp` is the place of the last IN in the log; its lineage is
    that of the match for ever. By peer: `mailboxes` has the key to which boxes for it are sealed in this
    match, `nonces` that of its IN. All have agreed on the header with `header_hash`.
    """

    id: bytes
    stamp: Stamp
    mailboxes: Mapping[bytes, bytes]
    nonces: Mapping[bytes, bytes]
    header_hash: bytes


def hide(cards: Sequence[Card[Any]], known: dict[int, dict[int, int]]) -> None:
    for card in cards:
        card._face = HIDDEN
    if any(known.values()):
        numbers = set(map(_ID, cards))
        for faces in known.values():
            for number in sorted(faces.keys() & numbers):
                del faces[number]


def sides_of(die: Card[Any]) -> tuple[int, ...]:
    assert isinstance(die.deck, DiceDeck)  # the table lets nothing else be shaken
    return die.deck.sides


def check_late(ask: Ask) -> None:
    """Raise `Refused` if a question has no time limit: its seat may think for ever."""
    if not ask.timed:
        raise Refused(N_("There's no time limit for that."))


def keep(asks: Sequence[Ask], sealed: dict[int, dict[int, Answer]]) -> None:
    """Note the sealed answers that are known here, for all seats that may look at them."""
    for ask in asks:
        if ask.answer is not None:
            for seat in (ask.seat, *ask.shown_to):
                sealed[seat][ask.id] = ask.answer


def take_out(asks: Sequence[Ask], sealed: dict[int, dict[int, Answer]]) -> None:
    """Open these seals: their questions get the answers that were noted."""
    for ask in asks:
        noted = sealed[ask.seat].get(ask.id)
        for answers in sealed.values():
            answers.pop(ask.id, None)
        if ask.answer is None:
            ask.answer = noted


def hidden(cards: Iterable[Card[Any]]) -> dict[Deck[Any], list[Card[Any]]]:
    """Return the hidden cards by deck, in the order of their numbers."""
    found: dict[Deck[Any], list[Card[Any]]] = {}
    for card in cards:
        if not card.is_public:
            found.setdefault(card.deck, []).append(card)
    return found


def faces_before(cards: Sequence[Card[Any]], public: Mapping[int, int]) -> dict[int, int]:
    """Return, by card, the face number from which all begin to shuffle a clean snapshot.

    Everyone knows which faces the hidden cards have together, and no one knows which card has which. So they
    are written down in the order of their numbers, and shuffled before anything else. No die is hidden in a
    clean snapshot. `public` has the face number of each public card.
    """
    faces = dict(public)
    for deck, of_a_kind in hidden(cards).items():
        if not isinstance(deck, DiceDeck):
            faces |= zip([card.id for card in of_a_kind], faces_left(cards, deck, public), strict=True)
    return faces


def faces_left(cards: Iterable[Card[Any]], deck: Deck[Any], seen: Mapping[int, int]) -> list[int]:
    """Return the face numbers of a deck's cards, in order, less those of the cards that were seen."""
    laid = [card for card in cards if card.deck is deck]
    left = Counter(deck.cards[at % len(deck.cards)] for at in range(len(laid)))
    left.subtract(seen[card.id] for card in laid if card.id in seen)
    return sorted(left.elements())


ABOUT_WINDOWS: Final = frozenset({TIMEOUT, REACT, QUIET})
"""The kinds of entries about a window."""
TimedAnswer = tuple[Answer, int]
"""A reaction in its index form, or GOES; and its time in milliseconds."""


def party_of(seat: int, parties: Sequence[int]) -> int:
    """Return the number of the peer that plays a seat; in one process, a single peer plays all seats."""
    return parties[seat] if parties else 0


def enter(window: Window, entry: MatchEntry, parties: Sequence[int] = ()) -> MatchEntry:
    """Apply an entry of a kind in `ABOUT_WINDOWS`; return it in the form in which it is stored.

    `parties` has, by seat, the number of the peer that plays it. Raise `Refused` if it's about another
    window, or not legal now (nothing has changed), `ValueError`, `TypeError` or `IndexError` if it isn't an
    entry about a window.
    """
    kind = entry[0]
    if kind == TIMEOUT:
        _, number = entry
        _same(window, number)
        window.end()
        return entry
    if kind == REACT:
        _, seat, number, answer, milliseconds = entry
        _same(window, number)
        answer = window.claim(SEATS[seat], answer, milliseconds, party_of(seat, parties))
        return (REACT, seat, number, answer, milliseconds)
    _, seat, number, of, gap, trip = entry
    _same(window, number)
    mine = party_of(seat, parties)
    window.vouch(SEATS[of], mine, gap, trip, own=mine == party_of(of, parties))
    return entry


def _same(window: Window, number: object) -> None:
    if number != window.id:
        raise Refused(N_("It's too late for that."))


def reflex_of(said: Reflex | None, window: Window, seat: int) -> TimedAnswer | None:
    """Check a bot's reaction in a window; the seat with the next move continues if its bot does nothing.

    Raise `Refused` if the bot may not react like this, `GameError` if it didn't return a reflex.
    """
    if said is None:
        return (GOES, window.hurry) if window.go == seat and window.seconds is None else None
    if not isinstance(said, Reflex):
        raise GameError("A bot reacts with a Reflex, or not at all.")
    milliseconds = said.ms
    if type(milliseconds) is not int or not 0 <= milliseconds <= LONGEST:
        raise Refused(N_("That isn't a valid reaction time."))
    if said.value is GO_ON and seat == window.go:
        return GOES, milliseconds
    if SEATS[seat] not in window.questions:
        raise Refused(N_("You can't do that now."))
    return window.questions[SEATS[seat]].answer_for(said.value), max(milliseconds, window.floor)
