"""Facts about a table of peers, as data for frontends: its seats, its people, and how to join it.

`TableSurvey` collects them. It needs the network's modules, which a match in this process does not load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tavolata._engine.match.seating import known_seats
from tavolata._engine.sessions.knocks import Knock
from tavolata._engine.table.invitations import Invitation
from tavolata._engine.table.log_bodies import LONGER, Light, Wish
from tavolata._text import Verbatim
from tavolata.game import Game
from tavolata.messages import N_, NN_
from tavolata.options import OptionSpec, Problem

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import LoadedGame

SILENT: Final = 12.0
"""Seconds without a sign of a page after which it counts as asleep."""
PLAYED_AFTER: Final = 30.0
"""Seconds until a bot plays for someone asleep who is asked: from the page's last sign, or the question."""

CAMPAIGN = N_("Campaign {name}: match {n} comes next.")
IN_BROWSERS = N_("On a phone or in a browser: {link}")
ON_TELEVISION = N_("On a phone or television, open {link}")
FULL_TABLE = N_("Full: you can watch.")
TRUST = N_(
    "Browser players trust {host}'s computer with their keys and cards, over an unencrypted connection."
)
BESIDE = NN_(
    "{names} shares {host}'s address. If it's one computer, it holds both keys and counts as two.",
    "{names} share {host}'s address. If it's one computer, it holds all their keys and counts as several.",
)
SERVED = NN_(
    "{names} plays on {host}'s computer, whose owner could see that player's hand.",
    "{names} play on {host}'s computer, whose owner could see their hands.",
)


