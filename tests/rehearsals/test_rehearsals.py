"""Evenings: the plans that once broke something, and some that a seed draws."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.commit import NUMBER, a_part
from tests.rehearsals import disk as rehearsed_disk
from tests.rehearsals import minds
from tests.rehearsals.family import play
from tests.rehearsals.known import KNOWN
from tests.rehearsals.laptops import here
from tests.rehearsals.plan import Act, Deed, Face, Lie, Moment, Plan, Seat, drawn
from tests.rehearsals.shrink import shrink

from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.review import verify
from tavolata._engine.review.findings import Findings
from tavolata._engine.storage import match_file
from tavolata._engine.thinking.thoughts import Reply
from tavolata._engine.thinking.worker import Request, answered
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata.view import View
from tavolata_protocol import admission
from tavolata_protocol.admission import LIMITS, Entrance, Limit

KEPT = Path(__file__).parent / "kept"
MANY = os.environ.get("TAVOLATA_REHEARSALS")
FRESH = range(1, 1 + int(MANY)) if MANY else a_part(range(1, 49), 12)


class Kept(msgspec.Struct):
    """A plan that broke something once; `issue` names what has to be mended before it holds, if anything."""

    story: str
    plan: Plan
    issue: str = ""


def kept() -> Sequence[object]:
    found: list[object] = []
    for file in sorted(KEPT.glob("*.json")):
        one = msgspec.json.decode(file.read_bytes(), type=Kept)
        marks = [pytest.mark.xfail(reason=one.issue, strict=True)] if one.issue else []
        found.append(pytest.param(one, id=file.stem, marks=marks))
    return found


@pytest.mark.battery
@pytest.mark.parametrize("one", kept())
def test_what_broke_once_holds(one: Kept) -> None:
    """Each plan in `kept/` is the smallest that broke something."""
    report = play(one.plan)
    assert not report.broken, said(one.plan, report.broken)


@pytest.mark.battery
@pytest.mark.parametrize("seed", FRESH)
def test_an_evening_breaks_nothing(seed: int) -> None:
    """All that must hold does, in an evening that a seed has drawn."""
    plan = drawn(seed, KNOWN)
    report = play(plan)
    assert not report.broken, said(plan, report.broken)


@pytest.mark.battery
@pytest.mark.parametrize("liar", [0, 2, 3], ids=["the host", "a player", "a spectator"])
def test_a_machine_that_says_anything_breaks_nothing(liar: int) -> None:
    """At the level of a table, too: the others keep one log, their seats and their match."""
    seats = (*(Seat(Face.JSON) for _ in range(3)), Seat(watches=True))
    plan = Plan(NUMBER, "zompa", seats, {"fiches": 1}, lie=Lie.ANYTHING, liar=liar, limit=400.0)
    report = play(plan)
    assert not report.broken, said(plan, report.broken)


def said(plan: Plan, broken: object) -> str:
    """Return what a failure prints: the property, the plan, and the command that plays it again."""
    return f"{broken}\n{plan.packed().decode()}\nAgain: python -m tests.rehearsals {plan.seed} --say"


SERVED = [
    "".join(map(str, served))
    for machines in (1, 2, 3)
    for served in product(range(4), repeat=machines)
    if machines + sum(served) <= 8
]
"""The tables of Il Conto with up to three machines: how many people in browsers each of them serves."""


@pytest.mark.battery
@pytest.mark.parametrize("served", a_part(SERVED, 16))
def test_tt_verify_accepts_a_match_with_people_in_browsers(served: str) -> None:
    """The room's acceptance 2: with none to three on each machine, all have a right file of the match."""
    seats = tuple(Seat(Face.JSON, phones=int(phones)) for phones in served)
    bots = ("random",) * (3 - sum(map(int, served)) - len(seats))
    report = play(Plan(5, "conto", seats, {"hands": 1}, bots))
    assert not report.broken, said(report.plan, report.broken)
    assert report.finished == report.matches == len(seats)


