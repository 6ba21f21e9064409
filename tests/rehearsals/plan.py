"""The plan of an evening: who plays what at which face, what people do, and what goes wrong. Plain data.

A plan is drawn from a seed, printed, edited, made smaller (`shrink`) and kept as JSON (`kept/`).
"""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace


class Face(enum.StrEnum):
    """What a person sits at."""

    PLAIN = "plain"
    JSON = "json"
    SCREEN = "screen"
    """The full screen, for who only watches: its director and its model without Textual."""


class Deed(enum.StrEnum):
    """What happens at a moment, by the will of a person or against it."""

    KILL = "kill"
    POWER_CUT = "power cut"
    CRASH_ALL = "crash of all"
    SLEEP = "sleep"
    FLAP = "flap"
    CUT = "cut"
    ONE_WAY = "one-way cut"
    SPLIT = "split"
    CLOCK = "clock jump"
    FULL_DISK = "full disk"
    BAD_SYNC = "failed sync"
    QUIT = "quit"
    LEAVE = "leave"
    WITHOUT = "without"
    SUSPEND = "suspend"
    END = "end"
    UNDO = "undo"
    NUDGE = "nudge"
    RENAME = "rename"
    KICK = "kick"
    LOCK = "lock"
    HAND_OVER = "hand over"
    ALONE = "alone"
    PHONE_GOES = "phone goes"
    PHONE_LEAVES = "phone leaves"
    SAY = "say"
    UNLOCK = "unlock"
    BAN = "ban"
    UNBAN = "unban"
    MUTE = "mute"
    UNMUTE = "unmute"
    CODE = "code"
    CONFIRM = "confirm"
    WAIT = "wait"
    BLIND = "blind"
    PHONE_SLEEPS = "phone sleeps"
    PHONE_COMES = "phone comes"
    PHONE_RENAMES = "phone renames"
    REBIND = "NAT rebinds"
    MOVE = "other address"
    CABLE = "second interface"
    NARROW = "narrow way"
    LIE = "lie"
    TEAM = "team"
    FLIPPED_BIT = "flipped bit"
    """A machine dies, and a bit of one of its files is another when it comes back."""
    CLEARED = "cleared cache"
    """A machine dies, and somebody has cleared its cache when it comes back."""
    PHONE_DIES = "phone dies"
    """The last telephone of a machine shows no page again; nobody has said goodbye."""
    BOTS = "bots"
    TEAMS = "teams"
    GAME = "game"
    OPTION = "house rule"
    START = "start"
    READY = "ready"
    LOOK = "colour"


class Moment(enum.StrEnum):
    """What a machine has just begun to do when a deed is done on it."""

    JOINS = "it asks to be let in"
    STANDS = "it stands for election"
    VOTES = "it votes"
    LEARNS = "it fetches the log"
    TEACHES = "it offers the log"
    HANDS_OVER = "it hands over"
    RETURNS = "it comes back"
    ENDS = "its match is over"
    BEGINS = "a match of its telephones is to begin"
    ASKS = "it asks somebody at a telephone"


class Lie(enum.StrEnum):
    """What the session of a machine says that isn't so."""

    OF_OTHERS = "of others"
    """Everything about people that its author may not say; see `tests.network.lying`."""
    TWO_LOGS = "two logs"
    """As a leader it tells the next machine another log; see `tests.network.equivocating`."""
    FACT = "fact"
    """It declares something false of hidden cards; see `tests.network.fibbing`."""
    REVOKE = "revoke"
    """It answers against the claims of its questions."""
    ANYTHING = "anything"
    """It says anything in the messages of the log; see `tests.network.conjuring`."""


BREAKS_THE_LOG = frozenset({Lie.TWO_LOGS, Lie.ANYTHING})
"""With these lies a leader may tell two logs, and one of them is given up with what was final in it."""


FAULTS = frozenset({
    Deed.KILL, Deed.POWER_CUT, Deed.CRASH_ALL, Deed.SLEEP, Deed.FLAP, Deed.CUT, Deed.ONE_WAY, Deed.SPLIT,
    Deed.CLOCK, Deed.FULL_DISK, Deed.BAD_SYNC, Deed.REBIND, Deed.MOVE, Deed.CABLE, Deed.NARROW,
    Deed.FLIPPED_BIT, Deed.CLEARED,
})  # fmt: skip
"""What nobody wants. The other deeds are what somebody does."""


