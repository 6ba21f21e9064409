"""Evenings with a liar: whatever it says in whatever role, honest machines keep one log and go on."""

from __future__ import annotations

import os

import pytest
from tests.commit import NUMBER
from tests.protocol.grouplog.liars import ROLES, Cheat, evening

from tavolata_protocol.grouplog.mandates import Mandates
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


def again(seed: int, role: str, flags: str = "") -> str:
    return f"again: python -m tests.protocol.grouplog.liars {seed} {seed + 1} {role!r}{flags}"


EVENINGS = range(NUMBER, NUMBER + int(os.environ.get("TAVOLATA_LIARS", "2")))


@pytest.mark.battery
@pytest.mark.parametrize("role", ROLES)
def test_a_liar_costs_nobody_else_anything(role: str) -> None:
    """No honest peer is convicted, halted, put out or rolled back; one lineage; honest words become final."""
    for seed in EVENINGS:
        found = evening(seed, role)
        assert not found.broken, again(seed, role)


@pytest.mark.battery
@pytest.mark.parametrize("role", ROLES)
def test_an_honest_majority_goes_on_while_lies_do(role: str) -> None:
    """With a core that hears itself, each honest word is final within 12 s, though nothing else heals."""
    for seed in EVENINGS:
        found = evening(seed, role, core=True)
        assert not found.broken, (
            f"again: python -m tests.protocol.grouplog.liars {seed} {seed + 1} {role!r} --core"
        )


@pytest.mark.battery
@pytest.mark.parametrize("core", [False, True], ids=["all heals", "a core"])
@pytest.mark.parametrize("role", ["spectator", "learner", "voter", "past leader"])
def test_a_guest_that_repeats_and_mixes_what_others_said_costs_nobody_anything(role: str, core: bool) -> None:
    """Old mandates, commits and proposals are validly signed, and it may leave and come back at any time."""
    for seed in EVENINGS:
        found = evening(seed, role, core=core, kind=Cheat)
        assert not found.broken, again(seed, role, " --cheat" + " --core" * core)


@pytest.mark.parametrize("role", ["stranger", "spectator", "learner"])
def test_who_never_led_is_never_convicted(role: str) -> None:
    """Its two signed ends of a log are evidence of nothing."""
    assert not any(evening(seed, role).convicted for seed in range(2))


def test_a_mutant_that_takes_evidence_from_members_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If signatures counted against anybody at the table, a spectator would be convicted, as it was once."""
    usual = Mandates.has_led

    def anybody(self: Mandates, peer: PeerId) -> bool:
        return usual(self, peer) or peer in self._replica.configuration

    monkeypatch.setattr(Mandates, "has_led", anybody)
    assert any(evening(seed, "spectator").convicted for seed in range(2))


def test_every_message_is_lied_about() -> None:
    """A new message enters by itself."""
    said = set[str]()
    for seed in range(6):
        said |= set(evening(seed, "voter").said)
    assert said == {kind.__name__ for kind in wire.LogMessage.__args__}
