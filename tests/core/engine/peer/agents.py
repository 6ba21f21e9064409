"""Peers at one table, with the real agents of a match, over one log in this process: no socket, no clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.links import LooseLink
from tests.core.engine.review.signed import TABLE, SignedLog
from typing_extensions import override

from tavolata import Ask, Game
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.driver import DealingDriver
from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.game_info import GameInfo
from tavolata._engine.match.header import FAIR
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.peer.fair_part import FairPart
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.machine import Machine as RealMachine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import LoadedGame
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import Heads
from tavolata.bots import Bot
from tavolata_protocol import entries as wire

LEVEL = "easy"


def library_of(rules: type[Game[Any]], bot: type[Bot]) -> GameLibrary:
    """A machine on which one game is installed, with one bot."""
    info = GameInfo(
        rules.name, rules.title, "", rules.seats, 0, "0", rules.rules_id, "", "", ""
    )  # fmt: skip
    return GameLibrary(rules.name, lambda _: (LoadedGame(info, rules), {LEVEL: bot}))


def played(body: bytes) -> list[Any]:
    """The entry of a match in a body of the log; nothing if it has none."""
    read = log_bodies.read(body)
    return read[1][1] if read is not None and read[0] == log_bodies.PLAY else []


class Machine(LooseLink):
    """One machine: its copy of the table, and what it wants to say.

    Args:
        table: where it sits.
        party: its number, from 1.

    Attributes:
        said: what is not in the log yet.
        caught_up: whether it has read the log up to its own arrival.
    """

    def __init__(self, table: AgentTable, party: int) -> None:
        super().__init__()
        self._table = table
        self.party, self.key = party, key_of(party)
        self.said: list[bytes] = []
        self.caught_up = False
        self.heads, self._read = Heads(table.log.base), 0
        self._is_person = party == table.person
        settings = PeerSettings(f"P{party}", None if self._is_person else LEVEL)
        self.agent = RealMachine(library_of(table.rules, table.bot), self.key, settings, self)

    @override
    def now(self) -> float:
        return self._table.now

    @override
    def propose(self, *body: Any) -> bool:
        self.said.append(pack(body))
        return True

    @override
    def heard(self, peer: bytes) -> float | None:
        return self._table.heard(peer)

    @override
    def relayed(self, peer: bytes) -> Sequence[bytes]:
        return self._table.relayed(peer)

    @property
    @override
    def table(self) -> bytes:
        return TABLE

    @property
    @override
    def voters(self) -> Collection[bytes]:
        return [key_of(one) for one in self._table.voters]

    def read(self) -> None:
        """Read what is new in the log, entry by entry, and act on each as a peer does."""
        while self._read < len(self._table.log.wires):
            data = self._table.log.wires[self._read]
            entry = wire.read_entry(data, self.heads.chain)
            self._read += 1
            self.agent.final(self.heads.last, data)
            self.agent.state.apply(Stamp(entry.author, entry.chain, entry.lineage), entry.body)
            self.agent.compare(entry.number)
            self.heads.note(entry.number, entry.chain)
            self.caught_up = self.caught_up or self._read >= self._table.arrivals[self.party]
            self.work()

    def work(self) -> None:
        """Say what is due."""
        if self.caught_up:
            self.agent.prepare()
            self.agent.work()
            part = self.agent.part
            assert part is None or not part.is_mute or self._table.may_break, part._fault
            self.agent.new_asks()
            running = self.agent.state.matches.running
            if self._is_person and running is not None:
                for ask in running.match.source.open:
                    self._answer(ask)

    def _answer(self, ask: Ask) -> None:
        """The person's answer, if the question is its, and it wants to answer."""
        mine = self.agent.state.matches.player_of(int(ask.seat)) == self.key and ask.box is None
        if mine and int(ask.seat) == self.party - 1 and self.agent.owes(ask) and self._table.answers_to(ask):
            self.agent.playing.answer(ask, ask.question.answer_at(0))


def dealt(agent: RealMachine) -> DealingDriver:
    """What a machine owes the deal of its match, in which all deal together."""
    own = agent.playing.own
    assert isinstance(own, FairPart)
    return own.driver