class Act(msgspec.Struct, frozen=True):
    """A deed on the machine `who`, undone after `seconds`.

    It is done `at` so many seconds after the match began; with `entry`, after the machine has applied so many
    entries of the log; with `moment`, after any machine does that first, and on that machine. A machine that
    was killed comes back after `seconds`, and never for 0. With `datagram`, a deed that turns a machine off
    waits until it sends that many more.
    """

    at: float
    what: Deed
    who: int
    seconds: float = 0.0
    entry: int = 0
    datagram: int = 0
    moment: Moment | None = None


class Seat(msgspec.Struct, frozen=True):
    """A machine at the table.

    Attributes:
        face: what its person sits at; None for a bot of this `level`, or for who only `watches`.
        pace: the least and the greatest seconds for an answer.
        phones: how many people it serves in browsers.
        habits: by deed, the chance in each second that its person does it.
        joins_at: how many seconds later than usual it joins; above 0 it has no seat of the first match.
    """

    face: Face | None = Face.JSON
    level: str | None = None
    watches: bool = False
    pace: tuple[float, float] = (0.2, 2.0)
    phones: int = 0
    habits: dict[Deed, float] = {}
    joins_at: float = 0.0


class Plan(msgspec.Struct, frozen=True):
    """A whole evening. The first machine is the host's; `bots` are levels of its further bots."""

    seed: int
    game: str
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}
    bots: tuple[str, ...] = ()
    teams: int = 0
    dealer: str = "fair"
    away: str = ""
    idle: int = 30
    stand_after: int = 30
    fixed: bool = False
    private: bool = False
    nudged: str = "bot"
    loss: float = 0.0
    repeat: float = 0.0
    damage: float = 0.0
    real: bool = False
    """Whether it computes with libsodium."""
    campaign: str = ""
    """The campaign of its matches."""
    more: tuple[str, ...] = ()
    """The games of the matches that people play after the first."""
    lying_sync: bool = False
    """Whether no sync does anything, and all report success."""
    acts: tuple[Act, ...] = ()
    lie: Lie | None = None
    """The lie of the machine `liar`: what must hold then holds for the others."""
    liar: int = 0
    limit: float = 600.0
    """Seconds after which the world heals."""
    heals: bool = True
    """Whether it does."""
    lost: tuple[int, ...] = ()
    """Machines that don't come back then, once they are off."""

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return (
            sum(not one.watches and not one.joins_at for one in self.seats)
            + sum(one.phones for one in self.seats if not one.joins_at)
            + len(self.bots)
        )

    def features(self) -> set[str]:
        """Return the names of what takes part in this evening, for the table of what has met."""
        found = {self.game, f"dealer {self.dealer}", *(act.what.value for act in self.acts)}
        found |= {f"option {name}" for name in self.options}
        for seat in self.seats:
            found |= {habit.value for habit in seat.habits}
            found |= {"phone"} if seat.phones else set()
            found |= {"watcher"} if seat.watches else set()
            found |= {f"bot {seat.level}"} if seat.level else set()
            found |= {f"face {seat.face.value}"} if seat.face else set()
        found |= {f"bot {level}" for level in self.bots}
        flags = "teams private fixed loss repeat damage bots away real campaign lying_sync"
        for name in flags.split():
            if getattr(self, name):
                found.add(name)
        found |= {"rematch" if game == self.game else "another game" for game in self.more}
        found |= {"late guest" for one in self.seats if one.joins_at}
        if self.lie is not None:
            found.add(f"lie {self.lie.value}")
        return found

    def packed(self) -> bytes:
        """Return the plan as JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)

    @classmethod
    def of(cls, data: bytes) -> Plan:
        return msgspec.json.decode(data, type=cls)


GAMES: Mapping[str, tuple[float, int, int, Mapping[str, Any]]] = {
    "zompa": (5.0, 2, 6, {"fiches": 1}),
    "jumpy-jack": (2.0, 2, 6, {"points": 2, "seconds": 30}),
    "conto": (1.0, 3, 6, {"hands": 1}),
    "bang": (1.5, 2, 5, {"cap": 40}),
    "horse-fever": (1.0, 2, 5, {"turns": 1}),
    "bazaar": (0.4, 3, 6, {"lots": 2, "seconds": 10}),
    "four": (0.4, 2, 2, {"line": 3}),
    "hearts": (0.4, 4, 4, {"points": 1}),
    "heirs": (0.6, 3, 6, {"nights": 1}),
    "liars": (0.4, 2, 6, {"dice": 1}),
    "robots": (0.4, 2, 4, {"flags": 1, "rounds": 4}),
    "rockets": (0.4, 2, 5, {"goal": 3}),
    "werewolf": (0.0, 6, 12, {}),
}
"""By game: how often it is drawn, the fewest and the most seats, and options that keep a match short.

