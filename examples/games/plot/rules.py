"""The rules of Plot, and a bot that trusts whom nothing speaks against."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from tavolata import (
    N_,
    YES_NO,
    Ask,
    Ballots,
    Deck,
    Game,
    Hand,
    OneOf,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    View,
    Zone,
    some_of,
    text,
)
from tavolata.bots import Bot, Chance
from tavolata.zones import hand_zone, text_zone, tokens_zone


class Role(Enum):
    """What somebody is."""

    LOYAL = N_("loyal")
    TRAITOR = N_("traitor")


class Deed(Enum):
    """What somebody does on a mission."""

    HELP = N_("help")
    BETRAY = N_("betray")


TRAITORS = {5: 2, 6: 2, 7: 3, 8: 3}
TEAMS = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4), 8: (3, 4, 4, 5, 5)}
"""By number of seats, how many go on each mission."""
ROLES: dict[int, Deck[Role]] = {
    seats: Deck(f"roles{seats}", [Role.TRAITOR] * many + [Role.LOYAL] * (seats - many))
    for seats, many in TRAITORS.items()
}
NEEDED = 3
"""Missions that win the match."""
REFUSALS = 3
"""So many teams refused in a row are a mission failed."""


class Plot(Game[Options]):
    """Send teams on missions; the traitors among you let them fail.

    Attributes:
        roles: the role of each seat, a hand of one card.
        box: the roles before they are dealt.
        deeds: what each seat can do on a mission.
        leader: who chooses the team.
        won, lost: missions that went well, and that did not.
        refused: teams refused in a row.
        missions: by mission, who went, and how many betrayed it.
    """

    name, title, seats, best_with = "plot", N_("Plot"), (5, 8), 6
    summary = N_("Send teams on missions; the traitors among you let them fail.")

    roles: list[Hand[Role]]
    box: Pile[Role]
    deeds: Ballots[Deed]
    leader: Seat
    won: int
    lost: int
    refused: int
    missions: list[tuple[tuple[Seat, ...], int]]

    def setup(self, t: Table[Options]) -> None:
        """Roles in their box, deeds in their pack."""
        self.box = t.pile("box", ROLES[len(t.ring)])
        self.roles = t.hands("role")
        self.deeds = t.ballots("deeds", tuple(Deed))
        self.leader = t.first_seat
        self.won = self.lost = self.refused = 0
        self.missions = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """One team is proposed, and goes if most agree."""
        if t.turn == 0:
            await t.shuffle(self.box)
            await t.deal(self.box, self.roles)
        size = TEAMS[len(t.ring)][self.won + self.lost]
        team = await t.ask(
            self.leader,
            some_of(t.ring, size, size),
            N_("Choose who goes on the mission."),
            N_("{seat} chooses {n} for the mission."),
            seat=self.leader,
            n=size,
        )
        t.tell(N_("{seat} proposes {team}."), seat=self.leader, team=tuple(team))
        self.leader = t.ring.next(self.leader)
        votes = await t.ask_all(
            dict.fromkeys(t.ring, YES_NO), N_("Shall {team} go?"), N_("All vote."), team=tuple(team)
        )
        against = tuple(seat for seat in t.ring if not votes[seat])
        if against:
            t.tell(N_("Against it: {team}."), team=against)
        if 2 * len(against) < len(t.ring):
            self.refused = 0
            await self.mission(t, team)
        else:
            self.refused += 1
            t.tell(N_("The team stays at home."))
            if self.refused == REFUSALS:
                self.refused = 0
                self.lost += 1
                t.tell(N_("Too much quarrelling: the mission has failed."))
        return await self.ended(t) if NEEDED in (self.won, self.lost) else None

    async def mission(self, t: Table[Options], team: list[Seat]) -> None:
        """The members act in secret; only how many betrayed becomes known."""
        deeds = await t.ballot(self.deeds, team, N_("What do you do?"), N_("The team is away."))
        betrayed = deeds.count(Deed.BETRAY)
        self.missions.append((tuple(team), betrayed))
        if betrayed:
            self.lost += 1
            t.tell(N_("The mission was betrayed; traitors at work: {n}."), n=betrayed)
        else:
            self.won += 1
            t.tell(N_("The mission went well."))

    async def ended(self, t: Table[Options]) -> Outcome:
        """All roles are turned up; one side wins."""
        await t.reveal(hand.top for hand in self.roles)
        side = Role.LOYAL if self.won == NEEDED else Role.TRAITOR
        traitors = tuple(seat for seat in t.ring if self.roles[seat].top.face is Role.TRAITOR)
        t.tell(N_("The traitors were {team}."), team=traitors)
        return Outcome(tuple(seat for seat in t.ring if self.roles[seat].top.face is side))

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        """How it stands, who is what as far as one may know, and what was done."""
        score = N_("{won} missions went well, {lost} failed; {n} teams refused in a row.")
        yield text_zone("score", N_("Missions"), score, won=self.won, lost=self.lost, n=self.refused)
        for seat in t.ring:
            yield hand_zone(self.roles[seat], N_("Role"))
        rows = [(text(N_("{team}"), team=team), betrayed) for team, betrayed in self.missions]
        yield tokens_zone("missions", N_("Betrayals of each mission"), rows)


class Wary(Bot):
    """Keeps those at home who were on a mission that failed; a traitor betrays whenever it can."""

    level = "wary"

    def choose(self, view: View[Plot], ask: Ask, chance: Chance) -> object:
        """A team, a vote or a deed."""
        game = view.game
        bad = [seat for team, betrayed in game.missions if betrayed for seat in team if seat != ask.seat]
        traitor = view.face(game.roles[ask.seat].top) is Role.TRAITOR
        if ask.question is YES_NO:
            team: tuple[Seat, ...] = ask.params["team"]
            return ask.seat in team if traitor else not set(bad) & set(team) or game.refused == REFUSALS - 1
        if isinstance(ask.question, OneOf):
            deed = Deed.BETRAY if traitor else Deed.HELP
            return next(card for card in view.legal(ask) if view.face(card) is deed)
        others = sorted((bad.count(seat), chance.below(1000), seat) for seat in view.ring if seat != ask.seat)
        size = TEAMS[len(view.ring)][game.won + game.lost]
        return [ask.seat, *(seat for _, _, seat in others[: size - 1])]
