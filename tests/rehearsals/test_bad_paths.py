"""Paths that drop long packets, or lose, delay, repeat and spoil what passes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.rehearsals.network import Link
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, HOST, Coded, finished, played
from typing_extensions import override

from tavolata._cli.failures import REFUSED

pytestmark = pytest.mark.battery

BOT = Seat(Face.PLAIN, "random")
TWO = Plan(3, "tricks", (BOT, BOT))
IN_JSON = replace(TWO, seats=(replace(BOT, face=Face.JSON),) * 2, options={"hands": 3})
PATHS = ((HOST, ANN), (ANN, HOST))


class Narrow(Coded):
    """No path carries packets of more than `mtu` bytes once somebody reads `after`, or from the start."""

    def __init__(self, plan: Plan, mtu: int, after: str = "", script: Any = None) -> None:
        super().__init__(plan, script)
        self._mtu = mtu
        self._after = after

    @override
    async def _main(self) -> None:
        if not self._after:
            self._narrow()
        await super()._main()

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        if self._after and self._after in text:
            self._narrow()

    def _narrow(self) -> None:
        for ends in PATHS:
            self.world.network.link(*ends).mtu = self._mtu


@pytest.mark.parametrize("mtu", [1000, 620])
def test_a_match_over_a_path_that_never_carried_long_packets(mtu: int) -> None:
    """The guest joins with shorter packets, and the match is played to its end."""
    assert finished(Narrow(TWO, mtu)).report.seconds < 60


def test_a_match_goes_on_when_the_path_begins_to_drop_long_packets() -> None:
    """From the first trick on all packets above 1000 bytes are lost; it ends all the same, on both alike."""
    evening = finished(Narrow(replace(TWO, options={"hands": 4}), 1000, "has taken 1 trick."))
    assert evening.has(ANN, r"has taken 1 trick\.")
    assert evening.report.seconds < 60


def test_a_path_for_tiny_packets_only_is_named() -> None:
    """Where only 330 bytes get through, whoever joins reads that, and not that nobody is there."""

    async def try_once(table: Narrow) -> None:
        await table.wait(1.0)
        table.join(ANN)
        await table.until(table._tasks[ANN].done, 60)

    evening = Narrow(replace(TWO, game="zompa", seats=(BOT, replace(BOT, joins_at=1.0))), 330, "", try_once)
    evening.most = 2
    assert "is dropping packets of more than a few hundred bytes" in played(evening).report.ends[ANN]
    assert evening.codes == {ANN: REFUSED}


class Spoiling(Link):
    """Each datagram arrives twice, cut, lengthened, and with a bit changed."""

    @override
    def carry(self, data: bytes) -> list[tuple[float, bytes]]:
        chance = self.chance
        spoilt = bytearray(data)
        spoilt[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        versions = (
            data, data, data[: chance.randrange(len(data) + 1)],
            data + chance.randbytes(chance.choice((1, 16, 3000))), bytes(spoilt),
        )  # fmt: skip
        return [(self.delay[0], version) for version in versions]


class Spoilt(Coded):
    """All paths spoil what passes."""

    @override
    async def _main(self) -> None:
        for source, target in PATHS:
            chance = self.world.stream(f"link {source} {target}")
            self.world.network._links[source, target] = Spoiling(chance)
        await super()._main()


def test_a_path_that_cuts_lengthens_repeats_and_spoils() -> None:
    """A guest whose every datagram arrives in five versions, two of them right, plays as everybody does."""
    evening, usual = finished(Spoilt(IN_JSON)), finished(Coded(IN_JSON))
    for name in (HOST, ANN):
        assert evening.heard(name, "notice") == usual.heard(name, "notice")


class Stormy(Coded):
    """A third of all datagrams is lost, others overtake each other or come twice, all up to 95 ms late."""

    @override
    async def _main(self) -> None:
        self.world.network.usual |= {"delay": (0.0, 0.095)}
        await super()._main()


def test_a_whole_match_through_a_storm() -> None:
    """A guest plays to the same end as the host."""
    assert finished(Stormy(replace(TWO, loss=0.3, repeat=0.1))).report.seconds < 120
