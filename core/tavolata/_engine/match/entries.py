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
"""`(SHOWN, request, faces)`: faces shown to single seats, each a face number or bytes sealed to the seat."""
NUMBER: Final = 2
"""`(NUMBER, sides, value)`: a random number from 0 to `sides` - 1, such as the roll of a die."""
SHUFFLED: Final = 3
"""`(SHUFFLED, cards, commitment)`: this number of cards is shuffled into a hidden order; with a single
dealer, `commitment` is empty."""
ANSWER: Final = 4
"""`(ANSWER, seat, ask, answer)`: a seat answers. An optional fifth item is its person's answering time in
milliseconds; see `time_of`."""
SEALED: Final = 5
"""`(SEALED, seat, ask, box)`: a seat gives a sealed answer. An optional fifth item holds sealed copies of
nonce and answer: one for each seat that may see the answer (empty if its machine isn't in the match), then
one for the narrator, if there is one. An optional sixth item is the answering time."""
OPENED: Final = 6
"""`(OPENED, seat, ask, nonce, answer)`: a sealed answer is opened."""
TIMEOUT: Final = 7
"""`(TIMEOUT, ask)`: a question times out."""
INTERJECT: Final = 8
"""`(INTERJECT, seat, name, value)`: a seat interjects. `value` is its choice in plain form, because the
choices may have changed by the time the entry is applied."""
SAY: Final = 9
"""`(SAY, seat, to, text)`: a message to the seats `to`, in ascending order; empty means everyone. Between
peers, a message to some seats is a tuple of boxes: one for each of them, then one for the sender's."""
SEAT: Final = 10
"""`(SEAT, seat, status)`: a seat's player is "away", "here" again, or "blind" (all questions to the seat are
closed at once)."""
DEAL: Final = 11
"""`(DEAL, party, head, step, ...)`: a step of joint dealing; see `fair.steps`."""
REACT: Final = 12
"""`(REACT, seat, window, answer, milliseconds)`: a seat reacts in a window, or with GOES (-1) lets the match
continue."""
QUIET: Final = 13
"""`(QUIET, seat, window, of, gap, trip)`: the peer playing `seat` has no reaction earlier than seat `of`'s.
It saw that claim `gap` ms after displaying the card; `trip` ms is the round trip between the two peers."""
DECLARED: Final = 14
"""`(DECLARED, seat, ask, value)`: a seat's machine declares the value of a fact in plain form, or `RAISES` if
the fact raises there."""
PROVEN: Final = 15
"""`(PROVEN, ask, card, face)`: the face that a card had when question `ask` referred to it, for judging."""
SHAKEN: Final = 18
"""`(SHAKEN, dice)`: this number of dice is rerolled, with hidden results."""
UNDONE: Final = 19
"""`(UNDONE, seat, ask, yes)`: a person agrees to undo this answer, or no longer does; the seat that gave it
makes the request. The last agreement or departure needed undoes the answer."""

NARRATED: Final = 20
"""`(NARRATED, seat, ask, said)`: the narrator's machine gives a seat, or everyone (None), the value of a
fact. `said` is a tuple with its plain form, bytes sealed to the seat, or None if the fact raises."""

UNOPENED: Final = 21
"""`(UNOPENED, seat, ask)`: while the match is judged after question `ask`, a seat's machine stops waiting for
the narrator's machine to open what it narrated."""

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