Werewolf is drawn from a generator of its own.
"""
NARRATED = 0.04
"""How often a machine narrates."""
EXAMPLES = frozenset({"bazaar", "four", "hearts", "heirs", "liars", "robots", "rockets", "werewolf"})
"""The games of `examples/games`: no process can think there, since all of their modules have one name."""

HOUSE_RULES: Mapping[str, tuple[tuple[str, Any], ...]] = {
    "zompa": (("empty_pot", "dealer"), ("empty_pot", "next"), ("fives", True), ("fiches", 2)),
    "jumpy-jack": (("guess", True), ("points", 4)),
    "conto": (("saldo", True), ("oste", True), ("omaggi", True), ("hands", 2)),
    "bang": (("preset", "full"), ("preset", "family"), ("penalty", 2)),
    "horse-fever": (("mode", "board"), ("removal_first", True)),
}
LATER = (Deed.FLIPPED_BIT, Deed.CLEARED)
"""Drawn from a generator of their own, so that seeds keep their evenings."""
OF_HOSTS = (Deed.BOTS, Deed.TEAMS, Deed.GAME, Deed.OPTION, Deed.START)
"""Done by whoever is the host then, whichever machine that is."""
OF_LOBBIES = (*OF_HOSTS, Deed.READY, Deed.LOOK)
"""Drawn for the time between two matches alone, by `_with_lobbies`."""
OF_PHONES = (Deed.PHONE_DIES, Moment.BEGINS, Moment.ASKS)
"""Drawn for telephones alone, by `_with_pockets`."""
WISHES = (Deed.WITHOUT, Deed.SUSPEND, Deed.END, Deed.UNDO, Deed.NUDGE, Deed.SAY)
BY_CHANCE: Mapping[Deed, float] = {
    Deed.WITHOUT: 0.1, Deed.SUSPEND: 0.01, Deed.END: 0.01, Deed.UNDO: 0.03, Deed.NUDGE: 0.05, Deed.SAY: 0.02,
}  # fmt: skip


def drawn(seed: int, known: frozenset[Deed] = frozenset()) -> Plan:
    """Draw a plan. Each seed first switches off half of the features, so that rare ones meet often.

    `known` are deeds that meet a fault which is known and not yet mended.
    """
    chance = random.Random(f"plan {seed}")
    swarm = {name for name in _FEATURES if chance.random() < 0.5}
    game = chance.choices(list(GAMES), [often for often, *_ in GAMES.values()])[0]
    _, fewest, most, short = GAMES[game]
    machines = chance.choice([1, 2, 2, 3, 3, 3, 4, 4, 5, 6])
    machines = min(machines, most)
    deeds = [
        one for one in Deed if one not in (*known, *LATER, *OF_LOBBIES, *OF_PHONES) and chance.random() < 0.5
    ]
    habits = [one for one in WISHES if one in deeds]
    seats = [_seat(chance, swarm, habits) for _ in range(machines)]
    seats[0] = msgspec.structs.replace(seats[0], watches=False, face=seats[0].face or Face.JSON, level=None)
    phones = chance.choice([0, 1, 1, 2, 3]) if "phones" in swarm else 0
    for _ in range(phones):
        at = chance.randrange(machines)
        if (
            sum(not one.watches for one in seats) + sum(one.phones for one in seats) < most
            and not seats[at].watches
        ):
            seats[at] = msgspec.structs.replace(seats[at], phones=seats[at].phones + 1)
    taken = sum(not one.watches for one in seats) + sum(one.phones for one in seats)
    bots = [chance.choice(["random", "easy"]) for _ in range(max(fewest - taken, 0))]
    if "bots" in swarm and taken + len(bots) < most and chance.random() < 0.4:
        bots.append("easy")
    total = taken + len(bots)
    teams = 2 if game == "jumpy-jack" and total >= 4 and total % 2 == 0 and "teams" in swarm else 0
    rules = HOUSE_RULES.get(game, ())
    options = dict(short) | dict(one for one in rules if "rules" in swarm and chance.random() < 0.3)
    faults = [one for one in deeds if "faults" in swarm or one not in FAULTS]
    acts = sorted(
        (
            _act(chance, chance.choice(faults), machines)
            for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 4]) if faults else 0)
        ),
        key=lambda act: act.at,
    )
    lie, liar = _lie(random.Random(f"lie {seed}"), game, machines)
    plan = Plan(
        seed, game, tuple(seats), options, tuple(bots), teams,
        dealer=chance.choice(["fair", "fair", "fair", "strict", "host"]) if "dealers" in swarm else "fair",
        away=chance.choice(["", "wait", "blind"]) if "away" in swarm else "",
        idle=chance.choice([30, 30, 60]), stand_after=chance.choice([30, 45]),
        fixed="fixed" in swarm and chance.random() < 0.3,
        private="private" in swarm and chance.random() < 0.3,
        nudged=chance.choice(["bot", "rest", "wait"]),
        loss=chance.choice([0.0, 0.01, 0.05]) if "loss" in swarm else 0.0,
        repeat=chance.choice([0.0, 0.02]) if "repeat" in swarm else 0.0,
        damage=chance.choice([0.0, 0.01]) if "damage" in swarm else 0.0,
        real=chance.random() < 0.05, acts=tuple(acts), lie=lie, liar=liar,
    )  # fmt: skip
    themes = [theme for theme in THEMES if chance.random() < 0.5]
    if themes and chance.random() < 0.6:
        plan = chance.choice(themes)(plan, chance)
    plan = replace(plan, acts=tuple(act for act in plan.acts if act.what not in known))
    plan = _with_more(random.Random(f"more {seed}"), plan)
    plan = _with_a_conjurer(random.Random(f"anything {seed}"), plan)
    if plan.real:
        plan = replace(plan, more=())  # libsodium takes its time
    plan = _with_thinkers(random.Random(f"thinkers {seed}"), plan)
    plan = _with_moments(random.Random(f"moments {seed}"), plan, known)
    plan = _with_returns(random.Random(f"returns {seed}"), plan, known)
    plan = _with_screens(random.Random(f"screens {seed}"), plan)
    plan = _with_laggards(random.Random(f"laggards {seed}"), plan, known)
    plan = _with_absences(random.Random(f"absences {seed}"), plan, known)
    plan = _with_pockets(random.Random(f"pockets {seed}"), plan, known)
    plan = _with_lobbies(random.Random(f"lobbies {seed}"), plan, known)
    return _in_a_village(plan) if random.Random(f"narrator {seed}").random() < NARRATED else plan


_FEATURES = (
    "phones", "watchers", "bots", "levels", "plain", "teams", "rules", "faults", "dealers", "away", "fixed",
    "private", "loss", "repeat", "damage", "slow",
)  # fmt: skip


FALSE: Mapping[str, Lie] = {
    "conto": Lie.REVOKE, "horse-fever": Lie.REVOKE, "hearts": Lie.REVOKE, "rockets": Lie.FACT,
}  # fmt: skip
"""By game, how somebody may say something false of hidden cards."""
CAMPAIGNS = frozenset({"heirs"})
"""The games that have campaigns."""


def _in_a_village(plan: Plan) -> Plan:
    """Have the host's machine narrate Werewolf; bots fill the village."""
    seats = tuple(replace(one, level=None, face=one.face or Face.JSON) for one in plan.seats)
    plan = replace(
        plan, game="werewolf", more=(), campaign="", teams=0, options={}, lie=None, bots=(), seats=seats
    )
    return replace(plan, bots=("random",) * max(0, GAMES["werewolf"][1] - plan.players))


