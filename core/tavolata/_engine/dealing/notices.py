"""Notices about what is decided about people where all deal together: whose word it was, what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tavolata._engine.dealing.authority import Authority, AuthorityEvent, VoteKind
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Notice
from tavolata.messages import N_

NOT_HEARD = N_("{by} hasn't heard from {name} for {seconds} s (computers that agree: {n} of the {t} needed).")
TAKEN_BACK = N_("{by} no longer reports {name} as silent.")
STALLS = N_("{by} has waited {seconds} s for {name} to deal (machines that agree: {n} of the {t} needed).")
LATE = N_("Time's up for {name} (agreed by {by}).")
WANTS_END = N_("{by} wants to end the match (agreed: {n} of the {t} needed).")
NO_LONGER = N_("{by} no longer wants to end the match.")
AWAY = N_("{name} is away: {by} lost contact.")
AWAY_YOU = N_(
    "The others ({by}) have lost contact with you. Your computer is reconnecting. Check your network."
)
ASIDE = N_("{name} isn't shuffling for this deal: {by} stopped waiting.")
NO_SEED = N_("{name}'s machine didn't reveal its seed, so this pile is being shuffled again (shuffle {n}).")
NO_SEED_LEFT = N_(
    "{name}'s machine didn't reveal its seed, and no one else can. Everyone is shuffling again."
)
NO_PART = N_(
    "{name}'s machine didn't reveal its part of the keys for dice. New keys are being made without it."
)
BARRED = N_(
    "{name}'s machine has refused twice. It has no say in shuffles or dice for the rest of this match."
)
COINS = N_("From here on, dice use new keys, because {by} left.")
COINS_WITHOUT = N_("From here on, dice use new keys made without {by}.")
OUT = N_("{name} has left for now.")
BACK = N_("{name} is back.")
LEFT = N_("{name} has left the match for good.")
OWED = N_("{name} left without revealing their part of a random number. That doesn't change the number.")
LOWER = N_(
    "From the next deal on, any {t} of {n} machines together could see hidden cards; until now it took "
    "{before}."
)

_VOTES: Final = {
    VoteKind.AWAY: NOT_HEARD,
    VoteKind.STALL: STALLS,
    VoteKind.TIME: LATE,
    VoteKind.END: WANTS_END,
}
_WITHDRAWN: Final = {VoteKind.AWAY: TAKEN_BACK, VoteKind.END: NO_LONGER}
_EVENTS: Final = {
    "aside": ASIDE,
    "barred": BARRED,
    "away": AWAY,
    "out": OUT,
    "back": BACK,
    "left": LEFT,
    "owed": OWED,
    "coins": COINS,
}
_WRONG: Final = {AWAY, AWAY_YOU, ASIDE, NO_SEED, NO_SEED_LEFT, NO_PART, BARRED, LEFT, OWED, LOWER}


def _refused(order: int) -> str:
    if order < 0:
        return NO_PART
    return NO_SEED if order else NO_SEED_LEFT


class Notices:
    def __init__(self, header: Header, authority: Authority) -> None:
        self._names = header.names
        self._authority = authority
        self._threshold = authority.threshold

    def of(self, event: AuthorityEvent, me: int) -> Notice | None:
        """Return the sentence for an event at the machine of the party `me`; None if people need none."""
        message = self._message(event, me)
        if message is None:
            return None
        authority, by = self._authority, event.by
        if event.motion is not None and message != LATE:
            by = by[-1:]
        said = {
            "name": self._name(event.party) if event.party else "",
            "by": ", ".join(map(self._name, by)),
            "seconds": event.seconds,
            "n": event.order if event.what == "refused" else len(event.by),
            "t": authority.threshold,
        }
        return Notice(message, said, wrong=message in _WRONG)

    def _message(self, event: AuthorityEvent, me: int) -> str | None:
        if event.motion is not None:
            if event.motion.kind is VoteKind.TIME and (
                not event.motion.target or len(event.by) < self._authority.threshold
            ):
                return None  # a window closing isn't news; a question's close is one line, not one per voter
            return (_VOTES if event.what == "vote" else _WITHDRAWN).get(event.motion.kind)
        if event.what == "refused":
            return _refused(event.order)
        if event.what == "away" and event.party == me:
            return AWAY_YOU
        if event.what == "coins" and self._authority.convicted.keys() & set(event.by):
            return COINS_WITHOUT
        return _EVENTS.get(event.what)

    def lower(self) -> Iterable[Notice]:
        """Return the notice that fewer machines than before could see hidden cards from the next deal on."""
        before, self._threshold = self._threshold, self._authority.threshold
        if self._threshold < before:
            said = {"t": self._threshold, "n": self._authority.remaining, "before": before}
            yield Notice(LOWER, said, wrong=True)

    def _name(self, party: int) -> str:
        return self._names[self._authority.seat_of(party)]
