"""Updates: the stream of news behind every frontend.

An update that only tells something brings its own sentence and its own JSON (`Telling`). No frontend
knows these classes, so a new one needs no code elsewhere. The other updates change what the frontend
waits for.

Updates are tuples. Dataclasses take seven times as long to define, and these are needed before the first
question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable

from tavolata._engine.match.entries import MatchEntry, are_words
from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.statistics import Statistics
from tavolata._text import Verbatim, one_line
from tavolata.asks import Ask
from tavolata.kinds.question import Question
from tavolata.messages import N_, Event
from tavolata.outcome import Outcome
from tavolata.windows import Window

if TYPE_CHECKING:
    from tavolata._engine.match.match import Match

EMOTES: Final = {
    "bravo": N_("Bravo!"),
    "wow": N_("Wow!"),
    "ha": N_("Ha!"),
    "ouch": N_("Ouch!"),
    "bluff": N_("Bluffing?"),
    "hurry": N_("Hurry up!"),
    "luck": N_("Good luck!"),
    "again": N_("Again?"),
}
"""By name, the message id of each emote: a short call that everybody reads in the own language.

It travels as ordinary words to all, and the message id is the text: so it needs no entry of its own."""
EMOTE_IDS: Final = frozenset(EMOTES.values())
SPOKE = N_("{name} says: {text}")
SPOKE_TO = N_("{name} to {to}: {text}")
MAX_TEXT = 400
"""The maximum length of a message in characters; the rest is cut off."""
UNHEARD = Verbatim("…")
"""The text that others see in place of a message for others."""


class Saying(NamedTuple):
    """The sentence of an update, by its message id.

    `role` is its sort: "talk", "private", "notice", "wrong" or "hint". `own` repeats words that were typed
    here; `renews` only says again how far something has got.
    """

    role: str
    message: str
    params: Mapping[str, Any] = MappingProxyType({})
    own: bool = False
    renews: bool = False


@runtime_checkable
class Telling(Protocol):
    def saying(self) -> Saying:
        """The sentence for people."""

    def data(self) -> Mapping[str, Any]:
        """The JSON for programs, beside the sentence; `type` is the name of the update."""


class Began(NamedTuple):
    """A match has begun, or was resumed (`again`).

    `past` is what this machine heard of it while it caught up, for a frontend that looks back.
    """

    match: Match[Any]
    again: bool = False
    past: tuple[Update, ...] = ()


class Told(NamedTuple):
    """Something happened in the match.

    `seen` is the result of `Match.look` at that moment; None if no one looks. `again` repeats an earlier
    event for a player who has come back.
    """

    event: Event
    seen: Any = None
    again: bool = False


class Asked(NamedTuple):
    """A question was put to a seat; `mine` if a person here has to answer it."""

    ask: Ask
    mine: bool


class Closed(NamedTuple):
    """A question to a person here needs no answer any longer (`late`: because time ran out)."""

    ask: Ask
    late: bool = False


class WindowOpened(NamedTuple):
    """A window has opened, in which seats may react.

    The frontend shows everything that was told before, calls `TableSession.drawn(window.id)` as soon as
    people can see it, and measures times from then on. `mine` are the seats of people here that may react or
    continue.
    """

    window: Window
    mine: tuple[int, ...]


class WindowClosed(NamedTuple):
    """The window is closed; `window.reaction()` says who was fastest."""

    window: Window


class Said(NamedTuple):
    """Someone spoke, to the players with these names; empty for all. `mine`: it was said here.

    `again` repeats earlier words, as of an event.
    """

    name: Verbatim
    text: Verbatim
    to: tuple[str, ...] = ()
    mine: bool = False
    again: bool = False

    @property
    def is_emote(self) -> bool:
        """Return True for an emote, which everyone reads in their own language."""
        return not self.to and self.text in EMOTE_IDS

    def as_heard(self, names: Collection[str]) -> Said:
        """Return it as these people hear it, without words for others; nobody, an onlooker, hears all."""
        private = bool(self.to and names) and set(names).isdisjoint((self.name, *self.to))
        return self._replace(text=UNHEARD) if private else self

    def saying(self) -> Saying:
        text = str(self.text) if self.is_emote else self.text
        params = {"name": self.name, "text": text}
        if not self.to:
            return Saying("talk", SPOKE, params, own=self.mine)
        return Saying("private", SPOKE_TO, {**params, "to": Verbatim(", ".join(self.to))}, own=self.mine)

    def data(self) -> Mapping[str, Any]:
        return {"type": "said", "name": self.name, "to": list(self.to), "words": self.text, "mine": self.mine}


class Notice(NamedTuple):
    """Something happened at the table, outside the rules of the game; a message id of the core.

    `wrong` marks a refusal or an error. It's for the person here at `seat`, or with `to` (see
    `Place.person`); None and empty for all of them. `renews`: it replaces the notice before it, which said
    the same with other numbers.
    """

    message: str
    params: Mapping[str, Any] = MappingProxyType({})
    wrong: bool = False
    seat: int | None = None
    to: bytes = b""
    renews: bool = False

    def saying(self) -> Saying:
        return Saying("wrong" if self.wrong else "notice", self.message, self.params, renews=self.renews)

    def data(self) -> Mapping[str, Any]:
        return {"type": "notice", "wrong": self.wrong}


class AnswerNumber(NamedTuple):
    """An answer to a question as the value of a field: the number that `question.nth` takes."""

    question: Question
    number: int


class Hinted(NamedTuple):
    """A hint for a newcomer, or a thinker's advice: a message id of the game or the core.

    It's for the person here at `seat`; None for all of them.
    """

    message: str
    params: Mapping[str, Any] = MappingProxyType({})
    seat: int | None = None

    def saying(self) -> Saying:
        return Saying("hint", self.message, self.params)

    def data(self) -> Mapping[str, Any]:
        return {"type": "hint"}


class LobbyChanged(NamedTuple):
    """The lobby has changed: its seats, its agreed options or who is ready. The session holds the new lobby.

    `whole` if all of it should be shown, whether it has changed or not.
    """

    whole: bool = False


UNPROVEN = N_(
    "The result is unproven: {seats} didn't open their cards. If they do before the next match here, "
    "anyone who lied still loses."
)


class Ended(NamedTuple):
    """The match is over.

    Attributes:
        outcome: None if it was abandoned.
        digest: the digest of the last state, which is equal on all peers.
        conviction: the culprit, if a cheat ended the match.
        suspended: those who were there continued without the missing, in a new match.
        not_in: the seats without which this match continued; its rules may still name them as winners.
        unproven: the first seats of the machines that have not opened what would judge what was said.
    """

    outcome: Outcome | None
    digest: bytes
    conviction: Conviction | None = None
    statistics: Statistics | None = None
    suspended: bool = False
    not_in: tuple[int, ...] = ()
    unproven: tuple[int, ...] = ()


Update = Began | Told | Asked | Closed | WindowOpened | WindowClosed | LobbyChanged | Ended | Telling


def spoken_words(words: object) -> Verbatim:
    """Return anything as what a person has said, cleaned; "" if nothing of it can be shown."""
    return Verbatim(one_line(words, MAX_TEXT))


def spoken(
    entry: MatchEntry, names: Sequence[str], heard: Callable[[int, bytes], str | None], *, mine: bool
) -> Said | None:
    """Return the chat message in an entry of kind SAY, of any form; None on every machine without one.

    `heard` opens what was said to a seat, and gives None if it's not for this machine. `mine`: it was said
    here.
    """
    if len(entry) != 4 or not are_words(entry[2], entry[3], len(names)):
        return None
    _, seat, to, words = entry
    if type(words) is tuple:  # for some seats: the others see that there are words, and not which
        opened = (heard(who, box) for who, box in zip((*to, seat), words, strict=True))
        # whatever is in the boxes, it counts as words on every machine alike
        text = spoken_words(next(filter(None, opened), "")) or UNHEARD
    else:
        text = spoken_words(words)
    return Said(Verbatim(names[seat]), text, tuple(names[one] for one in to), mine) if text else None