class AgentTable:
    """A table whose machines all play by themselves.

    Args:
        rules: the game.
        parties: how many machines.
        bot: plays all seats, and for who is away.
        person: the machine at which a person sits; 0 for none.
        campaign: the campaign that the host puts on the table; None for none.
        teams: how many teams the host has them play in; 0 for none.
        dealer: who deals.
        **options: house rules.

    Attributes:
        now: the time on all clocks, in seconds.
        answers_to: whether the person answers a question.
        cut: the machines whose link is down; they hear nothing, and what they say waits.
        starved: the machines whose words the leader of the log leaves out.
        passes_on: whether the others get these words from the machines themselves.
        voters: the machines whose copies of the log count; who dies stays one of them.
        arrivals: by party, how long the log was when it sat down or came back.
        may_break: whether a fault in what a machine would say is what the test is about.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        parties: int,
        bot: type[Bot],
        person: int = 0,
        campaign: Campaign | None = None,
        teams: int = 0,
        dealer: str = FAIR,
        **options: Any,
    ) -> None:
        self.rules, self.bot, self.person = rules, bot, person
        self.answers_to: Callable[[Ask], bool] = lambda _: True
        self.log = SignedLog()
        self.now = 0.0
        self.may_break = False
        self.cut: set[int] = set()
        self.starved: set[int] = set()
        self.passes_on = True
        self._heard: dict[bytes, float] = {}
        self.voters: set[int] = set()
        self.arrivals: dict[int, int] = {}
        self.machines: dict[int, Machine] = {}
        plain = rules.options.parse(options).plain()
        self._say(1, log_bodies.FOUND, rules.name, rules.rules_id, parties, plain, dealer)
        if campaign is not None:
            self._say(1, log_bodies.CAMPAIGN, campaign.packed())
        for party in range(1, parties + 1):
            self._sit_down(party)
        if teams:
            self._say(1, log_bodies.TEAMS, teams)
        self.round()
        header = self.machines[1].agent.state.lobby.terms()
        self._say(1, log_bodies.START, pack(header.plain()), b"")

    def close(self) -> None:
        """Close the files of all matches."""
        for machine in self.machines.values():
            machine.agent.close()

    def _say(self, party: int, *body: Any) -> None:
        self.log.say(party, pack(body))

    def _sit_down(self, party: int) -> None:
        level = None if party == self.person else LEVEL
        nonce = bytes([party, len(self.log.wires) % 256])
        self._say(party, log_bodies.ENTER, nonce, f"P{party}", False, level, bytes(32))
        self.arrivals[party] = len(self.log.wires)
        self.voters.add(party)
        self.machines[party] = Machine(self, party)

    def heard(self, key: bytes) -> float | None:
        """When a machine was heard last."""
        if key in {self.machines[party].key for party in self.here}:
            self._heard[key] = self.now
        return self._heard.get(key)

    def relayed(self, key: bytes) -> Sequence[bytes]:
        """What a machine has signed and the leader leaves out."""
        starved = (self.machines[party] for party in self.starved if self.passes_on)
        return [body for machine in starved if machine.key == key for body in machine.said]

    @property
    def here(self) -> Sequence[int]:
        """The machines whose link is up."""
        return [party for party in sorted(self.machines) if party not in self.cut]

    def think(self) -> None:
        """Everybody who is here reads the log, and works out what is due."""
        for party in self.here:
            machine = self.machines[party]
            machine.read()
            machine.work()

    def speak(self, *first: int) -> bool:
        """What those who are here have to say goes into the log, of these first; whether it was anything."""
        said = 0
        for party in dict.fromkeys((*first, *self.here)):
            if party in self.here and party not in self.starved:
                bodies, self.machines[party].said = self.machines[party].said, []
                for body in bodies:
                    self.log.say(party, body)
                said += len(bodies)
        return bool(said)

    def round(self, *first: int) -> bool:
        """Everybody who is here reads and says what is due; whether anybody said anything."""
        self.think()
        return self.speak(*first)

    def play(self, rounds: int = 10_000) -> None:
        """Go on until nobody who is here has anything to say."""
        for _ in range(rounds):
            if not self.round():
                return

    def wait(self, seconds: int) -> None:
        """Let time pass, second by second."""
        for _ in range(seconds):
            self.now += 1
            self.round()

    def kill(self, party: int) -> None:
        """A process ends without a word."""
        self.machines.pop(party).agent.close()

    def back(self, party: int) -> None:
        """A process begins again: it reads the whole log, and sits down at its place."""
        self._sit_down(party)

    def step_away(self, party: int) -> None:
        """A player steps away; its machine says so after what it had to say."""
        self.machines[party].agent.say_of_oneself(OwnWord.OUT)

    @property
    def match(self) -> Match[LogSource] | None:
        """The match as the first machine that is here has it."""
        return self.machines[self.here[0]].agent.state.matches.match

    @property
    def source(self) -> LogSource:
        """Its source."""
        match = self.match
        assert match is not None
        return match.source

    def answers(self) -> list[tuple[int, int]]:
        """The answers that stand: seat and question."""
        return [
            (entry[1], entry[2]) for number, entry in enumerate(self.source.entries)
            if entry[0] == ANSWER and number not in self.source.voids
        ]  # fmt: skip

    def proposals(self, *begin: int) -> int:
        """How many entries of a match in the log begin like this, whether they stand or not."""
        chain, found = Heads(self.log.base).chain, 0
        for data in self.log.wires:
            entry = wire.read_entry(data, chain)
            chain = entry.chain
            found += played(entry.body)[: len(begin)] == [*begin]
        return found

    @property
    def is_over(self) -> bool:
        """Whether the match is over on all machines that are here."""
        matches = [self.machines[party].agent.state.matches for party in self.here]
        return bool(matches) and all(one.match is not None and one.match.over for one in matches)