def _lie(chance: random.Random, game: str, machines: int) -> tuple[Lie | None, int]:
    """Draw the lie of one machine, in one evening of ten."""
    if machines < 2 or chance.random() >= 0.12:
        return None, 0
    lie = chance.choice([Lie.OF_OTHERS, Lie.TWO_LOGS, *([FALSE[game]] if game in FALSE else [])])
    leads = lie is Lie.TWO_LOGS and chance.random() < 0.8
    return lie, 0 if leads else chance.randrange(machines)


def _with_a_conjurer(chance: random.Random, plan: Plan) -> Plan:
    """Have a machine, mostly one that only watches, say anything in the messages of the log."""
    if plan.lie is not None or len(plan.seats) < 3 or chance.random() >= 0.06:
        return plan
    watchers = [at for at, seat in enumerate(plan.seats) if seat.watches]
    liar = (
        chance.choice(watchers) if watchers and chance.random() < 0.7 else chance.randrange(len(plan.seats))
    )
    return replace(plan, lie=Lie.ANYTHING, liar=liar)


def _with_more(chance: random.Random, plan: Plan) -> Plan:
    """Have some evenings go on: with further matches, a campaign, somebody who comes late."""
    more = [
        plan.game if chance.random() < 0.6 else chance.choice([one for one, row in GAMES.items() if row[0]])
        for _ in range(chance.choice([0, 0, 0, 1, 1, 2]))
    ]
    seats = list(plan.seats)
    if chance.random() < 0.2 and len(seats) < 6:
        at = round(chance.choice([3, 12, 45]) * chance.uniform(0.1, 1), 1)
        seats.append(Seat(watches=chance.random() < 0.6, joins_at=at))
    campaign = "house" if plan.game in CAMPAIGNS and chance.random() < 0.7 else ""
    return msgspec.structs.replace(plan, more=tuple(more), seats=tuple(seats), campaign=campaign)


