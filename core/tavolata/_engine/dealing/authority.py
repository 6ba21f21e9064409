"""The authority about people where all deal together: a pure state machine over own words and votes.

About oneself one's own word is enough. About another it takes t votes, each of what its author's own machine
has observed, so that at least one honest machine saw it. A vote never convicts: only evidence does, which
`deal` judges. What is decided follows from the votes that are, and is worked out again after every entry. So
it does not depend on when a vote was cast.

This module knows no clock and no card.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from tavolata._engine.match.header import BLIND
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata_protocol.fair import keys
from tavolata_protocol.fair.offences import Charge

MOST_REFUSALS: Final = 2
"""After so many refusals a party opens no seeds, and makes no coin keys, for the rest of the match."""
LEAST: Final = 2
"""The fewest parties that can open anything or decide anything."""
VOID: Final = N_("That isn't possible now.")


class OwnWord(IntEnum):
    OUT = 0
    """I step away and come back later."""
    BACK = 1
    """I am here."""
    LEFT = 2
    """I leave this match for good."""


class VoteKind(IntEnum):
    AWAY = 0
    """Nothing was heard of a party."""
    STALL = 1
    """A party owes a step of the dealing and does not send it."""
    TIME = 2
    """The time of a question or of a window has run out, or nothing is heard of the party that is asked."""
    END = 3
    """The match is to end."""


class Motion(NamedTuple):
    """The subject of a vote.

    `target` is the party that it's about; 0 for END, and for the TIME of a window. `about` is for AWAY the
    party's absence number, for STALL the task's number, for TIME the number of the question, or of
    the window below 0; 0 for END.
    """

    kind: VoteKind
    target: int
    about: int


class AuthorityEvent(NamedTuple):
    """A piece of news for people.

    `what` is "vote", "withdrawn", "away", "aside", "out", "back", "left", "owed", "refused", "barred" or
    "coins"; "owed" is said of a party that is gone while its share of a lot was due, "coins" when
    they come from new keys because those of `by` are gone. `party` is 0 for no one, `by` the parties that did
    it. Votes have a motion, and the seconds that their author vouches for. `order`
    says what follows a refusal: the number of the next order of the pile, from 2; 0 if all shuffle again; -1
    if keys are made again.
    """

    what: str
    party: int
    by: tuple[int, ...] = ()
    motion: Motion | None = None
    seconds: int = 0
    order: int = 0


@dataclass
class Patience:
    """How long a machine observes before it votes, in seconds; the same for all machines of a match.

    Attributes:
        silence: nothing is heard of a party.
        stall: a party owes a step.
        empty: a party that is asked is silent, and its seats hold no hidden card and no open seal.
        opened: a question is open, before anyone says that a silent party will not answer it.
        answer: a question is open beyond its time.
        nudged: a player who may be nudged has not answered for so long, and was nudged as long ago.
    """

    silence: int = 15
    stall: int = 40
    empty: int = 20
    opened: int = 2
    answer: int = 5
    nudged: int = 25


PATIENCE: Final = Patience()


class Authority:
    """The parties of a match, and what was decided about them.

    A party is a machine that holds a seat; parties are numbered from 1 by their first seat. `owners` has, by
    seat, the identity of its machine. The `policy` for the seat of an absent player is "wait" or "blind".
    If it's `strict`, all parties are needed to open anything; if it's `fixed`, t stays that of the
    start. The `absent` machines hold a seat and aren't in the match: they count as having left.

    `rest` lists the parties that aren't gone, `remaining` (m) is how many, and `present` lists those that
    aren't away either. They are asked far more often than they change, so whatever changes them counts again.
    """

    def __init__(
        self,
        owners: Sequence[bytes],
        policy: str,
        *,
        strict: bool = False,
        fixed: bool = False,
        absent: Collection[bytes] = (),
    ) -> None:
        self._numbers = {key: number for number, key in enumerate(dict.fromkeys(owners), 1)}
        self.all: Final = tuple(self._numbers.values())
        self._of_seat = [self._numbers[key] for key in owners]
        self._policy = policy
        self._strict = strict
        self._fixed = len(self._numbers) - len(absent) if fixed else 0
        self.convicted: dict[int, Charge] = {}
        self.news: list[AuthorityEvent] = []
        self._left = {self._numbers[key] for key in absent}
        self._out: set[int] = set()
        self._away: set[int] = set()
        self._aside: set[int] = set()
        self._refusals = dict.fromkeys(self.all, 0)
        self._absences = dict.fromkeys(self.all, 0)
        self._votes: dict[Motion, dict[int, bool]] = {}
        """By voter, whether its vote stands for an absence that it attests, and falls with that."""
        self._count()

    # -- parties ----------------------------------------------------------------------------------

    def number_of(self, key: bytes) -> int | None:
        return self._numbers.get(key)

    def key_of(self, party: int) -> bytes:
        return list(self._numbers)[party - 1]

    def seat_of(self, party: int) -> int:
        """Return the first seat of a party, which errors name."""
        return self._of_seat.index(party)

    def owner_of(self, seat: int) -> int:
        return self._of_seat[seat]

    # -- what is decided about them -----------------------------------------------------------------

    def is_gone(self, party: int) -> bool:
        """Return True if a party has left for good or was convicted."""
        return party in self._left or party in self.convicted

    def is_away(self, party: int) -> bool:
        """Return True if no one waits for a party, by its own word or by t votes."""
        return party in self._out or party in self._away

    def is_aside(self, party: int) -> bool:
        """Return True if a party doesn't take part in keys and shuffles till it says that it is here."""
        return party in self._aside

    def is_present(self, party: int) -> bool:
        return party in self.present

    def deals(self, party: int) -> bool:
        """Return True if a party takes part in keys and shuffles now."""
        return self.is_present(party) and not self.is_aside(party)

    def _count(self) -> None:
        """Count who remains, after somebody left, was convicted, went out or away, or came back."""
        self.rest = tuple(party for party in self.all if not self.is_gone(party))
        self.remaining = len(self.rest)
        self.present = tuple(party for party in self.rest if not self.is_away(party))

    @property
    def threshold(self) -> int:
        """t: how many parties it takes to decide about another, and to open what is dealt under new keys.

        It falls only when someone is gone, never because someone is away.
        """
        return max(LEAST, keys.threshold(self._fixed or self.remaining, strict=self._strict))

    @property
    def can_vote(self) -> bool:
        """Return True if enough others remain to decide about one: not between two, nor if all are needed."""
        return self.remaining - 1 >= self.threshold

    def absence_of(self, party: int) -> int:
        """Return the absence number of a party: how often it has come back."""
        return self._absences[party]

    # -- own words --------------------------------------------------------------------------------

    def say(self, party: int, word: int, absence: int) -> None:
        """Take a party's word about itself; raise `Refused`, changing nothing, if it can't say that now."""
        away = self.is_away(party) or self.is_aside(party)
        if self.is_gone(party) or absence != self._absences[party] or word not in set(OwnWord):
            raise Refused(VOID)
        if (word == OwnWord.BACK and not away) or (word == OwnWord.OUT and party in self._out):
            raise Refused(VOID)
        if word == OwnWord.OUT:
            self._out.add(party)
        elif word == OwnWord.LEFT:
            self._left.add(party)
        else:
            self._back(party)
        self._count()
        self.news.append(AuthorityEvent(OwnWord(word).name.lower(), party, (party,)))

    def _back(self, party: int) -> None:
        self._absences[party] += 1
        for without in (self._out, self._away, self._aside):
            without.discard(party)
        self._drop(lambda motion: motion.target == party and motion.kind is not VoteKind.TIME)

    def heard(self, party: int) -> None:
        """Note an entry of a party in the log: all have heard it. What it owes it owes as before."""
        self._drop(lambda one: one.target == party and one.kind is VoteKind.AWAY)

    def convict(self, party: int, charge: Charge) -> None:
        self.convicted[party] = charge
        self._count()

    # -- votes ------------------------------------------------------------------------------------

    def cast(
        self, voter: int, motion: Motion, seconds: int, least: int, unheard: int = 0, *, yes: bool
    ) -> None:
        """Take a vote, or take it back (`yes` is False).

        The existence of the subject has been checked. The author vouches for `seconds`; `least` is the fewest
        for such a vote. For TIME about a party whose absence its author attests, `unheard` seconds of silence
        are enough, too, and such a vote falls with the attested absence. Raise `Refused`, changing nothing,
        if the author can't vote so now.
        """
        standing = self._votes.get(motion, {})
        if not self.is_present(voter) or voter == motion.target or yes is (voter in standing):
            raise Refused(VOID)
        if not yes:
            del standing[voter]
            self.news.append(AuthorityEvent("withdrawn", motion.target, (voter,), motion))
            return
        is_short = seconds < least
        attests = motion.target and self.closes_for(voter, motion.target) and seconds >= unheard
        if (is_short and not attests) or not self._may_be_voted(motion):
            raise Refused(VOID)
        self._votes.setdefault(motion, {})[voter] = is_short
        self.news.append(AuthorityEvent("vote", motion.target, self.voters(motion), motion, seconds))

    def closes_for(self, voter: int, party: int) -> bool:
        """Return True if a party's open questions may be closed for its silence, and the voter attests it."""
        away = Motion(VoteKind.AWAY, party, self._absences[party])
        return self._policy == BLIND and party in self._away and voter in self._votes.get(away, {})

    def _may_be_voted(self, motion: Motion) -> bool:
        kind, target, about = motion
        if target == 0:
            return kind is VoteKind.TIME or (kind is VoteKind.END and about == 0)
        if target not in self.all or self.is_gone(target) or not self.can_vote:
            return False
        if kind is VoteKind.AWAY:
            return about == self._absences[target]
        return kind is not VoteKind.END

    def voters(self, motion: Motion) -> tuple[int, ...]:
        """Return the parties with valid votes on this, in the order in which they were cast."""
        return tuple(self._votes.get(motion, ()))

    def votes_of(self, voter: int) -> list[Motion]:
        return [motion for motion, standing in self._votes.items() if voter in standing]

    def _drop(self, falls: Callable[[Motion], bool]) -> None:
        self._votes = {motion: standing for motion, standing in self._votes.items() if not falls(motion)}

    # -- decisions --------------------------------------------------------------------------------

    def settle(self, is_owed: Callable[[int, int], bool], asked: Collection[tuple[int, int]]) -> None:
        """Work out what is decided now; called after every entry.

        `is_owed` says if a party still owes the task of this number. `asked` has the party and the number of
        each open question, and 0 and the number of a window.
        """
        while self._votes:
            self._fall(is_owed, asked)
            away = {party for party in self.all if self._is_decided(party, VoteKind.AWAY)} - self._away
            aside = {party for party in self.all if self._is_decided(party, VoteKind.STALL)} - self._aside
            if not away and not aside:
                break
            for what, kind, found in (("away", VoteKind.AWAY, away), ("aside", VoteKind.STALL, aside - away)):
                self.news += (AuthorityEvent(what, one, self._accusers(one, kind)) for one in sorted(found))
            self._away |= away
            self._aside |= aside
            self._count()

    def _fall(self, is_owed: Callable[[int, int], bool], asked: Collection[tuple[int, int]]) -> None:
        """Drop the votes of authors who aren't present and those about what is settled."""

        def is_over(motion: Motion) -> bool:
            kind, target, about = motion
            if target and self.is_gone(target):
                return True
            if kind is VoteKind.TIME:
                return (target, about) not in asked
            return kind is VoteKind.STALL and not is_owed(target, about)

        self._drop(is_over)
        for motion, standing in self._votes.items():
            for voter, attests in [*standing.items()]:
                if not self.is_present(voter) or (attests and not self.closes_for(voter, motion.target)):
                    del standing[voter]

    def _accusers(self, party: int, kind: VoteKind) -> tuple[int, ...]:
        """Return the parties that say that a party is away, or, for STALL, away or doing nothing."""
        kinds = {VoteKind.AWAY, kind}
        about = (motion for motion in self._votes if motion.target == party and motion.kind in kinds)
        return tuple(dict.fromkeys(voter for motion in about for voter in self._votes[motion]))

    def _is_decided(self, party: int, kind: VoteKind) -> bool:
        may_be = not self.is_gone(party) and self.can_vote
        return may_be and len(self._accusers(party, kind)) >= self.threshold

    def refuse(self, party: int, order: int = -1) -> None:
        """Count that a party did not open what it had committed to: its seed of a pile, or its part of keys.

        Returning doesn't change that. `order` is as in an `AuthorityEvent`.
        """
        self._refusals[party] += 1
        self.news.append(AuthorityEvent("refused", party, order=order))
        if self._refusals[party] == MOST_REFUSALS:
            self.news.append(AuthorityEvent("barred", party))

    def is_barred(self, party: int) -> bool:
        """Return True if a party has refused twice: it draws no order and no coin in this match any more."""
        return self._refusals[party] >= MOST_REFUSALS

    def is_time_up(self, target: int, about: int) -> bool:
        """Return True if t parties say that the time of this question or window is over."""
        return len(self._votes.get(Motion(VoteKind.TIME, target, about), ())) >= self.threshold and (
            target == 0 or self.can_vote
        )

    @property
    def is_ended(self) -> bool:
        """Return True if t parties want the match to end, or all but one have left it."""
        wanted = len(self._votes.get(Motion(VoteKind.END, 0, 0), ())) >= self.threshold
        return wanted or (len(self.all) > 1 and self.remaining < LEAST)

    # -- who answers ------------------------------------------------------------------------------

    def is_willing(self, party: int) -> bool:
        """Return True if a party is not here by its own word."""
        return party in self._out or party in self._left

    def is_blind(self, party: int) -> bool:
        """Return True if a party's questions get their `otherwise` at once: by its own word, or it is gone.

        No card of its seats is opened to anyone.
        """
        return self.is_gone(party) or (party in self._out and self._policy == BLIND)

    def player_of(self, seat: int) -> int | None:
        """Return the party that plays a seat now: its owner, or None while its questions are closed."""
        owner = self._of_seat[seat]
        return None if self.is_blind(owner) else owner

    def status_of(self, seat: int) -> str:
        """Return the state of a seat: "here", "away", or "blind" while its questions are closed at once."""
        owner = self._of_seat[seat]
        if self.is_present(owner):
            return "here"
        return "blind" if self.is_blind(owner) else "away"

    def told(self) -> list[AuthorityEvent]:
        news, self.news = self.news, []
        return news
