"""Random walks of an adversary through whole matches, over the real state machines and the real cryptography.

Some machines conspire. They follow the protocol where that suits the adversary, and say anything else beside:
own words, votes, answers for others, steps of others' dealing, what was said before. The adversary cuts
honest machines from each other, stops them, wakes them, and lets time pass. At the end all links are mended,
and the conspirators play on or say nothing more: then the match has to end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from random import Random
from typing import Any, Final

from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import World

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import PATIENCE, Authority, Motion, OwnWord, VoteKind
from tavolata._engine.match.entries import ANSWER, DEAL, OPENED, SAY, Entry
from tavolata._engine.table.permissions import BY_SEAT

WAITS: Final = (1, 3, 8, 16, 45, 70)
"""Seconds that the adversary lets pass."""
OWED: Final = (
    steps.KEYS_HASH, steps.KEYS_PART, steps.KEYS_SHARES, steps.KEYS_AGREED, steps.DECK, steps.PROOF,
    steps.SEED, steps.FACES, steps.LOT, steps.CARDS, steps.FORCE,
)  # fmt: skip
"""The steps that a conspirator may keep back."""


class Broken(AssertionError):
    """An invariant does not hold."""


class Walk:
    """One walk.

    Args:
        parties: how many machines there are.
        conspirators: how many of them do what the adversary wants; they are the last ones.
        seed: of the adversary's choices.

    Attributes:
        done: by name, how often the adversary did what.
        void: how many of the lies were void.
        lots: by purpose, the epoch and the number of each lot that was wanted.
    """

    def __init__(self, parties: int, conspirators: int, seed: int) -> None:
        self.world = World(Peek, range(1, parties + 1), tamper=self._withheld)
        self.chance = Random(seed)
        self.all = tuple(range(1, parties + 1))
        self.honest = self.all[: parties - conspirators]
        self.liars = self.all[parties - conspirators :]
        self.done: Counter[str] = Counter()
        self.void = 0
        self._kept_back: set[tuple[int, int]] = set()
        self._stood_in: set[tuple[int, int]] = set()
        self.lots: dict[Hashable, tuple[int, int]] = {}
        self.world.heard = self._before
        self.world.acted = self._after
        self._answering: tuple[int, int] | None = None

    # -- what the adversary does ------------------------------------------------------------------

    def run(self, moves: int, *, mute: bool) -> None:
        """Make so many moves, then mend everything and play to the end.

        Raises:
            Broken: an invariant does not hold.
        """
        for _ in range(moves):
            if self.world.ended():
                break
            self._move()
        self._mend(mute=mute)

    def _move(self) -> None:
        choice = self.chance.choices(
            (self._go, self._lie, self._wait, self._cut, self._stop, self._wake, self._withhold),
            (8, 6, 2, 1, 1, 1, 1),
        )[0]
        self.done[choice.__name__[1:]] += 1
        choice()

    def _go(self) -> None:
        for _ in range(self.chance.randint(1, 6)):
            self.world.round()

    def _wait(self) -> None:
        self.world.wait(self.chance.choice(WAITS))

    def _withhold(self) -> None:
        """A conspirator keeps back its steps of one kind from now on, or says them again."""
        self._kept_back ^= {(self.chance.choice(self.liars), self.chance.choice(OWED))}

    def _withheld(self, party: int, entry: Entry) -> list[Entry]:
        kept = entry[0] == DEAL and (party, entry[3]) in self._kept_back
        return [] if kept else [entry]

    def _cut(self) -> None:
        pair = frozenset(self.chance.sample(self.all, 2))
        self.world.cut ^= {pair}

    def _stop(self) -> None:
        standing = [party for party in self.honest if party in self.world.here]
        if len(standing) > 1:
            self.world.here.discard(self.chance.choice(standing))

    def _wake(self) -> None:
        for party in self.honest:
            if party not in self.world.here:
                self.world.back(party)

    def _lie(self) -> None:
        liar = self.chance.choice(self.liars)
        entry = self._anything(liar)
        if entry[0] in BY_SEAT and self._authority.player_of(int(entry[1])) != liar:
            self.void += 1  # the table drops it; see `permissions`
            return
        peer = self.world.peers[self._witness]
        before = len(peer.source.voids)
        self.world.say(entry, liar)
        self.void += len(peer.source.voids) > before

    @property
    def _witness(self) -> int:
        """An honest machine that follows the log."""
        return next(party for party in self.honest if party in self.world.here)

    def _anything(self, liar: int) -> Entry:
        """Something that a conspirator may say, lawful or not."""
        chance, source = self.chance, self.world.peers[self._witness].source
        authority = self._authority
        target = chance.choice((0, *self.all))
        absence = authority.absence_of(target) if target else 0
        open_ = [ask.id for ask in source.open]
        about = chance.choice([0, 1, absence, *open_, *self._debts()])
        said = self.world.log
        kind = chance.randrange(6)
        if kind <= 1:
            vote = (
                chance.choice(list(VoteKind)),
                target,
                about,
                chance.random() < 0.8,
                chance.choice((0, 15, 90)),
            )
            return (DEAL, liar, self.world.head(), steps.VOTE, *map(_plain, vote))
        if kind == 2:
            word = chance.choice((OwnWord.OUT, OwnWord.BACK))
            return (DEAL, liar, self.world.head(), steps.SELF, int(word), authority.absence_of(liar))
        if kind == 3 and open_:
            ask = chance.choice(source.open)
            return (
                chance.choice((ANSWER, OPENED)),
                int(ask.seat),
                ask.id,
                *chance.choice(((0,), (b"n" * 32, 0))),
            )
        if kind == 4:
            return (SAY, chance.randrange(len(self.all)), -1, "here I am")
        entry, _ = chance.choice(said) if said else ((SAY, 0, -1, ""), None)
        return (entry[0], liar, *entry[2:]) if entry[0] == DEAL else entry

    def _debts(self) -> list[int]:
        deal = self.world.peers[self._witness].deal
        return [task.number for party in self.all for task in deal.debts(party)]

    @property
    def _authority(self) -> Authority:
        return self.world.peers[self._witness].deal.authority

    # -- what must hold -------------------------------------------------------------------------

    def _before(self, party: int, entry: Entry) -> None:
        """An honest machine gives shares of wanted lots only, and to a stand-in only if it is deaf."""
        self._answering = None
        if entry[0] == ANSWER:
            self._answering = (party, int(entry[1]))
        if party in self.honest and entry[0] == DEAL and entry[3] == steps.LOT:
            epoch, number = entry[4:6]
            if (epoch, number) not in self.lots.values():
                raise Broken(f"{party} gives its share of lot {number}, which nobody wants yet")
        if party not in self.honest or entry[0] != DEAL or entry[3] != steps.CARDS:
            return
        deal = self.world.peers[party].deal
        for receiver, cards, *_ in entry[5]:
            for card in cards:
                owner = deal.parcels.absent_owner(card, receiver)
                if owner is None or deal.authority.is_willing(owner):
                    continue
                if not self._is_deaf(party, owner):
                    raise Broken(f"{party} hears {owner}, and sends its card to {receiver}")

    def _is_deaf(self, one: int, other: int) -> bool:
        duty = self.world.peers[one].duty
        return duty.observation.silence(other, self.world.now) >= PATIENCE.silence

    def _after(self) -> None:
        authority = self._authority
        for party in self.all:
            keeper = authority.keeper_for(party)
            if keeper is not None:
                self._stood_in.add((keeper, party))
        for party in self.honest:
            if authority.is_gone(party):
                raise Broken(f"{party} is gone without its own word or evidence")
            keeper = authority.keeper_for(party)
            if keeper is not None and not authority.is_willing(party):
                stand = Motion(VoteKind.STAND, party, authority.absence_of(party))
                if not set(authority.voters(stand)) & set(self.honest):
                    raise Broken(f"{keeper} plays for {party}, and nobody honest wanted it")
        for liar in self.liars:
            known = self.world.peers[liar].source.known
            for seat, owner in enumerate(self.world.seats):
                if owner in self.honest and known[seat] and (liar, owner) not in self._stood_in:
                    raise Broken(f"{liar} sees cards of {owner} and never played for it")
        self._count_shares()
        self._look_at_lots()
        if self._answering is not None:
            author, seat = self._answering
            source, owner = self.world.peers[self._witness].source, self.world.seats[seat]
            stands = len(source.entries) - 1 not in source.voids
            if stands and author != owner and (author, owner) not in self._stood_in:
                raise Broken(f"{author} answered for {owner}")

    def _count_shares(self) -> None:
        """No coalition holds t shares of a hidden card that none of its seats may see."""
        deal = self.world.peers[self._witness].deal
        for (card, _), _ in list(deal.parcels._sent.items()):
            slot = deal.laid.slots.get(card)
            if slot is None:
                continue
            keys = deal.rings.done[slot.epoch]
            owners = {self.world.seats[seat] for seat in deal.parcels._seers.get(card, ())}
            if owners & set(self.liars) or any(
                (liar, owner) in self._stood_in for liar in self.liars for owner in owners
            ):
                continue
            shares = {party for party in self.liars if party in keys.crew}
            for liar in self.liars:
                shares |= deal.parcels._sent.get((card, liar), {}).keys()
            if len(shares) >= keys.threshold:
                raise Broken(f"the conspirators hold {len(shares)} shares of a card of {owners}")

    def _look_at_lots(self) -> None:
        """What is drawn once is never drawn again: a purpose has one lot, under one epoch's keys."""
        for party in set(self.honest) & self.world.here:
            for lot in self.world.peers[party].deal.lots.open:
                drawn = (lot.keys.epoch, lot.number)
                if self.lots.setdefault(lot.purpose, drawn) != drawn:
                    raise Broken(f"the lot for {lot.purpose} is drawn anew")

    @property
    def _is_over(self) -> bool:
        """Whether the match is over for every honest machine: by its rules, or as too few are left."""
        deal = self.world.peers[self._witness].deal
        played = all(self.world.peers[party].match.over for party in self.honest)
        return played or deal.is_lost or deal.authority.is_ended

    # -- the end --------------------------------------------------------------------------------

    def _mend(self, *, mute: bool) -> None:
        world = self.world
        world.cut.clear()
        self._kept_back.clear()
        self._wake()
        if mute:
            world.here -= set(self.liars)
        elif self.done["withhold"]:
            for party in self.liars:
                world.back(party)  # what it kept back it says now
        honest = [world.peers[party] for party in self.honest]
        for _ in range(40):
            world.play(200)
            if self._is_over:
                break
            world.wait(10)
        if len({peer.match.digest() for peer in honest}) != 1:
            raise Broken("honest machines are in different states")
        if not self._is_over and not (mute and len(self.honest) < self._authority.threshold):
            raise Broken(f"the match hangs: {world.peers[self._witness].deal.needed}")


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, VoteKind) else value
