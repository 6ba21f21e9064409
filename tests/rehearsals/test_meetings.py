"""Features that seldom meet: what each of them promises holds while the other happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.rehearsals.family import NAMES, Evening, _match_files
from tests.rehearsals.laptops import here
from tests.rehearsals.people import Json
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.table.matches import Matches
from tavolata._ui.endings import BROKEN_OFF

HOST, ANN, BOB, CY = NAMES[:4]
PHONES = Plan(
    5, "zompa", (Seat(Face.JSON, phones=2), Seat(Face.PLAIN, phones=1), Seat(Face.JSON)), {"fiches": 2}
)
DIGEST = Matches.digest


class Heard(Evening):
    """An evening of which all is kept that people see.

    Attributes:
        pages: by telephone, the states that its page got.
        lines: by person at a laptop, the lines that they read.
        ends: what the machines stored of how the match ended.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.pages: dict[str, list[Json]] = {}
        self.lines: dict[str, list[str]] = {}
        self.ends: list[Any] = []

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        if who == computer:
            self.lines.setdefault(who, []).append(text)
        elif (state := json.loads(text))["type"] == "state":
            self.pages.setdefault(who, []).append(state)

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for computer in self.world.computers.values():
            self.ends += [kept.end for _, kept in computer.within(_match_files)]


class Drifting(Heard):
    """From some moment on, the state of the match is another one on Bob's machine."""

    @override
    def break_(self, name: str, who: str, seen: str) -> None:
        if name != "replicas agree":
            super().break_(name, who, seen)


@pytest.mark.parametrize("from_when", [lambda match: match.turns > 1, lambda match: match.over],
                         ids=["in the match", "after its end"])  # fmt: skip
def test_everybody_at_a_phone_reads_that_a_match_is_void(
    monkeypatch: pytest.MonkeyPatch, from_when: Callable[[Match[Any]], bool]
) -> None:
    """Each page says so and names no winner, as the lines do, even if the match seemed to be over."""

    def digest(matches: Matches) -> bytes:
        computer, found = here(), DIGEST(matches)
        drifts = matches.last is not None and from_when(matches.last.match)
        return bytes(len(found)) if drifts and computer is not None and computer.name == BOB else found

    monkeypatch.setattr(Matches, "digest", digest)
    evening = Drifting(PHONES)
    report = evening.play()
    assert not report.broken, report.broken
    assert [end["outcome"] for end in evening.ends] == [None] * 3
    for name in (f"{HOST}'s 0", f"{HOST}'s 1", f"{ANN}'s 0"):
        scene = evening.pages[name][-1]["scene"]
        assert scene["end"] == {"headline": BROKEN_OFF}, name
        assert any(line["text"].startswith("Void: ") for line in scene["story"]), name
    assert [line for line in evening.lines[ANN] if line == BROKEN_OFF or " wins" in line][-1] == BROKEN_OFF
    *_, last = (said for line in evening.lines[HOST] if (said := json.loads(line))["type"] == "end")
    assert last["outcome"] is None
