"""The timing of one peer's part in the dealing: its steps, its votes, its word about itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import PATIENCE, Motion, OwnWord, VoteKind
from tavolata._engine.dealing.dealer import Dealer, Step
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.observation import HOLD, NEAR, Observation
from tavolata._engine.dealing.quorum_watch import UNPROVEN
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.entries import ANSWER, DECLARED, SEALED, MatchEntry
from tavolata._engine.match.updates import Notice
from tavolata.asks import Ask
from tavolata.messages import N_

QUIET: Final = 10.0
"""Seconds after which a seal is opened by force if its author should open it and does not."""
REPEAT: Final = 20.0
"""Seconds after which a vote that is not in the log is proposed once more."""
LONG: Final = 2.0
"""Seconds of dealing after which people are told of its progress."""

SHORT = N_("Waiting for {names}: dealing and opening cards takes {t} machines with keys. Nothing is lost.")


class DealingDriver:
    """One peer's duty in a deal; `dealer` is None for a peer that only watches, or has lost its match secret.

    For `hold` seconds it sends no hash for keys that leave out somebody that it hears.
    """

    def __init__(
        self, deal: FairDealing, dealer: Dealer | None, now: float = 0.0, hold: float = HOLD
    ) -> None:
        self._hold = hold
        self.deal = deal
        self.dealer = dealer
        self.nudged: dict[int, float] = {}
        """By number, the open questions whose player was nudged, and since when."""
        self.relayed: dict[int, list[MatchEntry]] = {}
        """By party, what it has signed and the leader of the log leaves out: it owes that to nobody."""
        self.observation = Observation((one for one in deal.authority.all if one != deal.me), now)
        self._owing: dict[tuple[int, Task], float] = {}
        self._asked: dict[int, float] = {}
        self._proposed: dict[tuple[Motion, bool], float] = {}
        self._held: tuple[int, float] = (0, 0.0)
        self._back = -1
        self._is_lost = False
        self._over: set[int] = set()
        self._closed: dict[int, float] = {}
        self._since: float | None = None
        self._told = 0
        self._judging: float | None = None
        self._short: tuple[tuple[int, ...], int] | None = None

    def _is_near(self, party: int, now: float) -> bool:
        return self.observation.ago(party, now) < PATIENCE.silence

    def steps(self, now: float) -> Iterator[Step]:
        deal, authority = self.deal, self.deal.authority
        for party in sorted(deal.spoke):
            self.observation.hear(party, now)
        deal.spoke.clear()
        self.observation.look(now, authority.threshold - 1 if authority.can_vote else 1)
        if not deal.me or authority.is_gone(deal.me):
            return
        if self.dealer is None:  # it has lost what it could open cards with: nobody needs to wait for it
            if not authority.is_willing(deal.me) and not self._is_lost:
                self._is_lost = True
                yield (steps.SELF, int(OwnWord.OUT), authority.absence_of(deal.me))
            return
        yield from self._comes_back(now)
        yield from self.dealer.said(self._held_back(now))
        yield from self._stops_waiting(now)
        yield from self._votes(now)
        closed = [ask for ask in deal.source.open if ask.box is not None]
        self._closed = {ask.id: self._closed.get(ask.id, now) for ask in closed}
        for ask in closed:
            if now - self._closed[ask.id] >= QUIET:
                yield from self.dealer.force(ask)

    # -- the own word -------------------------------------------------------------------------------

    def _comes_back(self, now: float) -> Iterator[Step]:
        """Say that this machine is here, once, when the log says that it isn't and it hears someone."""
        authority, me = self.deal.authority, self.deal.me
        absence = authority.absence_of(me)
        near = any(self.observation.ago(one, now) < NEAR for one in authority.all if one != me)
        if absence > self._back and not authority.deals(me) and near:
            self._back = absence
            yield (steps.SELF, int(OwnWord.BACK), absence)

    def _held_back(self, now: float) -> set[int]:
        """Return the steps held back here: hashes for keys that leave out someone that this machine hears."""
        making, authority = self.deal.rings.making, self.deal.authority
        if making is None:
            return set()
        out = [
            party
            for party in authority.all
            if party not in making.holders and not authority.is_gone(party) and authority.is_away(party)
            and not authority.is_willing(party) and self._is_near(party, now)
        ]  # fmt: skip
        if self._held[0] != making.epoch:
            self._held = (making.epoch, now)
        return {steps.KEYS_HASH} if out and now - self._held[1] < self._hold else set()

    def _stops_waiting(self, now: float) -> Iterator[Step]:
        """Say after a minute that this machine waits no longer for what would judge the match."""
        if not self.deal.may_stop_waiting(self.deal.me):
            self._judging = None
            return
        self._judging = now if self._judging is None else self._judging
        if now - self._judging >= UNPROVEN:
            self._judging += REPEAT
            yield (steps.DONE, self.deal.awaited)

    # -- votes --------------------------------------------------------------------------------------

    def _votes(self, now: float) -> Iterator[Step]:
        authority, me = self.deal.authority, self.deal.me
        wanted = self._wanted(now) if authority.is_present(me) else {}
        mine = [one for one in authority.votes_of(me) if one.kind is not VoteKind.END]
        actions = {(motion, True): seconds for motion, seconds in wanted.items() if motion not in mine}
        actions |= {(motion, False): 0 for motion in mine if motion not in wanted}
        self._proposed = {
            action: when
            for action, when in self._proposed.items()
            if action in actions and now - when < REPEAT
        }
        for (motion, yes), seconds in actions.items():
            if (motion, yes) not in self._proposed:
                self._proposed[motion, yes] = now
                yield (steps.VOTE, int(motion.kind), motion.target, motion.about, yes, seconds)

    def _wanted(self, now: float) -> dict[Motion, int]:
        """Return the votes that this machine's observation supports, each with the seconds of it."""
        window = self.deal.source.window
        over = window is not None and -window.id in self._over
        found = {Motion(VoteKind.TIME, 0, -window.id): 0} if window is not None and over else {}
        if not self.deal.authority.can_vote:
            return found
        found |= self._absent(now) | self._stalling(now) | self._late(now)
        found = {
            motion: seconds for motion, seconds in found.items()
            if seconds >= self.deal.least_seconds(motion)
        }  # fmt: skip
        return self._unheard(now) | found

    def _absent(self, now: float) -> dict[Motion, int]:
        """Return AWAY for others, each with the seconds of silence."""
        authority, silence = self.deal.authority, self.observation.silence
        return {
            Motion(VoteKind.AWAY, party, authority.absence_of(party)): int(silence(party, now))
            for party in authority.rest
            if party != self.deal.me and not authority.is_willing(party)
        }

    def _unheard(self, now: float) -> dict[Motion, int]:
        """Return TIME for the questions of parties that are away and silent here."""
        deal, authority = self.deal, self.deal.authority
        found: dict[Motion, int] = {}
        for ask in deal.source.open:
            party = authority.owner_of(int(ask.seat))
            if ask.id not in self._asked or party == deal.me or not authority.closes_for(deal.me, party):
                continue
            silence = int(self.observation.silence(party, now))
            if silence >= deal.least_silence(party) and now - self._asked[ask.id] >= PATIENCE.opened:
                found[Motion(VoteKind.TIME, party, ask.id)] = silence
        return found

    def _stalling(self, now: float) -> dict[Motion, int]:
        """Return STALL for those who owe a step for which the match waits."""
        deal, owing = self.deal, dict[tuple[int, Task], float]()
        if deal.is_stuck:
            for party in deal.authority.present:
                first = next(iter(deal.owed(party)), None) if party != deal.me else None
                if first is not None:
                    owing[party, first] = self._owing.get((party, first), now)
        self._owing = owing
        return {
            Motion(VoteKind.STALL, party, task.number): int(now - since)
            for (party, task), since in owing.items()
            if not any(steps.meets(entry, task) for entry in self.relayed.get(party, ()))
        }

    def _late(self, now: float) -> dict[Motion, int]:
        """Return TIME for what others should have answered, or declared: a machine does that on its own."""
        deal = self.deal
        self._asked = {number: self._asked.get(number, now) for number in deal.unanswered}
        found: dict[Motion, int] = {}
        for number, one in deal.unanswered.items():
            owner, waited = deal.authority.owner_of(int(one.seat)), int(now - self._asked[number])
            limit = self._limit(one, now) if isinstance(one, Ask) else 0
            said = any(
                entry[:1] in ((ANSWER,), (SEALED,), (DECLARED,)) and entry[1:3] == (int(one.seat), number)
                for entry in self.relayed.get(owner, ())
            )
            if owner != deal.me and limit is not None and waited >= limit and not said:
                found[Motion(VoteKind.TIME, owner, number)] = waited
        return found

    def _limit(self, ask: Ask, now: float) -> float | None:
        """Return the seconds after which this machine votes that time is up; None while it has none.

        People think, so a question without a time limit gets one only when its player was nudged and the
        player's own machine has not answered on its own.
        """
        if ask.seconds is not None:
            return ask.seconds + PATIENCE.answer
        nudged = self.nudged.get(ask.id)
        if nudged is None or now - nudged < PATIENCE.nudged:
            return None
        return self.deal.header.idle + PATIENCE.nudged

    def window_over(self, number: int) -> None:
        """Vote for the end of a window whose time is over at this machine."""
        self._over.add(-number)

    # -- what people are told -----------------------------------------------------------------------

    def progress(self, now: float) -> Notice | None:
        """Return the progress notice while a deck is made, if that takes long."""
        done, of = self.deal.progress
        if not of:
            self._since, self._told = None, 0
            return None
        if self._since is None:
            self._since = now
        if now - self._since < LONG or done < self._told:
            return None
        renews, self._told = self._told > 0, done + 1
        return Notice(
            N_("Everyone is dealing together: {done} of {of} steps."), {"done": done, "of": of}, renews=renews
        )

    def shortage(self, now: float) -> Notice | None:
        """Return the notice, once, that this machine hears too few to deal or open the next cards."""
        before, self._short = self._short, self._missing(now)
        if self._short is None or self._short == before:
            return None
        missing, t = self._short
        names, seat_of = self.deal.header.names, self.deal.authority.seat_of
        said = ", ".join(names[seat_of(party)] for party in missing)
        return Notice(SHORT, {"t": t, "names": said}, wrong=True)

    def _missing(self, now: float) -> tuple[tuple[int, ...], int] | None:
        """Return those needed and not heard here, and how many are needed; None if enough are heard."""
        needed = self.deal.needed
        if needed is None or self.dealer is None:
            return None
        holders, t = needed
        authority = self.deal.authority
        here = [
            one for one in holders
            if authority.is_present(one) and (one == self.deal.me or self._is_near(one, now))
        ]  # fmt: skip
        awaited = tuple(one for one in holders if one not in here and not authority.is_gone(one))
        return None if len(here) >= t else (awaited, t)
