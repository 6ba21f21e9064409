"""Random walks of an adversary through whole matches, over the real state machines and the real cryptography.

Some machines conspire. They follow the protocol where that suits the adversary, and say anything else beside:
own words, votes, answers for others, steps of others' dealing, what was said before, steps with a bit of them
changed, steps of no shape, steps that nobody waits for. The adversary cuts honest machines from each other,
stops them, wakes them, and lets time pass. At the end all links are mended, and the conspirators play on or
say nothing more: then the match has to end.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import World

from tavolata import Game
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import (
    Authority,
    OwnWord,
    VoteKind,
)
from tavolata._engine.dealing.laid import DieSlot
from tavolata._engine.match.entries import ANSWER, DEAL, DECLARED, OPENED, PROVEN, SAY, MatchEntry
from tavolata._engine.table.permissions import BY_SEAT
from tavolata_protocol.fair.offences import Offence

WAITS: Final = (1, 3, 8, 16, 45, 70)
"""Seconds that the adversary lets pass."""
OWED: Final = (
    steps.KEYS_HASH, steps.KEYS_PART, steps.KEYS_SHARES, steps.KEYS_AGREED, steps.DECK, steps.PROOF,
    steps.SEED, steps.FACES, steps.LOT, steps.CARDS, steps.FORCE,
)  # fmt: skip
"""The steps that a conspirator may keep back or spoil."""
NAMES: Final = {
    step: name for name, step in vars(steps).items() if isinstance(step, int) and step in steps.SHAPES
}
"""By number, the names of the steps."""


class Broken(AssertionError):
    """An invariant does not hold."""


SAID: Final = (("tuple", 1, 2), ("tuple",), 0, ("set", 1), ("data", "os:path"))
"""What a conspirator declares for any seat."""


class Walk:
    """One walk.

    Args:
        parties: how many machines there are.
        conspirators: how many of them do what the adversary wants; they are the last ones.
        seed: of the adversary's choices.
        rules: what is played.
        world: the machines; new ones of these rules by default.

    Attributes:
        done: by name, how often the adversary did what.
        void: how many of the lies were void.
        dice: by point of a hidden die, the die and the turn.
        lies_found: how often an honest machine found a fact false after an entry.
        lots: by want, the name and the epoch of each lot that was wanted.
        reached: the verbs that stood or were void, and what was decided.
    """

    def __init__(
        self,
        parties: int,
        conspirators: int,
        seed: int,
        rules: type[Game[Any]] = Peek,
        world: World | None = None,
    ) -> None:
        self.world = World(rules, range(1, parties + 1)) if world is None else world
        self.world.tamper = self._withheld
        self.chance = Random(seed)
        self.all = tuple(range(1, parties + 1))
        self.honest = self.all[: parties - conspirators]
        self.liars = self.all[parties - conspirators :]
        self.done: Counter[str] = Counter()
        self.void = 0
        self.reached: Counter[str] = Counter()
        self._kept_back: set[tuple[int, int]] = set()
        self._spoilt: set[tuple[int, int]] = set()
        self._epochs: set[int] = set()
        self.dice: dict[bytes, tuple[int, int]] = {}
        self.lies_found = 0
        self.lots: dict[int, tuple[str, int, int]] = {}
        noted, looked = self.world.heard, self.world.acted

        def heard(party: int, entry: MatchEntry) -> None:
            self._before(party, entry)
            noted(party, entry)

        def acted() -> None:
            self._after()
            looked()

        self.world.heard, self.world.acted = heard, acted
        self._answering: tuple[int, int] | None = None

    # -- what the adversary does ------------------------------------------------------------------

    def run(self, moves: int, *, mute: bool) -> None:
        """Make so many moves, then mend everything and play to the end.

        Raises:
            Broken: an invariant does not hold.
        """
        for number in range(moves):
            if self.world.ended():
                break
            self._move()
            if number % 8 == 3:
                self._rant()
        self._mend(mute=mute)

    def _move(self) -> None:
        choice = self.chance.choices(
            (
                self._go,
                self._lie,
                self._wait,
                self._cut,
                self._stop,
                self._wake,
                self._withhold,
                self._spoil,
            ),
            (16, 12, 4, 2, 2, 2, 2, 1),
        )[0]
        self.done[choice.__name__[1:]] += 1
        choice()

    def _go(self) -> None:
        for _ in range(self.chance.randint(1, 3)):
            self.world.round()

    def _wait(self) -> None:
        world = self.world
        hindered = world.cut or self._kept_back or len(world.here) < len(self.all)
        world.wait(self.chance.choice(WAITS if hindered else WAITS[:2]))  # else it would play to the end

    def _withhold(self) -> None:
        """A conspirator keeps back its steps of one kind from now on, or says them again."""
        self._kept_back ^= {(self.chance.choice(self.liars), self.chance.choice(OWED))}

    def _spoil(self) -> None:
        """A conspirator's steps of one kind are wrong from now on, or right again."""
        self._spoilt ^= {(self.chance.choice(self.liars), self.chance.choice(OWED))}

    def _withheld(self, party: int, entry: MatchEntry) -> list[MatchEntry]:
        if entry[0] == DECLARED and party in self.liars and self.chance.random() < 0.3:
            return [(*entry[:3], ("tuple", self.chance.randrange(9), 9))]
        step = (party, entry[3]) if entry[0] == DEAL else None
        if step in self._kept_back:
            return []
        if step in self._spoilt and isinstance(entry[-1], bytes) and entry[-1]:
            return [(*entry[:-1], entry[-1][:-1] + bytes([entry[-1][-1] ^ 1]))]
        return [entry]

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

    def _rant(self) -> None:
        """A conspirator says every step that it does not owe, in many forms."""
        liar, deal = self.chance.choice(self.liars), self.world.peers[self._witness].deal
        owed = {task.step for task in deal.owed(liar)}
        boxes = deal.parcels._by_hash
        for step, shape in steps.SHAPES.items():
            said = [entry[4:] for entry, _ in self.world.log if entry[0] == DEAL and entry[3] == step]
            forms = [shape[:-1], *([number] * len(shape) for number in (0, 1, 9)), *said[:1], *said[-1:]]
            if step == steps.COMPLAINT:
                forms += [(box, b"") for box, one in boxes.items() if one.receiver != liar][:1]
            elif step == steps.EQUIVOCATION:
                forms = forms[:1]  # a false one convicts, as a random choice does now and then
            for form in forms if step not in owed else ():
                parts = [
                    kind(part) if kind in (int, bool) and isinstance(part, int) else part
                    if isinstance(part, kind) else kind()
                    for kind, part in zip(shape, form, strict=False)
                ]  # fmt: skip
                if step != steps.SELF or parts[0] != OwnWord.OUT:
                    self.world.say((DEAL, liar, self.world.head(), step, *parts), liar)

    @property
    def _witness(self) -> int:
        """An honest machine that follows the log."""
        return next(party for party in self.honest if party in self.world.here)

    def _anything(self, liar: int) -> MatchEntry:
        """Something that a conspirator may say, lawful or not."""
        chance, source = self.chance, self.world.peers[self._witness].source
        authority = self._authority
        target = chance.choice((0, *self.all))
        absence = authority.absence_of(target) if target else 0
        open_ = [ask.id for ask in source.open]
        about = chance.choice([0, 1, absence, *open_, *self._debts()])
        said = self.world.log
        if source.declaring and chance.random() < 0.3:
            one = chance.choice(source.declaring)
            return (DECLARED, int(one.seat), chance.choice((one.id, 1)), chance.choice(SAID))
        kind = chance.randrange(8)
        if kind <= 1:
            what = chance.choice(list(VoteKind))
            mine = authority.votes_of(liar)
            if mine and chance.random() < 0.3:
                return (
                    DEAL,
                    liar,
                    self.world.head(),
                    steps.VOTE,
                    *map(_plain, chance.choice(mine)),
                    False,
                    0,
                )
            if what is VoteKind.END and chance.random() < 0.9:
                target = 0
            if what is VoteKind.TIME and source.open:
                target = authority.player_of(int(source.open[0].seat)) or target
            if target and chance.random() < 0.7:  # about what is the case
                debts = [task.number for task in self.world.peers[self._witness].deal.owed(target)]
                cases = {VoteKind.STALL: debts, VoteKind.TIME: open_}.get(what, [absence])
                about = chance.choice(cases or [about])
            vote = (what, target, about, chance.random() < 0.8, chance.choice((0, 90, 400)))
            return (DEAL, liar, self.world.head(), steps.VOTE, *map(_plain, vote))
        if kind == 2:
            word = chance.choice((*[OwnWord.OUT, OwnWord.BACK] * 6, OwnWord.LEFT))
            return (DEAL, liar, self.world.head(), steps.SELF, int(word), authority.absence_of(liar))
        if kind == 3 and open_:
            ask = chance.choice(source.open)
            return (
                chance.choice((ANSWER, OPENED)),
                int(ask.seat),
                ask.id,
                *chance.choice(((0,), (b"n" * 32, 0))),
            )
        if kind >= 6:
            return (DEAL, liar, self.world.head(), *self._step())
        if kind == 4:
            return (SAY, chance.randrange(len(self.all)), (), "here I am")
        entry, _ = chance.choice(said) if said else ((SAY, 0, (), ""), None)
        return (entry[0], liar, *entry[2:]) if entry[0] == DEAL else entry

    def _step(self) -> tuple[Any, ...]:
        """Any step, its parts drawn from what was said and from numbers near what is the case."""
        chance = self.chance
        rare = (steps.COMPLAINT, steps.EQUIVOCATION)  # a false one convicts: it is soon out of the match
        step = chance.choice([one for one in steps.SHAPES if one not in rare or chance.random() < 0.3])
        said = [entry for entry, _ in self.world.log if entry[0] == DEAL and entry[3] == step and entry[4:]]
        if said and chance.random() < 0.5:
            parts = list(chance.choice(said)[4:])
            at = chance.randrange(len(parts))
            parts[at] = self._part(type(parts[at]))
        else:
            parts = [self._part(shape) for shape in steps.SHAPES[step]]
        return (step, *parts[: chance.choice((9, 9, 9, 1))])

    def _part(self, shape: type) -> Any:
        chance, source = self.chance, self.world.peers[self._witness].source
        boxes = self.world.peers[self._witness].deal.parcels._by_hash
        if shape is bytes:
            return chance.choice([b"", bytes(32), *boxes])
        if shape is tuple:
            return chance.choice([(), (0,), ((self.all[0], (0,), (0,), b"a box"),)])
        if shape is bool:
            return chance.random() < 0.5
        return chance.choice([-1, 0, 1, 2, 3, 9, *(ask.id for ask in source.open)])

    def _debts(self) -> list[int]:
        deal = self.world.peers[self._witness].deal
        return [task.number for party in self.all for task in deal.owed(party)]

    @property
    def _authority(self) -> Authority:
        return self.world.peers[self._witness].deal.authority

    # -- what must hold -------------------------------------------------------------------------

    def _before(self, party: int, entry: MatchEntry) -> None:
        """An honest machine gives shares of wanted lots only, and of a hand to its owner alone."""
        self._answering = None
        if entry[0] == ANSWER:
            self._answering = (party, int(entry[1]))
        if party in self.honest and entry[0] == DEAL and entry[3] == steps.LOT:
            epoch, at = entry[4:6]
            if at not in self.lots or self.lots[at][2] != epoch:
                raise Broken(f"{party} gives its share of the lot for {at}, which nobody wants yet")
        if party in self.honest and entry[0] == DEAL and entry[3] == steps.PROOFS:
            want = self.world.peers[party].source.wants
            if want is None or want.kind != PROVEN:
                raise Broken(f"{party} opens what nobody judges yet")
        if party not in self.honest or entry[0] != DEAL or entry[3] != steps.CARDS:
            return
        deal = self.world.peers[party].deal
        for receiver, cards, *_ in entry[5]:
            for card in cards:
                seats = deal.parcels._seers.get(card, ())
                if seats and receiver not in {self.world.seats[seat] for seat in seats}:
                    raise Broken(f"{party} sends shares of a card that is not its own to {receiver}")

    def _after(self) -> None:
        authority = self._authority
        self._note()
        self._look_at_keys()
        for party in self.honest:
            guilty = self.world.peers[party].match.conviction
            if guilty is not None and guilty.charge.offence is Offence.FALSE_FACT:
                assert guilty.seat is not None  # no narrator
                self.lies_found += 1
                if self.world.seats[guilty.seat] in self.honest:
                    raise Broken(f"{self.world.seats[guilty.seat]} is convicted of what it has not said")
            if authority.is_gone(party):
                raise Broken(f"{party} is gone without its own word or evidence")
        for liar in self.liars:
            known = self.world.peers[liar].source.known
            for seat, owner in enumerate(self.world.seats):
                if owner in self.honest and known[seat]:
                    raise Broken(f"{liar} sees cards of {owner}")
        self._count_shares()
        self._look_at_lots()
        self._look_at_dice()
        if self._answering is not None:
            author, seat = self._answering
            source, owner = self.world.peers[self._witness].source, self.world.seats[seat]
            stands = len(source.entries) - 1 not in source.voids
            if stands and author != owner:
                raise Broken(f"{author} answered for {owner}")

    def _note(self) -> None:
        """Note which verb stood or was void, and what has been decided."""
        peer = self.world.peers[self._witness]
        for event in peer.deal.authority.told():
            kind = f" {event.motion.kind.name}" if event.motion else ""
            self.reached[f"decided: {event.what}{kind}"] += 1
        entry, void = self.world.log[-1][0], len(peer.source.entries) - 1 in peer.source.voids
        verb = NAMES.get(entry[3]) if entry[0] == DEAL else None
        if verb is not None:
            self.reached[f"{verb} {'is void' if void else 'stands'}"] += 1
        for charge in peer.deal.authority.convicted.values():
            self.reached[f"convicted: {charge.offence.name}"] += 1

    def _look_at_keys(self) -> None:
        """Keys take t of all who are not gone, whoever makes them; t is counted here anew."""
        deal = self.world.peers[self._witness].deal
        making = deal.rings.making
        if making is None or making.epoch in self._epochs:
            return
        self._epochs.add(making.epoch)
        m = sum(not deal.authority.is_gone(party) for party in self.all)
        t = max(2, -(-2 * m // 3))
        if making.threshold != t or len(making.holders) < t:
            raise Broken(f"{making.threshold} of {making.holders} open what is dealt, with {m} at the table")

    def _count_shares(self) -> None:
        """No coalition holds t shares of a hidden card that none of its seats may see."""
        deal = self.world.peers[self._witness].deal
        for (card, _), _ in list(deal.parcels._sent.items()):
            slot = deal.laid.slots.get(card)
            if slot is None:
                continue
            keys = deal.rings.done[slot.epoch]
            owners = {self.world.seats[seat] for seat in deal.parcels._seers.get(card, ())}
            if owners & set(self.liars):
                continue
            shares = {party for party in self.liars if party in keys.holders}
            for liar in self.liars:
                shares |= deal.parcels._sent.get((card, liar), {}).keys()
            if len(shares) >= keys.threshold:
                raise Broken(f"the conspirators hold {len(shares)} shares of a card of {owners}")

    def _look_at_lots(self) -> None:
        """What is drawn once is never drawn again: a purpose has one lot, under one epoch's keys."""
        for party in set(self.honest) & self.world.here:
            lot = self.world.peers[party].deal.lots.open
            if lot is not None:
                drawn = (lot.context.object, lot.context.number, lot.opening.keys.epoch)
                if self.lots.setdefault(lot.at, drawn) != drawn:
                    raise Broken(f"the {drawn[0]} is drawn anew")
                if list(self.lots.values()).count(drawn) > 1:
                    raise Broken(f"the {drawn[0]} has a value that was drawn before")

    def _look_at_dice(self) -> None:
        """Each throw of a die has a point of its own: nothing is thrown as it lay before."""
        peer = self.world.peers[self._witness]
        for die, slot in peer.deal.laid.slots.items():
            thrown = (die, peer.match.table.turn)
            if isinstance(slot, DieSlot) and self.dice.setdefault(slot.thing.point, thrown) != thrown:
                raise Broken(f"die {die} is thrown as one lay before")

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
        self._spoilt.clear()
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
        if not self._is_over and not (mute and self._waits_for_a_quorum()):
            raise Broken(f"the match hangs: {world.peers[self._witness].deal.needed}")

    def _waits_for_a_quorum(self) -> bool:
        """Whether the honest are too few to decide or deal: the match says whom it waits for, then stops."""
        holders, needed = self.world.peers[self._witness].deal.needed or ((), 0)
        return len(self.honest) < self._authority.threshold or len(set(holders) & set(self.honest)) < needed


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, VoteKind) else value
