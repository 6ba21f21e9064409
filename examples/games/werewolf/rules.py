"""The rules of Werewolf, and a bot that suspects whoever voted for the harmless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum

from tavolata import (
    N_,
    Ask,
    Deck,
    Game,
    Hand,
    Opening,
    Options,
    Outcome,
    Pile,
    Seat,
    Secret,
    Table,
    Text,
    View,
    Zone,
    fact,
    one_of,
)
from tavolata.bots import Bot, Chance
from tavolata.zones import hand_zone, text_zone, tokens_zone


class Role(Enum):
    """What somebody is."""

    WOLF = N_("wolf")
    SEER = N_("seer")
    DOCTOR = N_("doctor")
    VILLAGER = N_("villager")


class Dream(Enum):
    """What a night tells somebody of whom they visited."""

    WOLF = N_("a wolf")
    HARMLESS = N_("harmless")
    NOTHING = N_("nothing")


WOLVES = {6: 1, 7: 2, 8: 2, 9: 2, 10: 3, 11: 3, 12: 3}
ROLES: dict[int, Deck[Role]] = {
    seats: Deck(
        f"roles{seats}",
        [Role.WOLF] * wolves + [Role.SEER, Role.DOCTOR] + [Role.VILLAGER] * (seats - wolves - 2),
    )
    for seats, wolves in WOLVES.items()
}


@fact
def pack_of(roles: Mapping[Seat, Role], seat: Seat) -> tuple[Seat, ...]:
    """The other wolves, for a wolf; nobody, for anyone else."""
    if roles[seat] is not Role.WOLF:
        return ()
    return tuple(other for other, role in roles.items() if role is Role.WOLF and other != seat)


@fact
def seen(roles: Mapping[Seat, Role], visited: Seat, seat: Seat) -> Dream:
    """What the seer sees of the one visited; nothing, for anyone else."""
    if roles[seat] is not Role.SEER:
        return Dream.NOTHING
    return Dream.WOLF if roles[visited] is Role.WOLF else Dream.HARMLESS


@fact
def killed(roles: Mapping[Seat, Role], visits: Mapping[Seat, Seat]) -> Seat | None:
    """The one whom most wolves visited, unless the doctor did, too; nobody if the wolves disagree."""
    prey = Counter(visited for seat, visited in visits.items() if roles[seat] is Role.WOLF).most_common()
    saved = {visited for seat, visited in visits.items() if roles[seat] is Role.DOCTOR}
    if not prey or prey[0][0] in saved or (len(prey) > 1 and prey[0][1] == prey[1][1]):
        return None
    return prey[0][0]


class Werewolf(Game[Options]):
    """By night the wolves kill, by day all vote; a narrator knows who is who.

    Attributes:
        roles: the role of each seat, a hand of one card.
        box: the roles before they are dealt.
        alive: who still lives.
        packs: by seat, what it was told of its fellow wolves.
        visits, dreams: for each night, by seat, whom it visited and what that told it.
        votes: for each day, by seat, whom it would hang.
        found: the wolves that have died.
    """

    name, title, seats, best_with, minutes = "werewolf", N_("Werewolf"), (6, 12), 7, 25
    summary = N_("The wolves kill by night, everyone votes by day, and a narrator knows every role.")
    narrator = True
    take_back = False
    card = Opening(
        goal=N_("Villagers: hang all the wolves. Wolves: make up at least half the living players."),
        turn=N_("By night, visit someone. By day, talk and vote."),
        lose=N_("If you die, you show your role. You still win if your side does."),
    )
    guide = "werewolf.guide"

    roles: list[Hand[Role]]
    box: Pile[Role]
    alive: list[Seat]
    packs: dict[Seat, Secret[tuple[Seat, ...]]]
    visits: list[dict[Seat, Secret[Seat]]]
    dreams: list[dict[Seat, Secret[Dream]]]
    votes: list[dict[Seat, Seat]]
    found: int

    def setup(self, t: Table[Options]) -> None:
        """Roles in their box; all live."""
        self.box = t.pile("box", ROLES[len(t.ring)])
        self.roles = t.hands("role")
        self.alive = list(t.ring)
        self.packs, self.visits, self.dreams, self.votes, self.found = {}, [], [], [], 0

    def others(self, seat: Seat) -> list[Seat]:
        """The living but this seat."""
        return [other for other in self.alive if other != seat]

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """A night, and a day."""
        if t.turn == 0:
            await t.shuffle(self.box)
            await t.deal(self.box, self.roles)
            for seat in t.ring:
                self.packs[seat] = await t.narrate(pack_of, self.cards(), args=(seat,), to=seat)
        await self.night(t)
        if not self.is_over:
            await self.day(t)
        return await self.ended(t) if self.is_over else None

    def cards(self) -> dict[Seat, Hand[Role]]:
        """The role of each seat, for the narrator."""
        return {hand.owner: hand.top for hand in self.roles}  # type: ignore[misc]

    async def night(self, t: Table[Options]) -> None:
        """All visit somebody, so that nobody stands out; the narrator says who is dead."""
        t.tell(N_("Night falls."))
        visits = await t.seal_all(
            {seat: one_of(self.others(seat)) for seat in self.alive},
            N_("Who do you visit?"),
            N_("It's night."),
        )
        self.visits.append(visits)
        self.dreams.append({
            seat: await t.narrate(seen, self.cards(), visits[seat], args=(seat,), to=seat)
            for seat in self.alive
        })  # fmt: skip
        victim = await t.narrate(killed, self.cards(), visits)
        if victim is None:
            t.tell(N_("The sun rises, and everyone is alive."))
        else:
            t.tell(N_("The sun rises, and {seat} is dead."), seat=victim)
            await self.dies(t, victim)

    async def day(self, t: Table[Options]) -> None:
        """All talk, then all vote at once; a tie hangs nobody."""
        await t.open_floor(
            N_("Talk about who the wolves are. Press Done when you're ready to vote."),
            N_("The village talks."),
            seats=self.alive,
        )
        votes = await t.ask_all(
            {seat: one_of(self.others(seat)) for seat in self.alive},
            N_("Who should the village hang?"),
            N_("The village votes."),
        )
        self.votes.append(votes)
        for seat in self.alive:
            t.tell(N_("{seat} votes for {other}."), seat=seat, other=votes[seat])
        first, *rest = Counter(votes.values()).most_common()
        if rest and rest[0][1] == first[1]:
            t.tell(N_("The village can't agree. No one is hanged."))
        else:
            t.tell(N_("{seat} is hanged. Votes: {n}."), seat=first[0], n=first[1])
            await self.dies(t, first[0])

    async def dies(self, t: Table[Options], seat: Seat) -> None:
        """Somebody dies, and shows a role."""
        self.alive.remove(seat)
        await t.reveal([self.roles[seat].top])
        self.found += self.roles[seat].top.face is Role.WOLF
        t.tell(N_("{seat}'s role was {card}."), seat=seat, card=self.roles[seat].top)

    @property
    def is_over(self) -> bool:
        """Whether no wolf is left, or as many as others."""
        wolves = WOLVES[len(self.roles)] - self.found
        return wolves == 0 or 2 * wolves >= len(self.alive)

    async def ended(self, t: Table[Options]) -> Outcome:
        """All roles are turned up; one side wins, its dead included."""
        await t.reveal(hand.top for hand in self.roles)
        pack = [seat for seat in t.ring if self.roles[seat].top.face is Role.WOLF]
        t.tell(N_("The wolves were {seats}."), seats=tuple(pack))
        if self.found < len(pack):
            return Outcome(tuple(pack), why=Text(N_("There are now as many wolves as other players.")))
        return Outcome(
            tuple(seat for seat in t.ring if seat not in pack), why=Text(N_("All the wolves are dead."))
        )

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        """Who lives, who is what as far as one may know, and what the nights have told."""
        left = WOLVES[len(self.roles)] - self.found
        said = N_("{seats}; wolves left: {n}")
        yield text_zone("alive", N_("Alive"), said, seats=tuple(self.alive), n=left)
        for seat in t.ring:
            yield hand_zone(self.roles[seat], N_("Role"))
        if viewer is not None and viewer in self.packs:
            yield tokens_zone("pack", N_("Your fellow wolves"), [(N_("Wolves"), self.packs[viewer])])
            nights = zip(self.visits, self.dreams, strict=False)  # the last night may not be told yet
            rows = [(visits[viewer], dreams[viewer]) for visits, dreams in nights if viewer in dreams]
            yield tokens_zone("nights", N_("Your nights: each visit, and what you saw"), rows)


class Watcher(Bot):
    """Uses what it knows; else it suspects whoever voted for somebody who was harmless.

    By day all break ties alike, wolves too, or nobody would be hanged.
    """

    level = "watcher"

    def choose(self, view: View[Werewolf], ask: Ask, chance: Chance) -> object:
        """Somebody to visit, or to hang; at the open floor nothing is left to say."""
        legal = view.legal(ask)
        if not isinstance(legal[0], Seat):
            return legal[0]
        game, me = view.game, ask.seat
        roles = {seat: view.face(game.roles[seat].top) for seat in view.ring}
        pack = view.answer(game.packs[me]) or ()
        prey = [seat for seat in legal if seat not in pack]
        night = len(game.visits) == len(game.votes)
        if night and roles[me] is Role.WOLF:
            return prey[5 * len(game.visits) % len(prey)]
        dreams = {
            visit: dream
            for visits, told in zip(game.visits, game.dreams, strict=True)
            if me in told
            and (visit := view.answer(visits[me])) is not None
            and (dream := view.answer(told[me]))
        }
        turn = sum(game.alive)  # another one is first after each death
        return max(
            prey,
            key=lambda seat: (
                self.suspicion(game, roles, dreams, seat),
                chance.below(1000) if night else (seat + turn) % len(view.ring),
            ),
        )

    def suspicion(
        self,
        game: Werewolf,
        roles: Mapping[Seat, Role | None],
        dreams: Mapping[Seat, Dream],
        seat: Seat,
    ) -> int:
        """How much speaks against somebody."""
        if dreams.get(seat, Dream.NOTHING) is not Dream.NOTHING:
            return 99 if dreams[seat] is Dream.WOLF else -99
        hanged = [roles[day[seat]] for day in game.votes if seat in day]
        return sum(1 if role is not Role.WOLF else -2 for role in hanged if role is not None)
