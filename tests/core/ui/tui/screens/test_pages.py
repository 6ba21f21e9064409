"""What can be read beside or over the table."""

from __future__ import annotations

import asyncio

import pytest
from rich.cells import cell_len
from tests.core.ui.tui.playing import screen, session

from tavolata._engine.match.updates import Hinted
from tavolata._ui.scene.say import in_ascii


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.mark.battery
def test_seats_rules_and_help_can_be_read() -> None:
    """`s` names the seats, `r` shows the rules and hides them, ? every key and sign."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0), (90, 40)) as played:
            await played.asked()
            await played.press("s")
            await played.until("2. Berto (bot)")
            await played.press("r")
            await played.until("Play well.")
            await played.press("slash", *"rules", "space", *"one", "enter")
            await played.until("First things.")
            assert "Play well." not in played.text()
            await played.press("slash", *"rules", "space", "x", "enter")
            await played.until("No chapter called x")
            await played.press("escape")
            await played.until("Pack")
            await played.press("question_mark")
            await played.until("Active keys")
            await played.press("end")
            await played.until("▒2: two things you can't see")

    asyncio.run(play())


def test_a_page_that_scrolls_has_no_letter_under_its_scroll_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80x24 the rules of Il Conto said "in cucina ci sono e fors no": the bar lay on the last letter."""
    monkeypatch.setattr("tests.core.ui.tui.playing.RULES", "# Rules\n\n" + "window " * 999)

    async def play() -> None:
        async with screen(session("conto", 3), (80, 24)) as played:
            await played.asked()
            await played.press("r")
            page = played.app.sheet("page")
            await played.until("window window")
            assert page.block.height > page.size.height
            room = page.scrollable_content_region.width
            assert (
                max(cell_len("".join(text for text, _ in line).rstrip()) for line in page.block.lines) <= room
            )

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_ascii_cuts_no_line(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs that ASCII spells with two letters have room: in log, rules, help, hints and the prompt."""
    long = "È " * 99
    monkeypatch.setattr("tests.core.ui.tui.playing.RULES", long)

    async def play() -> None:
        async with screen(session("conto", 3), size, "it", ascii=True) as played:
            app = played.app
            await played.asked()
            app.model.write(long)
            app.model.take(Hinted(long))
            app.pages.show_lines("seats", [long])
            for view in ("seats", "log", "rules", "help"):
                app.pages.view, app.prompt.trouble = view, long
                app.draw()
                await played.pilot.pause()
                for name in ("table", "page", "side", "prompt", "news", "keys"):
                    sheet = app.sheet(name)
                    rows = ["".join(text for text, _ in row).rstrip() for row in sheet.block.lines]
                    room = sheet.scrollable_content_region.width
                    cut = [row for row in rows if len(in_ascii(row)) > room]
                    assert not sheet.display or cut == [], (view, name)
            app.pages.close_page()
            app.draw()
            await played.pilot.pause()
            assert "E' E' " in played.text()

    asyncio.run(play())


@pytest.mark.battery
def test_the_end_of_the_log_stays_in_view() -> None:
    """Whatever a question does to its room, the newest line can be read; who scrolls up stays there."""

    async def play() -> None:
        async with screen(session("conto", 3), (100, 24)) as played:
            model, side = played.app.model, played.app.sheet("page")
            await played.asked()
            await played.press("l")
            for number in range(16):
                await played.asked()
                if model.ended is not None:
                    break
                await played.press("enter" if number % 3 else "down")
                await played.pilot.pause()
                last = "".join(text for text, _ in side.block.lines[-1])
                assert side.scroll_offset.y + side.size.height >= side.block.height
                assert last.strip() in played.text()
            side.scroll_home(animate=False, immediate=True)
            model.write("one more line")
            played.app.draw()
            await played.pilot.pause()
            assert side.scroll_offset.y == 0

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 36), (160, 50)])
def test_stage_check_19_no_page_covers_the_button_or_the_pointed_choice(size: tuple[int, int]) -> None:
    """With the log, the rules or the help open, all cells of the decision are what they were without."""

    async def play() -> None:
        async with screen(session("conto", 3), size) as played:
            await played.asked()
            before = played.text().split("\n")
            plan = played.app.plan()
            assert plan is not None
            left = plan.decision
            button = next(y for y, row in enumerate(before) if "⏎" in row)
            choice = next(y for y, row in enumerate(before) if row.lstrip().startswith("❯"))
            for page in ("l", "r", "question_mark"):
                await played.press(page)
                await played.until(lambda: played.app.query_one("#page").display)
                await played.pilot.pause()
                rows = played.text().split("\n")
                assert button >= left.y <= choice
                for y in range(left.y, left.y + left.height):
                    assert rows[y][: left.width] == before[y][: left.width], (page, rows[y])
                await played.press("escape")

    asyncio.run(play())