AT_A_MOMENT = (
    Deed.KILL, Deed.KILL, Deed.POWER_CUT, Deed.SLEEP, Deed.CUT, Deed.ONE_WAY, Deed.SPLIT, Deed.BAD_SYNC,
    Deed.QUIT, Deed.MOVE, Deed.CLOCK,
)  # fmt: skip


MOMENTS = [one for one in Moment if one not in (Moment.ENDS, *OF_PHONES)]
"""All but the end of a match, of which `_with_returns` takes care."""


def _with_moments(chance: random.Random, plan: Plan, known: frozenset[Deed]) -> Plan:
    """Have something happen in an election, a join or a return, or to the files of who is away."""
    acts, machines = list(plan.acts), len(plan.seats)
    deeds = [one for one in AT_A_MOMENT if one not in known]
    if deeds and machines > 1 and chance.random() < 0.25:
        acts += [
            Act(0.0, chance.choice(deeds), 0, round(chance.uniform(1, 15), 2), moment=moment)
            for moment in chance.sample(MOMENTS, chance.choice([1, 1, 2]))
        ]
        leaves = Deed.QUIT if Moment.HANDS_OVER in {act.moment for act in acts} else Deed.KILL
        if leaves not in known:
            entry = LOBBY * machines + chance.randint(0, 60)
            acts.append(Act(0.0, leaves, 0, round(chance.uniform(2, 20), 2), entry))
    for deed in LATER:
        if deed not in known and chance.random() < 0.1:
            who, entry = chance.randrange(machines), LOBBY * machines + chance.randint(0, 60)
            acts.append(Act(0.0, deed, who, round(chance.uniform(1, 20), 2), entry))
    return replace(plan, acts=tuple(acts))


def _with_returns(chance: random.Random, plan: Plan, known: frozenset[Deed]) -> Plan:
    """Have machines go off where it counts what they keep, and come back.

    All go off within a moment, and people start them again one by one; or one does after the end of a match,
    when the leader is gone and it votes, or with cards in hand.
    """
    deeds = [one for one in (Deed.KILL, Deed.POWER_CUT) if one not in known]
    how, machines = chance.random(), len(plan.seats)
    entry = LOBBY * machines + chance.randint(8, 70)
    if len(deeds) < 2 or how >= 0.3:
        return plan
    if how < 0.1:
        acts = [
            Act(0.0, Deed.KILL, who, round(chance.uniform(1, 45), 2), entry + chance.choice([0, 0, 1, 2]))
            for who in range(machines)
        ]
    elif how < 0.18:
        if chance.random() < 0.6 and not plan.real:
            plan = replace(plan, more=plan.more or (plan.game,))
        at = chance.uniform(0, 30) if plan.more else chance.uniform(0, 1.5)
        seconds = chance.uniform(0.5, 8)
        acts = [Act(round(at, 2), chance.choice(deeds), 0, round(seconds, 2), moment=Moment.ENDS)]
    elif how < 0.24:
        moment = chance.choice([Moment.VOTES, Moment.STANDS])
        acts = [
            Act(0.0, Deed.KILL, 0, round(chance.uniform(2, 20), 2), entry),
            Act(0.0, Deed.POWER_CUT, 0, round(chance.uniform(0.1, 3), 2), moment=moment),
        ]
    else:
        who = chance.randrange(machines)
        acts = [Act(0.0, Deed.POWER_CUT, who, round(chance.uniform(1, 20), 2), entry)]
    return replace(plan, acts=(*plan.acts, *acts))


