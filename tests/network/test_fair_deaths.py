"""Peers of a fair deal that are killed at every kind of message: the others play on, and can prove how.

Of two the other waits, until the dead one is back. Of four or eight the dead one stays dead, unless a
second one fails, by cheating or by doing nothing, and fewer are left than it takes to open a card.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.review.signed import with_another_byte

from tavolata import Game
from tavolata._engine.dealing.authority import PATIENCE as PEOPLE
from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.review.findings import Wrong
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import StoreError, read
from tavolata._engine.table.heads import NUMBER_SIZE
from tavolata_zompa.rules import Zompa

from .faulty import KINDS, STEPS, is_of
from .hasty import STAND_AFTER, hurry
from .sealed_tricks import SealedTricks
from .table import HASTY, PATIENCE, TT, Hall, Tt

HIDDEN_HANDS = {"shares for one", "complaint", "answer"}
"""Kinds of messages that Zompa has no use for: no card is for one pair of eyes, and nobody is asked aloud."""
TO_TWO = {"vote"}
"""Kinds that two machines never say: between two nobody votes."""
ACCOMPLICES = {
    "complaint": "junk cards",
    "vote": "never shuffles",
    "forced seal": "keeps seals shut",
}
"""What another has to do so that a kind of message is said at all."""
REASONS = {"own word": "steps away"}
"""What the victim itself has to do."""
HONEST_ENOUGH = {"keeps seals shut", "never shuffles"}
"""What nobody is convicted of."""
ON_FIVES = {"seal", "opening", "forced seal"}
"""Kinds that Zompa has where a five is bet on."""
FICHES = {2: 12, 4: 6, 8: 5}
"""By machines: enough that all live when the first five is turned, and no more.

Each seal that is kept shut takes ten seconds; a match of eight with twelve fiches has dozens of them."""


@dataclass(frozen=True)
class Death:
    """Who dies when.

    Attributes:
        game: what is played.
        machines: how many.
        kind: the kind of the message at which one dies.
        victim: "host" or "guest".
        moment: "before" it is said, or "after" it was agreed.
    """

    game: str
    machines: int
    kind: str
    victim: str
    moment: str

    @property
    def name(self) -> str:
        """What the test is called."""
        return f"{self.machines}-{self.game}-{self.kind.replace(' ', '_')}-{self.victim}-{self.moment}"

    @property
    def options(self) -> tuple[str, ...]:
        """The house rules of a match that is short, and long enough for the kind to come."""
        if self.game == "tricks":
            return ("hands=4",) if self.kind == "complaint" else ("hands=1",)
        return (f"fiches={FICHES[self.machines] if self.kind in ON_FIVES else 3}", "fives=yes")

    @property
    def waits(self) -> bool:
        """Whether the match can't go on without the dead."""
        stopped = {"vote", "complaint"}  # by another who deals no more, or was convicted
        return self.machines == 2 or (self.machines == 4 and self.kind in stopped)


def deaths() -> list[Death]:
    """All of them."""
    return [
        Death(game, machines, kind, victim, moment)
        for machines in (2, 4, 8)
        for game in ("tricks", "zompa")
        for kind in (*STEPS, *KINDS)
        if kind != "agreed keys"  # first said before a match begins: see `test_conspirators`
        for victim in ("host", "guest")
        for moment in ("before", "after")
        if not (game == "zompa" and kind in HIDDEN_HANDS) and not (machines == 2 and kind in TO_TWO)
    ]


def faulty(fault: str) -> list[str]:
    """The program that fails in this way, and loses patience sooner than the real one."""
    return [*TT[:3], str(Path(__file__).with_name("faulty.py")), fault] if fault else HASTY


class Table:
    """A table where one will die.

    Args:
        hall: where it is.
        death: who dies when.
    """

    def __init__(self, hall: Hall, death: Death) -> None:
        self.hall = hall
        self.death = death
        fault, accomplice = f"{death.moment} {death.kind}", ACCOMPLICES.get(death.kind, "")
        fault = ",".join(filter(None, [REASONS.get(death.kind), fault]))
        dies = 0 if death.victim == "host" else death.machines - 1
        helps = 1 if dies == 0 else 0
        faults = {dies: fault, helps: accomplice}
        words = [word for option in death.options for word in ("--option", option)]
        host = hall.host(
            death.game, "--seats", str(death.machines), "--start", "full", "--bot", "random",
            "--away", "blind", "--stand-after", str(STAND_AFTER), *words, program=faulty(faults.get(0, "")),
        )  # fmt: skip
        guests = [
            hall.join("--bot", "random", program=faulty(faults.get(number, "")))
            for number in range(1, death.machines)
        ]
        self.players = [host, *guests]
        self.victim = self.players[dies]
        cheats = accomplice and accomplice not in HONEST_ENOUGH
        self.cheat = self.players[helps] if cheats else None

    @property
    def patience(self) -> float:
        """Seconds for what so many processes do on the cores of one machine."""
        return PATIENCE * 2 * (1 + self.death.machines)

    @property
    def others(self) -> list[Tt]:
        """Those who are there and play, whoever died."""
        return [player for player in self.players if player not in (self.victim, self.cheat)]

    @property
    def witness(self) -> Tt:
        """One that lives: a guest, if any guest does."""
        return [player for player in self.players if player is not self.victim][-1]

    def dead(self) -> None:
        """The victim is dead, by its own hand."""
        self.victim.process.wait(self.patience)
        assert self.victim.process.returncode == -signal.SIGKILL, self.victim.story()

    def missed(self) -> bool:
        """Those who are left notice; whether the match goes on, or has ended with a conviction."""
        said = self.witness.expect("is away|Lost contact with|State of the table", self.patience)
        return not said[0].startswith("State")

    def comes_back(self, fault: str = "") -> None:
        """The victim starts again, with nothing but its folder."""
        at, dead = self.players.index(self.victim), self.victim
        self.victim = self.players[at] = self.hall.join(
            "--bot", "random", name=dead.name, home=dead.home.name, port=self.witness.port(),
            program=faulty(fault),
        )  # fmt: skip

    def end(self) -> list[Tt]:
        """All that can be done was done: those who are left have ended the match."""
        left = self.others
        if self.death.waits and self.missed():
            self.comes_back()
            left.append(self.victim)
        if self.death.machines == 2 and self.cheat is not None:
            left.append(self.cheat)  # with it nobody is left to play with
        for player in left:
            player.done(self.patience)
        return left


