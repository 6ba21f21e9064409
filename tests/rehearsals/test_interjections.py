"""What several may do at any time, at a table of laptops: chosen things travel by value."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rehearsals.plan import Face, Plan, Seat
from tests.rehearsals.scenes import ANN, BOB, HOST, Scene, agreed, played
from typing_extensions import override

pytestmark = pytest.mark.battery

ALL = (HOST, ANN, BOB)
THINKS = (900.0, 900.0)
THREE = Plan(5, "colours", (Seat(Face.JSON, pace=THINKS),) * 3, dealer="host", limit=60.0)
TWO = replace(THREE, seats=(Seat(Face.PLAIN, pace=THINKS),) * 2)
GONE = {"en": "Your choice is no longer possible.", "it": "La tua scelta non è più possibile."}
DO = {"en": "do", "it": "fai"}


class Colours(Scene):
    """A match in which everybody may take a colour, until whoever is asked ends it."""

    file = Path(__file__).parents[1] / "core" / "colours.py"
    language = "en"
    """What Ann reads."""

    @override
    def _language(self, who: str) -> str:
        return self.language if who == ANN else "en"

    def says(self, who: str, **line: Any) -> None:
        self.type(who, json.dumps(line))

    async def colours(self, name: str) -> dict[str, int]:
        """Return what a program may take once the match has begun: by colour, its id."""
        await self.wait(3.0)
        self.says(name, type="full")
        await self.read('"standing":.*"take"', name)
        [take] = self.heard(name, "full")[-1]["standing"]
        return {one["text"]: one["id"] for one in take["kind"]["choices"]}

    def takings(self, name: str) -> list[str]:
        return [line["text"] for line in self.heard(name, "event")]

    async def to_the_end(self) -> None:
        for name in ALL:
            for ask in self.heard(name, "ask"):
                self.says(name, type="answer", id=ask["id"], answer=1)
        await self.until(self._is_over)


def test_who_meant_green_gets_green() -> None:
    """Two peers see red, green, blue; one takes red; the other chose green, and gets it."""

    async def script(table: Colours) -> None:
        colours = await table.colours(BOB)
        assert [*colours] == ["red", "green", "blue"]
        table.says(ANN, type="do", name="take", answer=colours["red"])
        await table.read("Ann takes red", *ALL)
        table.says(BOB, type="do", name="take", answer=colours["green"])
        await table.read("Bob takes green", *ALL)
        await table.to_the_end()

    assert agreed(Colours(THREE, script)).ends[0]["outcome"]["winners"] == [1, 2]


def test_of_two_who_want_red_one_gets_it_and_the_other_is_told() -> None:
    """Both say red at once: on all peers one has it; the other, and nobody else, is told that it's gone."""

    async def script(table: Colours) -> None:
        red = (await table.colours(ANN))["red"]
        for name in (ANN, BOB):
            table.says(name, type="do", name="take", answer=red)
        await table.wait(5.0)
        await table.to_the_end()

    table = agreed(Colours(THREE, script))
    [told] = table.takings(HOST)
    assert told in ("Ann takes red.", "Bob takes red.")
    assert table.takings(ANN) == table.takings(BOB) == [told]
    winner, loser = (ANN, BOB) if told.startswith(ANN) else (BOB, ANN)
    told_so = {one: sum(GONE["en"] in line for line in table.lines[one]) for one in ALL}
    assert told_so == {HOST: 0, winner: 0, loser: 1}
    names = table.heard(HOST, "full")[-1]["names"]
    done = [table.heard(one, "end")[-1]["statistics"]["interjections"] for one in ALL]
    assert done == [[int(name == winner) for name in names]] * 3


@pytest.mark.parametrize("language", ["en", "it"])
def test_who_types_what_is_gone_reads_so_in_their_own_language(language: str) -> None:
    """In lines, a number means the row that was shown; what is gone by then is told in one sentence."""

    async def script(table: Colours) -> None:
        await table.wait(3.0)
        for name, word in ((HOST, "do"), (ANN, DO[language])):
            table.type(name, word)
            await table.read(r"3\. take blue", name)
        table.type(HOST, "do 2")
        await table.read("Host takes green", HOST, ANN)
        table.type(ANN, f"{DO[language]} 2")
        await table.read(re.escape(GONE[language]), ANN)
        table.type(ANN, f"{DO[language]} 3")
        await table.read("Ann takes blue", HOST, ANN)
        assert not table.has(HOST, re.escape(GONE["en"]))

    table = Colours(TWO, script)
    table.language = language
    played(table)