IN_LOBBIES = (
    *OF_LOBBIES, Deed.BOTS, Deed.BOTS, Deed.HAND_OVER, Deed.HAND_OVER, Deed.RENAME, Deed.KICK, Deed.LEAVE,
    Deed.KILL, Deed.SLEEP, Deed.CUT, Deed.QUIT, Deed.TEAM,
)  # fmt: skip


def _with_lobbies(chance: random.Random, plan: Plan, known: frozenset[Deed]) -> Plan:
    """Have people change this and that between two matches, while one or the other machine goes off."""
    deeds = [one for one in IN_LOBBIES if one not in known]
    if len(plan.seats) < 2 or plan.real or plan.campaign or chance.random() >= 0.15:
        return plan
    acts = [
        Act(round(chance.uniform(0, 12), 1), chance.choice(deeds), 0, round(chance.uniform(1, 15), 2),
            moment=Moment.ENDS)
        for _ in range(chance.randint(2, 6))
    ]  # fmt: skip
    return replace(plan, more=plan.more or (plan.game,), acts=(*plan.acts, *acts))


def _with_laggards(chance: random.Random, plan: Plan, known: frozenset[Deed]) -> Plan:
    """Have a machine miss what the others have when an election comes, or a leader go on unheard."""
    machines = len(plan.seats)
    if machines < 3 or chance.random() >= 0.15:
        return plan
    entry, seconds = LOBBY * machines + chance.randint(5, 50), round(chance.uniform(2.5, 8), 2)
    cut, says = Act(0.0, Deed.CUT, 0, seconds, entry), Act(0.4, Deed.SAY, 0, 0.0, entry)
    acts = [cut, says]
    if chance.random() < 0.5:
        dies, returns = round(seconds * chance.uniform(0.2, 1), 2), round(chance.uniform(3, 20), 2)
        cut = replace(cut, who=chance.randrange(1, machines))
        acts = [cut, says, Act(dies, Deed.KILL, 0, returns, entry)]
    return replace(plan, acts=(*plan.acts, *(act for act in acts if act.what not in known)))


DEAL_TO_ALL = ("conto", "horse-fever")
"""Games that deal cards to the seats of those who have left, too."""


def _with_absences(chance: random.Random, plan: Plan, known: frozenset[Deed]) -> Plan:
    """Have a machine away for as long as a few deals, or twice, or gone for good, and the others go on."""
    machines = len(plan.seats)
    if machines < 3 or chance.random() >= 0.15:
        return plan
    who, entry = chance.randrange(machines), LOBBY * machines + chance.randint(5, 80)
    sleep = Act(0.0, chance.choice([Deed.SLEEP, Deed.CUT]), who, round(chance.uniform(20, 45), 2), entry)
    acts = chance.choice([
        [sleep, replace(sleep, entry=entry + chance.randint(20, 120))],
        [replace(sleep, seconds=2 * sleep.seconds)],
        [Act(0.0, Deed.LEAVE, who, 0.0, entry)],
    ])  # fmt: skip
    games = [one for one in DEAL_TO_ALL if GAMES[one][1] <= plan.players <= GAMES[one][2]]
    if acts[0].what is Deed.LEAVE and games:
        game = chance.choice(games)
        plan = replace(plan, game=game, options=GAMES[game][3], teams=0, campaign="", lie=None)
    acts = [act for act in acts if act.what not in known]
    return replace(plan, acts=(*plan.acts, *acts), away="blind", dealer="fair", stand_after=30)


THINKER = "thinker"


def _with_thinkers(chance: random.Random, plan: Plan) -> Plan:
    """Have some bots think ahead, in one evening of four; at times one sits in a person's place."""
    if chance.random() >= 0.25 or not EXAMPLES.isdisjoint({plan.game, *plan.more}):
        return plan
    bots = tuple(THINKER if chance.random() < 0.5 else level for level in plan.bots)
    seats = list(plan.seats)
    for index, seat in enumerate(seats[1:], 1):
        often = 0.6 if seat.level is not None else 0.1
        if not seat.watches and chance.random() < often:
            seats[index] = msgspec.structs.replace(seat, face=None, level=THINKER)
    return msgspec.structs.replace(plan, bots=bots, seats=tuple(seats))


def _with_screens(chance: random.Random, plan: Plan) -> Plan:
    """Have half of those who only watch sit at the full screen."""
    seats = [
        replace(one, face=Face.SCREEN) if one.watches and chance.random() < 0.5 else one for one in plan.seats
    ]
    return replace(plan, seats=tuple(seats))


