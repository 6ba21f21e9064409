"""One machine lies at a table of honest ones: its word moves nobody, and its signatures convict it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.commit import a_part
from tests.network.equivocating import TwoFacedSession
from tests.rehearsals.family import NAMES, _match_files, _rules
from tests.rehearsals.plan import Face, Lie, Plan, Seat
from tests.rehearsals.scenes import HOST, Scene, played
from typing_extensions import override

from tavolata._engine.dealing import steps
from tavolata._engine.match.header import Header
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.review.verify import check
from tavolata._ui.i18n import Translator

pytestmark = pytest.mark.battery

BOT = Seat(None, "random")
THREE = Plan(5, "rockets", (Seat(Face.PLAIN),) * 3, {"goal": 3}, idle=60, lie=Lie.OF_OTHERS, limit=300.0)
DECEIVED = Plan(5, "horse-fever", (BOT,) * 3, {"turns": 1}, away="blind", lie=Lie.TWO_LOGS)
LEAVES = "|is the host now"
"""What is said when the host leaves after the end, too."""
MOVED = r"is away: |A bot on the machine|left the match|was broken off|cheated|has removed" + LEAVES
"""What is said of somebody whom a lie has moved."""


class Waiting(Scene):
    """A table at which the honest answer nothing for a while, and then play to the end."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, Waiting._wait_and_play)
        self.honest = [name for at, name in enumerate(NAMES[:3]) if at != plan.liar]

    async def _wait_and_play(self) -> None:
        await self.wait(53.0)
        for name in self.honest:
            assert self._sessions[name].state.matches.running
            assert not self.has(name, MOVED), self.lines[name]
        await self.finish(*self.honest)


@pytest.mark.parametrize("liar", a_part([0, 2, 3], 3), ids=["the host", "a guest", "a spectator"])
def test_every_lie_about_others_is_void(liar: int) -> None:
    """All stay and play their own seats while every lie is told, and the files verify."""
    seats = [*THREE.seats, *([Seat(watches=True)] if liar == 3 else [])]
    if liar < 3:
        seats[liar] = BOT
    table = played(Waiting(replace(THREE, seats=tuple(seats), liar=liar)))
    for name in table.honest:
        assert not table.has(name, MOVED.removesuffix(LEAVES)), table.lines[name]
    assert [end["outcome"] is not None for end in table.ends] == [True] * len(seats)


class TwoFaced(Scene):
    """An evening whose host tells Ann another log, from the first such `step` of the dealing on.

    Attributes:
        told: by honest machine, what `tt verify` says of its file.
    """

    def __init__(self, plan: Plan, step: int) -> None:
        super().__init__(plan)
        self._step = step
        self.told: dict[str, list[str]] = {}

    @override
    def _person(self, session: PeerSession, *others: Any) -> Any:
        if isinstance(session, TwoFacedSession):
            session.step = self._step
        return super()._person(session, *others)

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for name, computer in self.world.computers.items():
            if name != HOST:
                self.told[name] = computer.within(_verified)


def _verified() -> list[str]:
    """Return what `tt verify` says of this machine's match that is over."""
    told = list[str]()
    for _, kept in _match_files():
        if kept.end is not None and kept.end["outcome"] is not None:
            header = Header.of(kept.header)
            found = check(kept, header, _rules(header.game))
            told += [Translator("en").text(message, params) for message, params in found.told]
    return told


def convicted(plan: Plan, step: int) -> TwoFaced:
    """Play an evening with a leader that equivocates, which the others notice."""
    evening = played(TwoFaced(plan, step))
    honest = NAMES[1 : len(plan.seats)]
    said = "As leader, Host signed two versions"
    assert any(said in line for name in honest for line in evening.lines[name])
    for name in honest:
        assert "Host's machine was convicted in this match" in " ".join(evening.told[name])
    return evening


@pytest.mark.parametrize("step", [steps.DECK, steps.CARDS], ids=["deck", "cards"])
@pytest.mark.parametrize("peers", a_part([3, 4], 2))
def test_the_match_goes_on_without_a_leader_that_equivocates(peers: int, step: int) -> None:
    """The host tells one guest another log: all others name it, end alike, and their files prove it."""
    evening = convicted(replace(DECEIVED, seats=(BOT,) * peers), step)
    assert evening.report.finished == peers - 1


def test_a_private_table_is_joined_again_without_its_code() -> None:
    """Whoever has to follow to another leader is known there as a member: nobody is asked for the code."""
    evening = convicted(replace(DECEIVED, private=True), steps.DECK)
    story = [line for _, line in evening.report.story]
    assert any(" follows to " in line for line in story)
    assert not any(" resumes" in line for line in story), story