TWO = Plan(5, "zompa", (Seat(Face.JSON), Seat(Face.JSON)), {"fiches": 1})


def test_a_plan_is_plain_data() -> None:
    """What is printed is what is played."""
    for seed in range(20):
        plan = drawn(seed)
        assert Plan.of(plan.packed()) == plan


@pytest.mark.battery
def test_a_world_that_never_heals_breaks_the_rule_of_ends() -> None:
    """Else that rule would hold whatever happens."""
    cut = Act(0.0, Deed.SPLIT, 0, 10_000.0, entry=20)
    report = play(replace(TWO, acts=(cut,), heals=False, limit=60.0))
    assert [one.name for one in report.broken] == ["a match goes on where all are there"] * 2


@pytest.mark.battery
def test_shrinking_keeps_only_what_breaks() -> None:
    """Of several deeds and machines the one is left without which nothing breaks."""
    acts = (
        Act(1.0, Deed.SAY, 0), Act(2.0, Deed.RENAME, 1), Act(0.0, Deed.SPLIT, 0, 10_000.0, entry=20),
        Act(3.0, Deed.CLOCK, 1, 5.0),
    )  # fmt: skip
    seats = (*TWO.seats, Seat(watches=True))
    report = play(replace(TWO, seats=seats, acts=acts, heals=False, limit=40.0, loss=0.01))
    assert report.broken
    small = shrink(report, most=60).plan
    assert [act.what for act in small.acts] == [Deed.SPLIT]
    assert len(small.seats) == 2
    assert small.loss == 0


@pytest.mark.battery
def test_a_thinker_thinks_here_and_answers_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started, and what is weighed is what the worker weighs."""
    replies: list[Reply] = []

    def noted(request: Request) -> Reply:
        replies.append(answered(request))
        return replies[-1]

    monkeypatch.setattr(minds, "answered", noted)
    report = play(Plan(5, "horse-fever", (Seat(), Seat(None, "thinker")), {"turns": 1}))
    assert not report.broken
    assert report.finished == report.matches == 2
    assert any(reply.playouts for reply in replies)
    assert not any(reply.problem for reply in replies)


@pytest.mark.parametrize("deed", [Deed.REBIND, Deed.MOVE, Deed.CABLE, Deed.NARROW])
def test_a_match_outlives_a_change_of_the_network(deed: Deed) -> None:
    """The table follows a machine to another port or address, and past a way that carries less."""
    report = play(replace(TWO, acts=(Act(0.0, deed, 1, entry=20),)))
    assert not report.broken
    assert report.finished == 2
    assert deed.value in {what for what, _ in report.met}


@pytest.mark.battery
def test_people_play_another_game_after_the_first() -> None:
    """They stay at the table, and the host says which game comes next."""
    report = play(replace(TWO, more=("zompa", "four")))
    assert not report.broken
    assert report.finished == report.matches == 6


@pytest.mark.battery
def test_a_screen_of_somebody_elses_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """On one machine three people play, and each sees the hand of the next."""
    usual = Match.view

    def next_one(match: Match[Any], seat: int | None) -> View:
        return usual(match, seat if seat is None else (seat + 1) % len(match.terms.names))

    plan = Plan(5, "conto", (Seat(phones=2), Seat(), Seat()), {"hands": 1})
    monkeypatch.setattr(Match, "view", next_one)
    assert {one.name for one in play(plan).broken} == {"no face shows what only others may know"}


def test_replicas_that_tell_different_stories_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests don't have what is only told."""
    usual = Match._tell

    def its_own(match: Match[Any], on_event: Any, message: str, params: dict[str, Any], *rest: Any) -> None:
        computer = here()
        usual(match, on_event, message, params | {"by": "" if computer is None else computer.name}, *rest)

    monkeypatch.setattr(Match, "_tell", its_own)
    assert {one.name for one in play(TWO).broken} == {"replicas tell one story"}


