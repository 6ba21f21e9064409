"""The rules of Heirs, and a bot that leaves when it has enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from tavolata import (
    N_,
    Ask,
    Award,
    Choice,
    Counter,
    Counters,
    Deck,
    Game,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    Text,
    View,
    Zone,
    one_of,
    option,
    text,
)
from tavolata.bots import Bot, Chance
from tavolata.zones import counter_zone, counters_zone, pile_zone


class Ghost(Enum):
    """What lives in the house."""

    MONK = N_("the monk")
    BRIDE = N_("the bride")
    HOUND = N_("the hound")
    CHILD = N_("the child")


@dataclass(frozen=True)
class Room:
    """What is in a room: some coins, or a ghost.

    Attributes:
        coins: how many; 0 where a ghost is.
        ghost: the ghost.
    """

    coins: int = 0
    ghost: Ghost | None = None

    @property
    def text(self) -> Text:
        """What people read on the card."""
        return text(N_("{n} coins"), n=self.coins) if self.ghost is None else text(self.ghost.value)


ROOMS: Deck[Room] = Deck(
    "rooms",
    [
        *(Room(coins) for coins in (3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15)),
        *(Room(0, one) for one in Ghost for _ in "123"),
    ],
)
RICHEST = 40
"""So many people are remembered."""


@dataclass(frozen=True)
class House:
    """What a match leaves to the next one of its campaign.

    Attributes:
        wealth: by name, the coins that somebody has brought home in all matches.
        tired: the ghosts that have chased the heirs in the last match.
    """

    wealth: Mapping[str, int] = field(default_factory=dict)
    tired: tuple[Ghost, ...] = ()


STAY = (Choice(True, N_("stay")), Choice(False, N_("leave")))


@dataclass(frozen=True, kw_only=True)
class HeirsOptions(Options):
    """House rules of Heirs."""

    nights: int = option(3, "How many nights the heirs spend in the house.", low=1, high=7)


class Heirs(Game[HeirsOptions]):
    """Open room after room, share what lies there, and leave before a ghost comes twice.

    Attributes:
        rooms: the rooms still closed.
        opened: the rooms opened this night.
        inside: who is still in the house.
        carried: the coins of each seat in this night.
        safe: the coins that each seat has brought home.
        left: what lies on the floor, because it could not be shared.
        bank: where the coins come from.
        night: the number of the night, from 1.
        shut: the rooms that stay shut in this match, because their ghost is tired.
        house: what the match before has left.
        chased: the ghosts that have chased the heirs in this match.
    """

    name, title, seats, best_with = "heirs", N_("Heirs"), (2, 6), 4
    summary = N_("Room after room in a haunted house: get out in time and keep your coins.")
    options, legacy = HeirsOptions, House

    rooms: Pile[Room]
    opened: Pile[Room]
    inside: list[Seat]
    carried: Counters
    safe: Counters
    left: Counter
    bank: Counter
    night: int
    shut: Pile[Room]
    house: House
    chased: list[Ghost]

    def setup(self, t: Table[HeirsOptions]) -> None:
        """The house as it was left, and nobody in it yet."""
        self.house = t.legacy(House)
        self.rooms = t.pile("rooms", ROOMS)
        self.shut = t.pile("shut")
        for ghost in self.house.tired:
            self.shut.put(self.rooms.take(next(card for card in self.rooms if card.face.ghost is ghost)))
        self.chased = []
        self.opened = t.pile("opened")
        self.inside = []
        self.carried = t.counters("carried")
        self.safe = t.counters("safe")
        self.left = t.counter("left")
        self.bank = t.bank("bank")
        self.night = 0

    async def turn(self, t: Table[HeirsOptions]) -> Outcome | None:
        """One room; a night begins when nobody is inside."""
        if not self.inside:
            await t.shuffle(self.rooms, self.opened)
            self.inside = list(t.ring)
            self.night += 1
            t.tell(N_("Night {n}."), n=self.night)
        card = await t.turn_up(self.rooms, onto=self.opened, by=self.inside[0])
        t.tell(N_("Behind the door: {card}."), card=card)
        if card.face.ghost is None:
            self.share(card.face.coins)
            await self.decide(t)
        elif sum(one.face.ghost is card.face.ghost for one in self.opened) > 1:
            self.chased.append(card.face.ghost)
            self.flee(t)
        else:
            await self.decide(t)
        if self.inside or self.night < t.options.nights:
            return None
        return self.end(t)

    def end(self, t: Table[HeirsOptions]) -> Outcome:
        """The most coins of this match win; the house remembers those of all matches."""
        wealth = dict(self.house.wealth)
        for seat, coins in enumerate(self.safe.values()):
            wealth[t.names[seat]] = wealth.get(t.names[seat], 0) + coins
        richest = max(t.ring, key=lambda seat: wealth[t.names[seat]])
        coins = wealth[t.names[richest]]
        known = sorted(wealth.items(), key=lambda one: (-one[1], one[0]))[:RICHEST]
        return Outcome.by_score(
            t,
            self.safe.values(),
            awards=(
                Award(N_("Head of the family"), richest, why=N_("{n} coins in all the matches"), n=coins),
            ),
            legacy=House(dict(known), tuple(dict.fromkeys(self.chased))),
        )

    def share(self, coins: int) -> None:
        """All inside get the same; the rest stays on the floor."""
        each, rest = divmod(coins, len(self.inside))
        for seat in self.inside:
            self.bank.pay(each, self.carried[seat])
        self.bank.pay(rest, self.left)

    def flee(self, t: Table[HeirsOptions]) -> None:
        """All run, and lose what they carry."""
        t.tell(
            N_("The same ghost again! Everyone inside drops their coins and runs: {seats}."),
            seats=tuple(self.inside),
        )
        for seat in self.inside:
            self.carried.pay(seat, self.carried[seat].value, self.bank)
        self.left.pay(self.left.value, self.bank)
        self.inside = []

    async def decide(self, t: Table[HeirsOptions]) -> None:
        """All inside say at once who leaves; who does shares what is on the floor."""
        stays = await t.ask_all(
            dict.fromkeys(self.inside, one_of(STAY)),
            N_("Will you stay?"),
            N_("The players inside are deciding."),
        )
        leavers = [seat for seat in self.inside if not stays[seat]]
        share = self.left.value // (len(leavers) or 1)
        for seat in leavers:
            self.left.pay(share, self.carried[seat])
        for seat in leavers:
            n = self.carried[seat].value
            self.carried.pay(seat, n, self.safe[seat])
            t.tell(N_("{seat} goes home. Coins: {n}."), seat=seat, n=n)
        self.inside = [seat for seat in self.inside if stays[seat]]
        if not self.inside:
            self.left.pay(self.left.value, self.bank)

    def zones(self, t: Table[HeirsOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The rooms seen, and the coins."""
        yield pile_zone(self.opened, N_("Rooms"))
        yield counters_zone(self.carried, N_("In the bag"))
        yield counters_zone(self.safe, N_("At home"))
        yield counter_zone(self.left, N_("On the floor"))


class Cautious(Bot):
    """Leaves when it carries more than the ghosts let it hope for."""

    level = "cautious"

    def choose(self, view: View[Heirs], ask: Ask[bool], chance: Chance) -> bool:
        """Each ghost seen makes it more anxious."""
        ghosts = sum(card.face.ghost is not None for card in view.game.opened)
        return view.game.carried[ask.seat].value < 16 - 4 * ghosts
