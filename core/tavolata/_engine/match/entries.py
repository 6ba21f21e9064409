"""Log entries of a match: every input that decides its course, as small tuples.

An entry is `(kind, ...)` with plain data only, so the same tuple is logged, sent between peers and replayed.
This module holds the kinds of entries and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

MatchEntry = tuple[Any, ...]

FACE: Final = 0
"""`(FACE, card, face)`: a card's face becomes public."""
SHOWN: Final = 1
"""`(SHOWN, request, faces)`: faces for single seats; each a face number, or bytes sealed to the seat."""
NUMBER: Final = 2
"""`(NUMBER, sides, value)`: a random number, such as the throw of a die."""
SHUFFLED: Final = 3
"""`(SHUFFLED, cards, commitment)`: this number of cards is now in an order that nobody knows."""
ANSWER: Final = 4
"""`(ANSWER, seat, ask, answer)`: a seat answers. An optional fifth part is how long its person took, see
`time_of`."""
SEALED: Final = 5
"""`(SEALED, seat, ask, box)`: a seat has answered under a seal. An optional fifth part holds, for each seat
that may look at the answer, a copy of nonce and answer sealed to that seat, empty if its machine isn't in the
match. An optional sixth part is how long its person took."""
OPENED: Final = 6
"""`(OPENED, seat, ask, nonce, answer)`: a sealed answer is opened."""
TIMEOUT: Final = 7
"""`(TIMEOUT, ask)`: time has run out for a question."""
INTERJECT: Final = 8
"""`(INTERJECT, seat, name, value)`: an interjection of a seat. `value` is the plain form of its choice,
because the list of choices may have changed when the entry is applied."""
SAY: Final = 9
"""`(SAY, seat, to, text)`: words; `to` are the seats spoken to in their order, none for all. Between peers,
words to some are boxes: one for each of these seats, then one for the speaker's."""
SEAT: Final = 10
"""`(SEAT, seat, status)`: a seat's player is away, back, or "blind": its questions are closed at once."""
DEAL: Final = 11
"""`(DEAL, party, head, step, ...)`: a step of dealing together; see `fair.steps`."""
REACT: Final = 12
"""`(REACT, seat, window, answer, milliseconds)`: a seat reacts in a window, or goes on (GOES)."""
QUIET: Final = 13
"""`(QUIET, seat, window, of, gap, trip)`: the peer of `seat` has no reaction earlier than the claim of the
seat `of`. It saw that claim `gap` ms after it had drawn the card; `trip` ms is their round trip."""
DECLARED: Final = 14
"""`(DECLARED, seat, ask, value)`: the machine of a seat declares the value of a fact, in its plain form, or
that the fact raises there (`RAISES`)."""
PROVEN: Final = 15
"""`(PROVEN, ask, card, face)`: the face that a card had when question `ask` spoke of it, for a judgement."""
SHAKEN: Final = 18
"""`(SHAKEN, dice)`: this number of dice is now thrown anew, and nobody knows how they lie."""
UNDONE: Final = 19
"""`(UNDONE, seat, ask, yes)`: a person agrees, or no longer, that the answer to this question is taken back.
The seat that gave the answer requests it. With the last agreement that it takes, the answer is undone."""

NARRATED: Final = 20
"""`(NARRATED, seat, ask, said)`: the narrator's machine gives a seat, or all (None), the value of a fact.
`said` is a tuple of its plain form; bytes sealed to the seat; or None if the fact raises."""

UNOPENED: Final = 21
"""`(UNOPENED, seat, ask)`: as the match is judged after question `ask`, the machine of a seat waits no longer
for the narrator's to open what it narrated."""

RETURNED: Final = -2
"""`(RETURNED, seat, number)`: an answer of this seat was taken back here, and questions are numbered on from
this number; never sent, and only in `MatchSource.log`."""


LATE: Final = frozenset({INTERJECT, SAY, SEAT})
"""The kinds that may come while the match waits for another entry."""

CHANCE: Final = frozenset({FACE, SHOWN, NUMBER, SHUFFLED, SHAKEN, PROVEN, NARRATED})
"""The kinds that only a single dealer sends; where all deal together, nobody sends them."""

NEVER_TOGETHER: Final = CHANCE | {TIMEOUT, SEAT}
"""The kinds that nobody sends where all deal together: there several entries decide the same."""

NAMES: Final = {
    FACE: "face",
    SHOWN: "shown",
    NUMBER: "number",
    SHUFFLED: "shuffled",
    ANSWER: "answer",
    SEALED: "sealed",
    OPENED: "opened",
    TIMEOUT: "timeout",
    INTERJECT: "interject",
    SAY: "say",
    SEAT: "seat",
    DEAL: "deal",
    REACT: "react",
    QUIET: "quiet",
    DECLARED: "declared",
    PROVEN: "proven",
    SHAKEN: "shaken",
    UNDONE: "undone",
    NARRATED: "narrated",
    UNOPENED: "unopened",
}
"""The names of the kinds, by kind."""


RAISES: Final = ("raises",)
"""The value in a DECLARED of a machine on which the fact raises."""


LONGEST_ANSWER: Final = 24 * 60 * 60 * 1000
"""The most milliseconds that an answer says it took."""


def answer_time(since: float, now: float) -> int:
    """Return the milliseconds from one time in seconds to another, as an answer says them."""
    return min(LONGEST_ANSWER, max(0, int((now - since) * 1000)))


def time_of(entry: MatchEntry) -> int | None:
    """Return the milliseconds that an ANSWER or SEALED says its person took; None if it says nothing.

    A machine says them of its own people, by its own clock. They count for figures and awards, and decide
    nothing. Raise `ValueError` if that isn't a time, or something follows it.
    """
    took = entry[4:] if entry[0] == ANSWER else entry[5:]
    if not took:
        return None
    if len(took) > 1 or type(took[0]) is not int or not 0 <= took[0] <= LONGEST_ANSWER:
        raise ValueError(took)
    return took[0]


def texts_of(seats: Collection[int], entries: Iterable[MatchEntry]) -> frozenset[str]:
    """Return the texts that these seats wrote as answers and interjections."""
    places = {ANSWER: 3, OPENED: 4, INTERJECT: 3}
    found = (one[places[one[0]]] for one in entries if one[0] in places and one[1] in seats)
    return frozenset(text for value in found for text in _texts_in(value))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts_in(part)


def hearers(to: Iterable[int]) -> tuple[int, ...]:
    """Return the seats spoken to as an entry has them: plain numbers in their order, each once."""
    return tuple(sorted({int(seat) for seat in to}))


def are_words(to: object, text: object, seats: int) -> bool:
    """Return True if someone at a table of this many seats can say this: a text, or a box for each hearer."""
    numbers = type(to) is tuple and all(type(seat) is int and 0 <= seat < seats for seat in to)
    if type(to) is not tuple or not numbers or list(to) != sorted(set(to)):
        return False
    if isinstance(text, tuple):
        return bool(to) and len(text) == len(to) + 1 and all(type(box) is bytes for box in text)
    return isinstance(text, str)


def listed(value: Any) -> Any:
    return [listed(part) for part in value] if isinstance(value, tuple) else value


def plain(value: Any) -> Any:
    return tuple([plain(part) for part in value]) if isinstance(value, (list, tuple)) else value
