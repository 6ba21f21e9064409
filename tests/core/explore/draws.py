"""Walks of conspirators who refuse to open what they have committed to, over the real dealing, by seeds.

They read each order and each coin once the honest have opened their parts. Then they open theirs, step
away and come back, keep silent, leave for good, or vote an honest machine away. Their readings are counted by
purpose: a pile, or the coin keys. Each but the first of a purpose takes an entry that pays for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from random import Random

from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_coins import Throws
from tests.core.engine.dealing.world import World
from tests.core.explore.people import Broken

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import MOST_REFUSALS, OwnWord, VoteKind
from tavolata._engine.match.entries import DEAL, MatchEntry

DRAWN = {*range(steps.KEYS_HASH, steps.KEYS_AGREED + 1), steps.DECK, steps.PROOF, steps.SEED}
LONG = 45
"""Seconds after which whoever owes a step is voted aside."""


class DrawWalk:
    """One match, whose last parties conspire; `votes` if they also vote about the honest."""

    def __init__(self, parties: int, conspirators: int, seed: int, *, votes: bool = False) -> None:
        self.all = tuple(range(1, parties + 1))
        self.honest = self.all[: parties - conspirators]
        self.liars = self.all[parties - conspirators :]
        self._chance = Random(seed)
        self._lies, self._votes = True, votes
        if seed % 3:
            self.world = World(Peek, self.all, tamper=self._instead, rounds=4)
        else:
            self.world = World(Throws, self.all, tamper=self._instead)
        self.world.acted = self._note
        self._deal = self.world.peers[1].deal
        self._coin_makings: set[int] = set()
        self.readings: dict[str, set[tuple[int, ...]]] = defaultdict(set)
        """By purpose, the draws that conspirators could read."""

    def run(self, *, mute: bool) -> None:
        """Walk, mend everything, and play to the end; raise `Broken` if a bound is exceeded or it hangs."""
        world = self.world
        for _ in range(120):
            if self._is_over:
                break
            if not world.round():
                world.wait(LONG)
            if self._votes:
                self._accuse()
        self._lies = False
        if mute:
            world.here -= set(self.liars)
        else:
            for party in self.liars:
                world.back(party)
        for _ in range(12):
            world.play(300)
            if self._is_over:
                break
            world.wait(LONG)
        self._check()
        if not self._is_over and not self._waits_lawfully(mute=mute):
            raise Broken(f"the match hangs: {self._deal.needed}", None)

    @property
    def _is_over(self) -> bool:
        return self.world.peers[1].match.over or self._deal.is_lost or self._deal.is_ended

    def _waits_lawfully(self, *, mute: bool) -> bool:
        """Whether fewer are left than it takes: of the honest, or of those who may still make coin keys."""
        holders, least = self._deal.needed or ((), 0)
        return len(set(holders) - set(self.liars if mute else ())) < least

    # -- what they do ---------------------------------------------------------------------------

    def _instead(self, party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        is_theirs = party in self.liars and self._lies and entry[0] == DEAL and entry[3] in DRAWN
        if not is_theirs or (entry[3] <= steps.KEYS_AGREED and entry[4] == 1):  # all make the first keys
            yield entry
            return
        absence = self._deal.authority.absence_of(party)
        what = self._chance.choices(("opens", "flaps", "is silent", "leaves"), (50, 40, 8, 2))[0]
        if what == "opens":
            yield entry
        elif what == "flaps":
            yield (*entry[:3], steps.SELF, int(OwnWord.OUT), absence)
            yield (*entry[:3], steps.SELF, int(OwnWord.BACK), absence)
        elif what == "leaves":
            yield (*entry[:3], steps.SELF, int(OwnWord.LEFT), absence)

    def _accuse(self) -> None:
        """Say that the honest who owe their seeds are away."""
        for victim in self.honest:
            if any(task.step == steps.SEED for task in self._deal.owed(victim)):
                absence = self._deal.authority.absence_of(victim)
                for liar in self.liars:
                    motion = (int(VoteKind.AWAY), victim, absence, True, 99)
                    self.world.say((DEAL, liar, self.world.head(), steps.VOTE, *motion), liar)

    # -- what they could read -------------------------------------------------------------------

    def _note(self) -> None:
        """Note what the last entry has shown: a reading needs a seed or a part of somebody honest."""
        rings = self._deal.rings
        if rings.making is not None and rings._is_coin:
            self._coin_makings.add(rings.making.epoch)
        number = len(self.world.log) - 1
        entry, _ = self.world.log[number]
        if entry[0] != DEAL or entry[1] not in self.honest or number in self.world.peers[1].source.voids:
            return
        if entry[3] == steps.SEED:
            self.readings[f"pile {entry[4]}"].add(entry[5:7])
        elif entry[3] == steps.KEYS_PART and entry[4] > 1 and entry[4] in self._coin_makings:
            self.readings["coin keys"].add((entry[4],))

    @property
    def further(self) -> int:
        """How many readings were not the first of their purpose; new coin keys have no free one."""
        piles = sum(len(drawn) - 1 for purpose, drawn in self.readings.items() if purpose != "coin keys")
        return piles + len(self.readings["coin keys"])

    def _check(self) -> None:
        authority = self._deal.authority
        gone = sum(map(authority.is_gone, self.all))
        refused = [event for event in authority.news if event.what == "refused"]
        if self.further > len(refused) + 2 * gone:  # whoever leaves may be in a pile and in one made ahead
            raise Broken(f"{self.further} further readings, {len(refused)} refusals, {gone} gone", None)
        if self._votes:
            return
        for purpose, drawn in self.readings.items():
            if purpose != "coin keys" and len(drawn) > 1 + len(self.liars):
                raise Broken(f"{len(drawn)} orders of {purpose} for {len(self.liars)}", None)
        for party in self.all:
            count = sum(event.party == party for event in refused)
            if count > (MOST_REFUSALS if party in self.liars else 0):
                raise Broken(f"{party} has refused {count} times", None)
