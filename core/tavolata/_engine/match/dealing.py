"""The dealing of a match, as its log source and its table see it, and the one by a single trusted peer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Protocol

from typing_extensions import override

from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import ConvictionRecord
from tavolata._engine.match.source import NOT_ASKED, InputRequest, party_of
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Notice
from tavolata.asks import Ask
from tavolata.assertions import Declaration, Narration
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.secret import Narrated
from tavolata.windows import Window
from tavolata_protocol.fair.offences import Charge

TOO_LONG = N_("That answer is too long to be sealed.")


NoncedAnswer = tuple[bytes, Answer]
"""The nonce and the answer of a box."""
Confider = Callable[[bytes, bytes, int, int, bytes, Answer], bytes]
"""Returns the box from one peer to another with (seat, ask, nonce, answer), always the same one."""


class Keyring(Protocol):
    """The keys of this machine, as the log source uses them; `sender` is the author of a box's entry."""

    def face(self, sender: bytes, request: int, seat: int, card: int, box: bytes) -> int | None:
        return None

    def answer(self, sender: bytes, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        """Return the nonce and the answer in a copy for this seat; None if it's not for this machine."""
        return None

    def told(self, sender: bytes, seat: int, ask: int, box: bytes) -> NoncedAnswer | None:
        """Return the value of a narration for this seat, with its nonce; None if it isn't for it."""
        return None

    def confided(self, sender: bytes, seat: int, ask: int, copy: bytes) -> NoncedAnswer | None:
        """Return the nonce and the answer of a seat in a copy for the narrator; None if it isn't here."""
        return None


class NoKeys(Keyring):
    """The keyring of a machine without a seat."""


class Dealing(ABC):
    """How the hidden values of a match come about: one peer deals, or all peers deal together.

    A method that is not abstract does what is right where one peer deals. If `is_fair`, all deal together: it
    then takes several entries to meet one want, the match writes a log of its own, and no single peer decides
    about people. `has_equivocation` is True once a peer was convicted of having signed two logs, or two
    votes.
    """

    is_fair: bool
    has_equivocation = False

    def lay(self, cards: list[Card[Any]]) -> None:
        return

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        return

    def shaken(self, dice: Sequence[Card[Any]]) -> None:
        return

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Note that each of these cards was shown to the seat at the same place."""
        return

    def keep(self, cards: Mapping[int, int]) -> None:
        """Keep what cards are that must be shuffled, by card under this number."""
        return

    def attach(self, match: Match) -> None:
        return

    def narrates(self, one: Narration) -> None:
        """Note that the match waits for this narration."""
        return

    def narrated(self, one: Narration) -> None:
        """Note that a narration was made."""
        return

    def confide(self, ask: Ask, author: bytes, copy: object, known: NoncedAnswer | None) -> None:
        """Note the copy of a sealed answer for the narrator, and what this machine reads in it."""
        return

    def is_confided(self, ask: Ask, nonce: bytes, answer: Answer) -> bool:
        """Return True if the narrator could read this answer; otherwise, it counts as silence."""
        return True

    def may_put_aside(self, ask: Ask) -> bool:
        """Return True if a narrator may open this as silence: it can't read it, and its author has left."""
        return False

    def is_narrator(self, author: bytes) -> bool:
        """Return True if this peer narrates the match."""
        return False

    @property
    def has_boxes(self) -> bool:
        """True if a narration for one seat has to be in a box."""
        return False

    def lie_as(self, faces: Mapping[int, int]) -> None:
        """Continue from a clean snapshot, with these face numbers by card."""
        return

    def seen(self) -> frozenset[int]:
        """Return the hidden cards that someone may see."""
        return frozenset()

    @abstractmethod
    def speaker(self, match: Match, seat: int) -> int | None:
        """Return the first seat of the party that speaks for a seat; None if no one does."""

    def take(self, entry: MatchEntry) -> None:
        """Act on a step of the dealing or a word about people; raise `Refused`, changing nothing, if void."""
        raise Refused(NOT_ASKED)

    def heard(self, author: bytes) -> None:
        """Note that an entry of this peer is in the log; called when it has been acted on."""
        return

    def times_out(self, match: Match, asks: list[Ask]) -> bool:
        """Give open questions whose time is up their `otherwise`; return True if there was one."""
        return False

    def nobody_declares(self, match: Match, what: list[Declaration]) -> list[Declaration]:
        """Return those of these declarations that nobody makes any more, since their time is up."""
        return []

    def is_left(self, match: Match, seat: int) -> bool:
        """Return True if no one waits for a seat, so a window ends without its move."""
        return match.status[seat] == "blind"

    def is_window_over(self, window: Window) -> bool:
        """Return True if enough parties say that the time of a window is over."""
        return False

    def met(self, want: InputRequest) -> MatchEntry | None:
        """Return the entry that a single dealer would send now; None while parts of it are missing."""
        return None

    def convicted(self) -> dict[bytes, Charge]:
        return {}

    @property
    def judged(self) -> list[ConvictionRecord]:
        """The convictions in their order, each with its evidence."""
        return []

    def prepare(self, entry: MatchEntry) -> None:
        """Act on an entry before the match begins; raise `Refused`, changing nothing, if it's void."""
        raise Refused(NOT_ASKED)

    def stop_waiting(self, seat: int, ask: int) -> None:
        """Note that a player's machine waits no longer for a narrator to open what it narrated.

        Raise `Refused`, changing nothing, if no one waits for that after this question.
        """
        raise Refused(NOT_ASKED)

    @property
    def unopened(self) -> set[bytes]:
        """The players' machines that wait no longer for the narrator to open what it narrated."""
        return set()

    @property
    def owing(self) -> tuple[bytes, ...]:
        """The peers that owe something without which the match can't begin."""
        return ()

    @property
    def is_refused(self) -> bool:
        """True if the match can't begin, because some of the peers that owe something won't give it."""
        return False

    @property
    def is_lost(self) -> bool:
        """True if the match can't continue: too many are gone for good, or have refused to make keys."""
        return False

    @property
    def refusing(self) -> tuple[bytes, ...]:
        """The peers that have refused keys so often that the match can't continue; usually none."""
        return ()

    @property
    def is_ended(self) -> bool:
        """True if enough parties want the match to end, or all but one have left it."""
        return False

    @property
    def withholding(self) -> tuple[int, ...]:
        """The first seats of the parties that have not opened what is theirs to judge the match."""
        return ()

    @property
    def is_waiting_over(self) -> bool:
        """True if all who are there and have opened what is theirs wait for the others no longer."""
        return False

    @property
    def remaining(self) -> tuple[bytes, ...]:
        """The peers that have not left the match for good and were not convicted."""
        return ()

    @property
    @abstractmethod
    def present(self) -> tuple[bytes, ...]:
        """The peers that are neither gone for good nor away."""

    @abstractmethod
    def player_of(self, match: Match, seat: int) -> bytes | None:
        """Return the peer that plays a seat now; None if no peer does."""

    @abstractmethod
    def has_part(self, peer: bytes) -> bool:
        """Return True if this peer plays in a match that can be stopped for today, and has not left it."""

    def news(self, me: bytes) -> list[Notice]:
        """Return the notices for people at this peer since the last call."""
        return []

    def asked(self, asks: list[Ask]) -> None:
        return

    def go_back(self, closed: Mapping[int, Ask]) -> None:
        """Go back behind an answer; `closed` has, by number, the questions with answers under seal."""
        return

    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """Return True if this can be the sealed answer to a question."""
        return True

    @abstractmethod
    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        """Return True if the box holds this answer and can't hold another."""


class OneDealer(Dealing):
    """A match that one peer deals, as every other machine and every file sees it.

    Each entry of the log is a whole input of the match. A `narrator` is the machine that deals and knows
    the sealed answers, too; `confider` makes the boxes from it and to it, so everyone can compare them with
    what they are opened to. Without it nothing is compared: the log was checked before.
    """

    is_fair = False

    def __init__(
        self, keys: Sequence[bytes] = (), narrator: bytes = b"", confider: Confider | None = None
    ) -> None:
        self._keys = keys
        self._narrator = narrator
        self._confider = confider
        self._copies: dict[int, tuple[bytes, object]] = {}
        self._unopened: dict[bytes, int] = {}
        self._match: Match | None = None

    @override
    def attach(self, match: Match) -> None:
        self._match = match if self._narrator else None

    @override
    def is_narrator(self, author: bytes) -> bool:
        return bool(author) and author == self._narrator

    @property
    @override
    def has_boxes(self) -> bool:
        return self._confider is not None

    @override
    def confide(self, ask: Ask, author: bytes, copy: object, known: NoncedAnswer | None) -> None:
        if self._narrator:
            self._copies[ask.id] = author, copy

    @override
    def is_confided(self, ask: Ask, nonce: bytes, answer: Answer) -> bool:
        if self._confider is None or ask.id not in self._copies:
            return True
        author, copy = self._copies[ask.id]
        return copy == self._confider(author, self._narrator, int(ask.seat), ask.id, nonce, answer)

    @override
    def may_put_aside(self, ask: Ask) -> bool:
        is_left = self._match is not None and self._match.status[int(ask.seat)] == "blind"
        return is_left and ask.box is not None and not isinstance(ask.question, Narrated)

    @override
    def stop_waiting(self, seat: int, ask: int) -> None:
        match = self._match
        if match is None or not match.is_judging or ask != match.awaits or self._keys[seat] == self._narrator:
            raise Refused(NOT_ASKED)
        self._unopened[self._keys[seat]] = ask

    @property
    @override
    def unopened(self) -> set[bytes]:
        now = -1 if self._match is None else self._match.awaits
        return {key for key, ask in self._unopened.items() if ask == now}

    @property
    @override
    def is_ended(self) -> bool:
        if self._match is None or not (unopened := self.unopened):
            return False
        placed = zip(self._keys, self._match.status, strict=True)
        return {key for key, is_ in placed if is_ == "here" and key != self._narrator} <= unopened

    @override
    def speaker(self, match: Match, seat: int) -> int | None:
        return party_of(seat, match.terms.parties) if match.status[seat] == "here" else None

    @property
    @override
    def present(self) -> tuple[bytes, ...]:
        parties = tuple(dict.fromkeys(self._keys))
        if self._match is not None:  # who stops it for today: everyone waits for the narrator anyway
            placed = zip(self._keys, self._match.status, strict=True)
            return tuple(dict.fromkeys((*(key for key, is_ in placed if is_ == "here"), self._narrator)))
        return parties if len(parties) == 1 else ()  # its secret and its log are all that the match needs

    @override
    def has_part(self, peer: bytes) -> bool:
        if self._narrator:
            return peer in self._keys or peer == self._narrator
        return self.present == (peer,)

    @override
    def player_of(self, match: Match, seat: int) -> bytes | None:
        return None if match.status[seat] == "blind" else self._keys[seat]

    @override
    def times_out(self, match: Match, asks: list[Ask]) -> bool:
        late = [
            ask for ask in asks
            if match.status[int(ask.seat)] == "blind" and (ask.box is None or not self._narrator)
        ]  # fmt: skip  # what is under seal, the narrator opens
        for ask in late:
            ask.answer, ask.by = ask.late, None
        return bool(late)

    @override
    def nobody_declares(self, match: Match, what: list[Declaration]) -> list[Declaration]:
        return [one for one in what if match.status[int(one.seat)] == "blind"]

    @override
    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        if not isinstance(ask.question, Narrated):
            return box == box_of(int(ask.seat), ask.id, nonce, answer)
        seat = int(ask.seat)
        return self._confider is None or box == self._confider(
            self._narrator, self._keys[seat], seat, ask.id, nonce, answer
        )


def box_of(seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
    """Return the commitment to an answer: it hides the answer and can't be opened to another one."""
    if len(nonce) != 32:
        raise Refused(N_("That answer doesn't match the seal."))
    return blake2b(pack([seat, ask, answer]), key=nonce, digest_size=32, person=b"tavolata seal").digest()