def said_of_machines(
    beside: Mapping[str, Sequence[str]], served: Mapping[str, Sequence[str]]
) -> list[tuple[str, Mapping[str, Any]]]:
    return [
        (message, {"names": ", ".join(names), "n": len(names), "host": owner})
        for message, several in ((BESIDE, beside), (SERVED, served))
        for owner, names in several.items()
    ]


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat at a table.

    Attributes:
        state: "plays" during a match, otherwise "ready" or "waits"; or "bot", "away" or "stand-in".
        level: its bot, "" for a person.
        key: the fingerprint of the key of `owner`, the peer that plays it.
        met: what that key is to this machine: "known", "first seen" or "changed key".
        trip: the round trip to it, milliseconds; None where nothing was measured.
        helped: True if the match may continue with a bot there, as far as is known now.
        look: the hue and the mark that its player chose; None without a choice.
        team: a message id; empty for none yet.
        light: the presence of its person, as far as this machine knows.
        person: the key of its person, by which commands know them; empty for further bots of a machine.
    """

    name: Verbatim
    state: str
    level: str
    owner: str
    mine: bool
    key: str
    met: str
    trip: int | None
    helped: bool = True
    look: tuple[int, int] | None = None
    team: str = ""
    light: Light = Light.HERE
    person: bytes = b""

    @property
    def has_new_key(self) -> bool:
        """Return True if its player had another key when this machine met them before."""
        return not self.mine and self.met == "changed key"


@dataclass(frozen=True, slots=True)
class AwaitedPlayer:
    """Somebody with a question to answer.

    `asked` and `unseen` are seconds: since the question came, and since the light changed. `served` is True
    for a person in a browser, and `ours` if this machine serves that person. `waits` is how often others have
    asked for a minute more.
    """

    seat: int
    name: Verbatim
    light: Light
    asked: float
    unseen: float
    served: bool
    ours: bool
    waits: int = 0

    @property
    def left(self) -> float | None:
        """The seconds until a bot of their machine plays; None if none will."""
        if not self.served or self.light in (Light.HERE, Light.UNHEARD):
            return None
        return max(0.0, PLAYED_AFTER + LONGER * self.waits - min(self.asked, self.unseen + SILENT))


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table of peers.

    Attributes:
        taken: the taken seats, in turn order.
        watchers, banned: names by the keys of people.
        options: the house rules as plain data.
        levels: the bots that can be seated.
        played: how many matches were begun here.
        hosts: True if this peer opens, sets and begins.
        seated: False if this peer only watches.
        by_itself: True if a match begins as soon as all seats are taken.
        dealt: how cards are dealt: a message with its parameters.
        invitation: how others join; with the code only where this person may see it.
        games: finds the games that could be played here next, by name.
        web: the link for browsers, where this peer serves them.
        beside: by the name of a machine's owner, the others who play on it with keys of their own.
        served: by the name of a machine's owner, those who play on it in browsers: it holds their hands.
        orphaned: True if nobody leads the log, and this peer's player may continue alone.
        may_suspend: True if too few have been heard for long, so that the match can be stopped for today.
        may_go_on: True if those who are here can continue without the missing, in a new match.
        back_to: the turn to whose end everyone could go back, where the match broke or someone wishes that;
            None if they can't.
        muted: those whose talk outside a seat is silenced, by their keys.
        teams: how many teams the next match is played in; 0 without teams.
        campaign: the campaign of the next match, and whose copy is another one: messages with their
            parameters, the first no error; empty for a match on its own.
        problems: why those who are here can't play by these house rules.
        awaited: the people with a question to answer; no bots.
        short: the seconds for which too few machines were connected to open cards; None if enough are.
        owns: this person is the machine's own player, and nobody in a browser.
        nudged: the seats that were nudged and haven't stirred since; between matches those that aren't ready
            although the host is.
        starts_in: the seconds until the match begins, since everyone is ready; None while someone isn't.
        full: True if whoever comes only watches: all seats are taken, and no bot gives way.
        knocks: who knocks at this machine's pages, for its own player.
        wishes: what people wish for, each with their names; machines' own players by their votes.
        wished: what this person wishes for.
        waits: this person watches, and plays as soon as a seat is free.
        may_hold: this person may say that they would rather play on.
        stops_in: the seconds until this machine votes to stop for today, because its people wish that.
        uneven: why those who are here can't form teams, a message with its parameters; None if they can.
    """

    rules: type[Game[Any]]
    seats: int
    taken: tuple[SeatFacts, ...]
    watchers: Mapping[bytes, Verbatim]
    options: Mapping[str, Any]
    levels: tuple[str, ...]
    running: bool
    played: int
    hosts: bool
    seated: bool
    ready: bool
    by_itself: bool
    dealt: tuple[str, Mapping[str, Any]]
    invitation: Invitation
    games: Callable[[], Mapping[str, LoadedGame]]
    web: str = ""
    host: str = ""
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    served: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    orphaned: bool = False
    may_suspend: bool = False
    may_go_on: bool = False
    back_to: int | None = None
    locked: bool = False
    banned: Mapping[bytes, Verbatim] = field(default_factory=dict)
    muted: frozenset[bytes] = frozenset()
    problems: tuple[Problem, ...] = ()
    teams: int = 0
    campaign: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    uneven: tuple[str, Mapping[str, Any]] | None = None
    awaited: tuple[AwaitedPlayer, ...] = ()
    short: float | None = None
    nudged: frozenset[int] = frozenset()
    owns: bool = True
    full: bool = False
    knocks: tuple[Knock, ...] = ()
    wishes: Mapping[Wish, tuple[str, ...]] = field(default_factory=dict)
    wished: frozenset[Wish] = frozenset()
    waits: bool = False
    may_hold: bool = False
    stops_in: float | None = None
    starts_in: float | None = None

    @property
    def takes_part(self) -> bool:
        """True if this person has a seat, or hosts without one, as a narrator does."""
        return self.seated or self.hosts

    @property
    def offered(self) -> list[OptionSpec]:
        return self.rules.options.offered(self.options, known_seats(self.rules, self.seats))

    @property
    def me(self) -> str:
        """The name of this peer's own player; empty for a watcher."""
        return next((seat.name for seat in self.taken if seat.mine and not seat.level), "")

    @property
    def has_company(self) -> bool:
        return bool(self.watchers) or any(not seat.mine and not seat.level for seat in self.taken)