@pytest.mark.battery
def test_an_evening_changes_no_module() -> None:
    """Machines share this process: what one of them left in a module, another would find."""
    play(TWO)
    before = modules()
    play(TWO)
    after = modules()
    assert [name for name, held in after.items() if before.get(name) != held] == []


def modules() -> dict[tuple[str, str], tuple[int, int]]:
    """Return what the product's modules and classes hold: which object, and how large."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for name, module in list(sys.modules.items()):
        if not name.startswith("tavolata"):
            continue
        for key, value in list(vars(module).items()):
            inside = vars(value) if isinstance(value, type) and value.__module__ == name else {}
            for inner, held in ((key, value), *((f"{key}.{one}", it) for one, it in list(inside.items()))):
                size = len(held) if isinstance(held, dict | list | set | deque) else 0
                found[name, inner] = id(held), size
    return found


@pytest.mark.battery
def test_a_flipped_bit_that_verify_accepts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that accepts whatever it is given is told from the real one."""
    usual = verify.check

    def checked(kept: match_file.Kept, header: Header, rules: type[Game[Any]]) -> Findings:
        try:
            return usual(kept, header, rules)
        except MessageError:
            return Findings()

    assert not play(TWO).broken
    monkeypatch.setattr(verify, "check", checked)
    broken = [one.name for seed in range(5, 9) for one in play(replace(TWO, seed=seed)).broken]
    assert set(broken) == {"tt verify finds a flipped bit"}


def test_an_evening_checks_match_files_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a long evening are larger than other files may be; copies of the log are, too."""
    rows = {**LIMITS, Entrance.FILES: Limit(0, 0, size=4096)}
    monkeypatch.setattr(admission, "LIMITS", rows)
    monkeypatch.setattr(rehearsed_disk, "LIMITS", rows)
    acts = (Act(0.0, Deed.KILL, 1, 3.0, entry=40), Act(0.0, Deed.FLIPPED_BIT, 1, 3.0, entry=80))
    report = play(replace(TWO, acts=acts))
    assert not report.broken
    assert report.finished == 2


@pytest.mark.battery
@pytest.mark.parametrize("moment", [
    Moment.JOINS, Moment.STANDS, Moment.VOTES, Moment.HANDS_OVER, Moment.RETURNS, Moment.ENDS,
])  # fmt: skip
def test_a_moment_comes_and_what_waits_for_it_is_done(moment: Moment) -> None:
    """In a join, an election, a handover, a return or at an end something can happen, and breaks nothing."""
    leaves = Deed.QUIT if moment is Moment.HANDS_OVER else Deed.KILL
    acts = (Act(0.0, leaves, 0, 5.0, entry=22), Act(0.0, Deed.SLEEP, 0, 2.0, moment=moment))
    report = play(replace(TWO, seats=(*TWO.seats, Seat()), acts=acts))
    assert not report.broken
    assert (Deed.SLEEP.value, moment.value) in report.met


@pytest.mark.battery
@pytest.mark.parametrize(("moment", "deeds"), [
    (Moment.BEGINS, [Deed.PHONE_LEAVES]), (Moment.ASKS, [Deed.KILL]),
    (Moment.ASKS, [Deed.PHONE_DIES, Deed.KILL]),
])  # fmt: skip
def test_a_match_goes_on_without_a_telephone_or_asks_it_again(moment: Moment, deeds: list[Deed]) -> None:
    """Somebody leaves while all say that they're in, or a machine dies whose phone has a question."""
    acts = tuple(Act(0.0, deed, 0, 3.0, moment=moment) for deed in deeds)
    plan = replace(TWO, seats=(Seat(phones=2), Seat()), options={"fiches": 2}, acts=acts)
    report = play(plan)
    assert not report.broken
    assert report.finished == report.matches == 2
    assert report.met >= {(deed.value, moment.value) for deed in deeds}