def _with_pockets(chance: random.Random, plan: Plan, known: frozenset[Deed]) -> Plan:
    """Have people leave by their phones while a match begins, and machines die while a phone is asked.

    At times one of these phones doesn't come back with its machine.
    """
    served = [at for at, seat in enumerate(plan.seats) if seat.phones]
    if not served:
        return plan
    acts, who = [*plan.acts], chance.choice(served)
    if chance.random() < 0.2:
        acts.append(Act(0.0, Deed.PHONE_LEAVES, who, moment=Moment.BEGINS))
    if chance.random() < 0.25:
        entry, kill = LOBBY * len(plan.seats) + chance.randint(0, 60), Act(0.0, Deed.KILL, who)
        kill = replace(kill, seconds=round(chance.uniform(2, 12), 2))
        kill = replace(kill, moment=Moment.ASKS) if chance.random() < 0.6 else replace(kill, entry=entry)
        if chance.random() < 0.4:
            acts.append(replace(kill, what=Deed.PHONE_DIES, seconds=0.0))
        acts.append(kill)
    return replace(plan, acts=tuple(act for act in acts if act.what not in known))


def _in_teams(plan: Plan, chance: random.Random) -> Plan:
    """Teams go on without somebody: a race has to be over by then, and another one to begin."""
    habits = {Deed.WITHOUT: 0.2}
    served = chance.random() < 0.35  # teams of three: two of a team play on, on different machines
    machines, first = (3, 200) if served else (4, 290)
    who, entry = chance.choice([0, 1] if served else [0, 0, 1, 2, 3]), chance.randint(first, first + 90)
    acts, lost, limit = [Act(0.0, Deed.KILL, who, 0.0, entry)], (who,) * chance.randint(0, 1), 270.0
    if chance.random() < 0.4 and not served:
        # The first comes back to watch, and with its vote the others can do without one more.
        back, other = round(chance.uniform(100, 130), 2), (who + chance.randint(1, 3)) % 4
        acts = [Act(0.0, Deed.KILL, who, back, entry),
                Act(0.0, Deed.KILL, other, 0.0, entry + chance.randint(200, 350))]  # fmt: skip
        lost, limit = (other,), 360.0
    chosen = [
        Act(0.0, Deed.TEAM, chance.randint(1, machines - 1), 0.0, chance.randint(8, 20))
        for _ in range(chance.choice([0, 2]))
    ]
    return replace(
        plan, game="jumpy-jack", seats=(Seat(habits=habits, phones=int(served)),) * machines, bots=(),
        teams=2, dealer="fair", options={"points": 4, "seconds": 30, "guess": chance.random() < 0.3},
        away=chance.choice(["wait", "blind"]), acts=(*chosen, *acts), lost=lost, limit=limit,
    )  # fmt: skip


def _crashing(plan: Plan, chance: random.Random) -> Plan:
    """Machines are killed in all moments, and come back soon."""
    deeds, machines = [Deed.KILL, Deed.KILL, Deed.CRASH_ALL], len(plan.seats)
    whose = [chance.randrange(machines) for _ in range(chance.randint(1, 3))]
    acts = [
        _at_entry(chance, chance.choice(deeds), who, machines, 150, chance.uniform(1, 25)) for who in whose
    ]
    return replace(plan, acts=(*plan.acts, *acts))


def _with_phones(plan: Plan, chance: random.Random) -> Plan:
    """Several people at one machine's phones, who come and go."""
    most = GAMES[plan.game][2]
    machines = plan.seats[: max(1, most - 2)]
    seats = [replace(seat, phones=0) for seat in machines]
    together = chance.random() < 0.5
    for _ in range(chance.randint(2, 3) if together else chance.randint(1, 3)):
        at = 0 if together else chance.randrange(len(seats))
        if replace(plan, seats=tuple(seats), bots=()).players < most and not seats[at].watches:
            seats[at] = replace(seats[at], phones=seats[at].phones + 1)
    fewest = GAMES[plan.game][1]
    bots = ("easy",) * max(0, fewest - replace(plan, seats=tuple(seats), bots=()).players)
    acts = [
        _at_entry(chance, chance.choice([Deed.PHONE_GOES, Deed.PHONE_LEAVES]), chance.randrange(len(seats)),
                  len(seats), 80, 0.0)
        for _ in range(chance.randint(0, 2))
    ]  # fmt: skip
    others = tuple(act for act in plan.acts if act.who < len(seats))
    return replace(plan, seats=tuple(seats), bots=bots, teams=0, acts=(*others, *acts))