def survive(hall: Hall, death: Death) -> None:
    """One dies at that moment: those who are left end alike, and their files prove every step."""
    try:
        _survive(hall, death)
    except AssertionError as error:
        for one in hall.all:
            error.add_note(one.story())
        raise


def _survive(hall: Hall, death: Death) -> None:
    table = Table(hall, death)
    table.dead()
    left = table.end()
    alike(*left)
    proven(hall, *left)
    every_change_shows(left[0], hall.folder)


def proven(hall: Hall, *players: Tt) -> None:
    """`tt verify` finds nothing wrong with any file; of those that are equal byte by byte, one is checked."""
    different = {player.matches()[-1].path.read_bytes(): player for player in players}
    checks = [hall.run("verify", home=player.home.name, program=HASTY) for player in different.values()]
    for one in checks:
        assert one.done(PATIENCE * len(players)) == 0, one.story()
        assert one.has("Verified: no problems found")


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """What a test changed about the patience of machines is changed back."""
    before = replace(PEOPLE)
    yield
    PEOPLE.silence, PEOPLE.stall, PEOPLE.empty = before.silence, before.stall, before.empty


def every_change_shows(player: Tt, folder: Path) -> None:
    """Another byte anywhere in a file, or in a signed entry with a checksum that fits: found, and where."""
    (kept,) = player.matches()
    header, chance = Header.of(kept.header), random.Random(kept.path.name)
    games: dict[str, type[Game[Any]]] = {"tricks": SealedTricks, "zompa": Zompa}
    rules = games[header.game]
    spoilt = folder / "spoilt.ttm"
    hurry()  # as the machines did whose votes are checked
    for _ in range(20):
        data, at = bytearray(kept.path.read_bytes()), chance.randrange(kept.size)
        data[at] ^= chance.randrange(1, 256)
        spoilt.write_bytes(data)
        with pytest.raises((Wrong, StoreError)) as found:
            check(read(spoilt), header, rules)
        if isinstance(found.value, Wrong):  # else not even its first record could be read
            assert "damaged from byte" in str(found.value)
            assert int(str(found.value.params["at"])) <= at
    target = chance.randrange(len(kept.log))
    with pytest.raises(Wrong) as wrong:
        check(with_another_byte(kept, folder, target), header, rules)
    assert wrong.value.params["number"] == int.from_bytes(kept.base[:NUMBER_SIZE], "big") + target + 1


def alike(*players: Tt) -> None:
    """All ended well, with the same end in their files and the same digest on their screens."""
    assert {player.process.returncode for player in players} == {0}
    ends = [player.end() for player in players]
    assert ends
    assert all(end == ends[0] for end in ends), ends
    digest = ends[0]["digest"]
    assert isinstance(digest, bytes)
    said = {line for player in players for line in player.lines if line.startswith("State of the table")}
    assert said == {f"State of the table: {digest.hex()}"}


def test_the_host_dies_in_the_middle_of_a_shuffle_and_the_others_play_on(hall: Hall) -> None:
    """What it did not prove is taken back; the others shuffle anew and finish."""
    survive(hall, Death("tricks", 3, "proof", "host", "before"))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="who comes back to a guest's port finds it in /proc")
@pytest.mark.parametrize("death", [pytest.param(death, id=death.name) for death in deaths()])
def test_anybody_dies_at_any_kind_of_message(hall: Hall, death: Death) -> None:
    """Two, four or eight machines; the host, or a guest, dies before or after each kind of message."""
    survive(hall, death)


@pytest.mark.long
def test_two_of_five_die_with_a_deal_between_and_the_three_wait(hall: Hall) -> None:
    """Four of five are needed, whoever is away: the four who are left make keys, the three then wait."""
    words = ("--start", "full", "--bot", "random", "--away", "blind", "--option", "hands=5",
             "--stand-after", str(STAND_AFTER))  # fmt: skip
    host = hall.host("tricks", "--seats", "5", *words, program=faulty("after answer"))
    guests = [hall.join("--bot", "random", program=HASTY) for _ in range(4)]
    assert host.process.wait(2 * PATIENCE) == -signal.SIGKILL
    heir = guests[0].expect(r"(\w+)'s computer now leads the table", PATIENCE)[1]
    second = next(guest for guest in guests if guest.name == heir)
    watch(guests[0], lambda entries: sum(is_of(entry, "agreed keys") for entry in entries) == 5 + 4)
    second.kill()
    for guest in guests:
        if guest is not second:
            guest.expect("Waiting for .*: dealing and opening cards takes 4 machines", 2 * PATIENCE)


def watch(player: Tt, seen: Callable[[list[MatchEntry]], bool]) -> None:
    """Wait until the entries in a player's file are so."""
    deadline = time.monotonic() + 2 * PATIENCE
    while not seen(player.matches()[-1].entries):
        assert time.monotonic() < deadline, player.story()
        time.sleep(0.1)