def _absent(plan: Plan, chance: random.Random) -> Plan:
    """Machines are silent for so long that the others say so, more than once, or for good."""
    machines = len(plan.seats)
    who = chance.randrange(machines)
    deeds = [Deed.SLEEP, Deed.SLEEP, Deed.CUT, Deed.QUIT, Deed.LEAVE, Deed.KILL]
    acts = [
        _at_entry(chance, chance.choice(deeds), who if chance.random() < 0.6 else chance.randrange(machines),
                  machines, 120, chance.uniform(17, 50))
        for _ in range(chance.randint(1, 3))
    ]  # fmt: skip
    lost = machines > 3 and chance.random() < 0.4
    if lost:
        acts = [replace(acts[0], what=Deed.KILL, who=who, seconds=0.0)]
    return replace(
        plan, acts=tuple(acts), away=chance.choice(["blind", "wait"]), lost=(who,) * lost,
        stand_after=30,
    )  # fmt: skip


def _led(plan: Plan, chance: random.Random) -> Plan:
    """Whoever leads the log is killed, cut off or asleep, again and again, over bad links."""
    deeds = [Deed.KILL, Deed.SLEEP, Deed.CUT, Deed.ONE_WAY, Deed.SPLIT, Deed.FLAP, Deed.QUIT]
    machines = len(plan.seats)
    acts = [
        _at_entry(chance, chance.choice(deeds), 0 if chance.random() < 0.5 else chance.randrange(machines),
                  machines, 150, chance.uniform(1, 12))
        for _ in range(chance.randint(2, 4))
    ]  # fmt: skip
    return replace(plan, acts=tuple(acts), loss=chance.choice([0.0, 0.05, 0.1]))


def _unplugged(plan: Plan, chance: random.Random) -> Plan:
    """The power fails, at one machine or at several within moments."""
    machines = len(plan.seats)
    entry = chance.randint(2, 40) + LOBBY * machines
    whose = chance.sample(range(machines), chance.choice([1, min(2, machines), machines]))
    datagram = chance.choice([0, chance.randint(1, 20)])
    acts = [Act(0.0, Deed.POWER_CUT, who, round(chance.uniform(1, 20), 2), entry, datagram) for who in whose]
    return replace(plan, acts=(*plan.acts, *acts))


LOBBY = 6
"""About so many entries for each machine come before a match."""
THEMES: tuple[Callable[[Plan, random.Random], Plan], ...] = (
    _in_teams, _crashing, _with_phones, _absent, _led, _unplugged,
)  # fmt: skip
"""Crossings that chance alone would seldom meet: each makes a plan into one that meets it."""


def _at_entry(chance: random.Random, deed: Deed, who: int, machines: int, last: int, seconds: float) -> Act:
    """A deed at one of the first entries of a match; sometimes before it, while all sit down."""
    first = 2 if chance.random() < 0.15 else LOBBY * machines
    return Act(0.0, deed, who, round(seconds, 2), chance.randint(first, first + last))


def _act(chance: random.Random, deed: Deed, machines: int) -> Act:
    seconds = chance.choice([0.0, chance.uniform(1, 8), chance.uniform(5, 60)])
    entry = chance.choice([0, chance.randint(1, 12), chance.randint(5, 80)])
    at = 0.0 if entry else chance.choice([chance.uniform(0, 3), chance.uniform(0, 15), chance.uniform(0, 60)])
    datagram = chance.choice([0, chance.randint(1, 20)]) if deed in (Deed.KILL, Deed.POWER_CUT) else 0
    return Act(round(at, 2), deed, chance.randrange(machines), round(seconds, 2), entry, datagram)


def _seat(chance: random.Random, swarm: set[str], habits: list[Deed]) -> Seat:
    if "watchers" in swarm and chance.random() < 0.15:
        return Seat(watches=True)
    if "levels" in swarm and chance.random() < 0.2:
        return Seat(None, chance.choice(["random", "easy", "normal"]))
    face = Face.PLAIN if "plain" in swarm and chance.random() < 0.4 else Face.JSON
    pace = chance.choice([(0.05, 0.5), (0.2, 2.0), (0.5, 6.0)])
    if "slow" in swarm and chance.random() < 0.15:
        pace = (20.0, 90.0)
    return Seat(face, pace=pace, habits={one: BY_CHANCE[one] for one in habits if chance.random() < 0.5})
