"""The table screen under keys, sizes and languages; every match here is a real one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.core.ui.tui.playing import PATIENCE, play_by_keys, screen, session
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Closed, Told
from tavolata._engine.sessions.guided import Guided
from tavolata._ui.tui.model.prompt import chosen
from tavolata._ui.tui.screens.frame import Left
from tavolata.cards import Card
from tavolata.errors import Refused

GAMES = ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def test_a_match_is_played_by_keys_alone() -> None:
    """Enter and arrows play a match of Zompa from the first card to the winner's name."""

    async def play() -> None:
        async with screen(session("zompa", 2, fiches=1, fives="yes")) as played:
            await play_by_keys(played)
            await played.until(" wins")
            assert played.app.model.ended is not None

    asyncio.run(play())


def test_a_branch_is_answered_step_by_step_and_taken_back() -> None:
    """Enter goes to what follows, Backspace comes back; only the last Enter sends the call and the card."""

    async def play() -> None:
        async with screen(session("conto", 3)) as played:
            await played.asked()
            before = played.app.model.asks[0]
            await played.until("Order one card")
            if not played.app.model.question().draft.given:  # type: ignore[union-attr]  # it is asked
                await played.press("1", "enter")
            await played.until("You call ❯")
            await played.press("enter")
            await played.until("You show ❯")
            await played.press("backspace")
            await played.until("You call ❯")
            await played.press("enter", "enter")
            await played.until(lambda: before not in played.app.model.asks)

    asyncio.run(play())


def test_an_order_is_taken_one_after_the_other() -> None:
    """Space takes the next one, Backspace gives it back, Enter sends the order."""

    async def play() -> None:
        async with screen(session("jumpy-jack", 2)) as played:
            await played.asked()
            await played.press("3", "space", "1", "space", "backspace", "2", "space", "4", "space")
            before = played.app.model.asks[0]
            await played.press("enter")
            await played.until(lambda: before not in played.app.model.asks)
            await played.until("│ red (R), black")

    asyncio.run(play())


@pytest.mark.battery
def test_what_is_asked_stays_in_view_and_so_does_what_one_has() -> None:
    """With more choices than lines they are paged; the question and what one has stay where they are."""

    async def play() -> None:
        async with screen(session("horse-fever", 3, seed=3)) as played:
            await played.until("Bet on ❯")
            await played.press("pagedown", *["down"] * 9)
            text = played.text()
            assert "12 of 12" in text
            assert "Your bet: at least 200 D." in text
            assert "Bet on ❯" in text
            assert "● Ann you" in text
            before = played.app.model.asks[0]
            await played.press("enter", "enter")
            await played.until(lambda: before not in played.app.model.asks)

    asyncio.run(play())


def seated(game: str) -> Any:
    """Three at a table of this game, one of them a person, who is asked something soon."""
    return session(game, 3, pace=0 if game == "zompa" else None)


@pytest.mark.battery
@pytest.mark.parametrize(("game", "lang"), [("zompa", "en"), *((game, "it") for game in GAMES)])
def test_ascii_is_ascii_in_both_languages(game: str, lang: str) -> None:
    """With --ascii nothing else is drawn: board, question, log, rules, help."""

    async def play() -> None:
        async with screen(seated(game), (120, 40), lang, ascii=True) as played:
            for _ in range(4):
                await played.asked()
                await played.press("enter")
            for key in ("r", "r", "question_mark"):
                await played.press(key)
                await played.pilot.pause()
                assert played.text().isascii(), [
                    row for row in played.text().split("\n") if not row.isascii()
                ]

    asyncio.run(play())


@pytest.mark.battery
def test_check_24_several_people_have_a_curtain_between_their_secrets() -> None:
    """Nothing of a hand is on the screen before its owner has pressed Enter, nor after the answer."""

    def hidden(model: Any, seat: int) -> list[str]:
        """What of a hand only its owner may read, as the screen would write it."""

        def faces(who: int | None) -> dict[int, str]:
            hands = [zone for zone in model.match.view(who).zones().values() if zone.kind == "hand"]
            return {card.id: str(card.face) for zone in hands for card in zone.content if card.face}

        public = faces(None)
        return [face for card, face in faces(seat).items()
                if card not in public and face not in public.values() and face != "Joker"]  # fmt: skip

    async def play() -> None:
        async with screen(session("conto", 3, humans=2), (100, 40)) as played:
            model = played.app.model
            seen = 0
            while seen < 4:
                await played.until(lambda: model.asks)
                await played.pilot.pause()
                seat = model.curtain()
                if seat is not None:
                    words = hidden(model, seat)
                    assert "look away" in played.text()
                    assert "▒" not in played.text()  # nothing lies on a curtain, not even a hidden card
                    assert words
                    assert not [word for word in words if word in played.text()]
                    await played.press("enter")
                    await played.pilot.pause()
                    assert all(word in played.text() for word in words)
                    seen += 1
                ask = model.asks[0]
                await played.press("enter")
                await played.pilot.pause()
                if ask in model.asks:
                    await played.press("right")  # that card does not fit the call; the next one may

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize("size", [(100, 40), (40, 12)])
def test_what_one_person_opened_closes_with_the_curtain(size: tuple[int, int]) -> None:
    """A hand in full and the palette are only for the person who opened them, on a screen of any size."""

    async def play() -> None:
        async with screen(session("conto", 3, humans=2), size) as played:
            app, model = played.app, played.app.model
            await played.until(lambda: model.curtain() is not None)
            await played.press("enter")
            match, ask = model.match, model.asks[0]
            assert match is not None
            own = next(one for one in match.view(ask.seat).zones().values()
                       if one.kind == "hand" and one.seat == ask.seat)  # fmt: skip
            app.pages.describe(own.id)
            await played.press("ctrl+p")
            assert (app.pages.view, app.prompt.palette is None) == ("zone", False)
            model.take(Closed(ask, late=True))
            app.draw()
            assert (app.pages.view, app.prompt.palette) == ("table", None)
            app.pages.turn_to("log")
            app.draw()
            assert app.pages.view == "log"

    asyncio.run(play())


def test_a_card_on_the_board_can_be_clicked() -> None:
    """The first click points at a card of one's hand, the second sends it."""

    async def play() -> None:
        async with screen(session("conto", 3), (100, 40)) as played:
            model = played.app.model
            while True:
                await played.asked()
                question = model.question()
                assert question is not None
                if isinstance(question.draft.choices[0].value, Card):
                    break
                await played.press("enter")  # the call comes first
            ask = model.asks[0]
            spots = [spot for spot in played.app.sheet("table").block.spots
                     if spot.thing[0] == "choice" and spot.height > 2]  # fmt: skip
            assert len(spots) > 2
            at = spots[question.draft.cursor]  # a card that fits the call
            await played.press("right")
            for _ in range(2):
                await played.pilot.click("#table", offset=(at.x + 2, at.y + 1))
            await played.until(lambda: ask not in model.asks)

    asyncio.run(play())


def test_the_first_ctrl_c_asks_and_the_second_leaves() -> None:
    """One Ctrl+C changes nothing but a line; a second one ends the screen as an interrupt."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0)) as played:
            await played.asked()
            await played.press("ctrl+c")
            assert "Ctrl+C to quit" in played.text()
            assert played.app.return_value is None
            await played.press("ctrl+c")
        assert played.app.return_value == Left(interrupted=True)

    asyncio.run(play())


def test_leaving_asks_and_says_how_to_come_back() -> None:
    """`q` puts a question with the way back in it; staying changes nothing, leaving leaves."""

    async def play() -> None:
        at = session("zompa", 3, pace=0)
        async with screen(at) as played:
            await played.asked()
            await played.press("q")
            assert f"tt resume {at.header.id}" in played.text()
            await played.press("enter")
            await played.pilot.pause()
            assert played.app.model.own is None
            assert played.app.return_value is None
            await played.press("q", "2", "enter")
        assert played.app.return_value == Left()

    asyncio.run(play())


def test_enter_answers_what_the_program_asks_while_a_window_is_open() -> None:
    """In a window, Enter stays or leaves where that is asked, and lays no card; else it lays one."""

    async def play() -> None:
        async with screen(session("bang", 3, seed=5)) as played:
            model = played.app.model
            await played.until(lambda: model.owes)
            window = model.window.window  # type: ignore[union-attr]  # it is open
            await played.press("q", "enter")
            await played.pilot.pause()
            assert model.own is None
            assert window.may(int(window.go))  # type: ignore[arg-type]  # somebody's move ends it
            model.idle = chosen("Somebody is away.", [("wait", lambda: None)])
            assert model.question() is None  # the card comes first
            await played.press("enter")
            await played.until(lambda: not window.may(int(window.go)))  # type: ignore[arg-type]  # as above
            await played.press("q", "2", "enter")
        assert played.app.return_value == Left()

    asyncio.run(play())


def test_enter_decides_about_who_is_away_in_the_window_of_another() -> None:
    """While a window waits for another, the question about who is away is in the prompt, and answered."""

    async def play() -> None:
        async with screen(session("bang", 3, seed=5, think=PATIENCE)) as played:
            model, said = played.app.model, list[str]()
            for _ in range(9):
                await played.until(lambda: model.window)
                if not model.owes:
                    break
                window = model.window
                await played.press("enter")
                await played.until(lambda was=window: model.window is not was)  # type: ignore[misc]  # this window
            asked = chosen("Somebody is away.", [("wait", lambda: None), ("end", lambda: said.append("end"))])
            played.app.offers.renew = lambda: setattr(model, "idle", asked)  # type: ignore[method-assign]  # one is away
            played.app.draw()
            await played.press("down", "enter")
            assert said == ["end"]

    asyncio.run(play())


def test_keys_can_be_changed() -> None:
    """The table [keys] of the config file gives other keys; the foot of the screen names those."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0), keys={"talk": "f5", "log": "o"}) as played:
            await played.asked()
            assert "F5 talk" in played.text()
            await played.press("t")
            assert not played.app.typing
            await played.press("o")
            await played.until("Round 1: ")
            assert played.app.pages.view == "log"

    asyncio.run(play())


@pytest.mark.battery
def test_what_happens_is_shown_at_a_pace_that_never_holds_the_match_up() -> None:
    """The match is over long before it is shown; the board is that of the event shown, and so is what it is
    compared with: nothing of the end is marked at the beginning. Tab skips."""

    async def play() -> None:
        async with screen(session("zompa", 3), (100, 30), pace=1.6) as played:
            model = played.app.model
            await played.until(lambda: model.notes)
            assert model.match is not None
            assert model.match.over
            assert model.ended is None
            assert model.seen is not None
            assert len(model.notes) < len(model.match.events)
            played.app.draw()
            await played.pilot.pause()
            assert "Turned" in played.text()
            assert "−" not in played.text()
            await played.press("tab")
            await played.until(lambda: model.ended)
            assert " wins" in played.text()

    asyncio.run(play())


def test_a_full_disk_is_said_and_the_screen_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that can't be kept any more ends the screen with the sentence, not with a traceback."""
    from tavolata._engine.storage.match_file import MatchFile, StoreError

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0)) as played:
            await played.asked()

            def full(self: MatchFile, kind: int, value: Any) -> None:
                raise StoreError("The disk is full.")

            monkeypatch.setattr(MatchFile, "write", full)
            await played.press("enter")
            await played.until(lambda: played.app.feed.failure is not None or played.app._exit)
        raise AssertionError("it went on")

    with pytest.raises(StoreError, match="full"):
        asyncio.run(play())


def test_escape_closes_the_reasons_and_takes_a_refusal_away() -> None:
    """The page of `x` goes with Escape, and an error does not outlive the next key."""

    async def play() -> None:
        async with screen(session("conto", 3)) as played:
            await played.asked()
            await played.press("x")
            assert "Upsize" in played.text(), "there is nothing to tell, so the choices stay"
            await played.press("escape", "3", "enter")
            await played.until("x why not")  # what fits no card is told there, too
            await played.press("x")
            assert "You have to show" in played.text()
            await played.press("escape")
            assert "You have to show" not in played.text()
            assert "x why not" in played.text()
            for key in ("right", "escape"):
                played.app.prompt.trouble = "Not like that."
                await played.press(key)
                assert "Not like that." not in played.text()

    asyncio.run(play())


@pytest.mark.battery
def test_a_refusal_is_said_beside_the_question() -> None:
    """What the rules refuse stands above the question, in words, and the question stays."""

    async def play() -> None:
        async with screen(session("conto", 3)) as played:
            await played.asked()
            model = played.app.model

            def refuse(ask: Any, answer: Any) -> None:
                raise Refused("Not like {this}.", this="that")

            model.session.answer = refuse  # type: ignore[method-assign]  # the rules of this test
            ask = model.asks[0]
            for _ in range(12):  # the call, and a card that fits it
                await played.press("enter")
                if "Not like that." in played.text():
                    break
                await played.press("right")
            assert "Not like that." in played.text()
            assert model.asks[0] is ask

    asyncio.run(play())


def test_what_is_shown_at_a_pace_knows_nothing_that_came_later() -> None:
    """While events wait to be told, board, turn and words are those of the one that is shown, not of now."""

    async def play() -> None:
        async with screen(session("conto", 3, humans=0, think=0.001), (100, 30), pace=0.05) as played:
            app, behind, other = played.app, 0, 0
            await played.until(lambda: app.model.notes)
            while app.model.ended is None and behind < 50:
                told = [one for one, _ in app.director.waiting if isinstance(one, Told)]
                view = app.model.view()
                if told and view is not None:
                    seen = app.model.seen
                    assert seen is not None
                    assert seen.turn == app.model.turn() <= told[0].seen.turn
                    assert seen.line.endswith(app.model.notes[-1].text)  # behind the mark of who acts
                    assert app.model.zones() is seen.zones
                    behind += 1
                    other += seen.zones != view.zones()
                await played.pilot.pause(0.005)
            assert behind
            assert other

    run(play())


@pytest.mark.battery
def test_what_an_answer_will_bring_is_not_shown_before_it_is_told() -> None:
    """Who asks for the bill sees no hand and no loss before the moment that tells of it."""

    async def play() -> None:
        async with screen(session("conto", 3, seed=2, pace=0), pace=1.0) as played:
            for _ in range(20):
                await played.press("tab")  # show what waits
                await played.asked()
                await played.press("b")
                if "Ask for the bill" in played.text():
                    break
                await played.press("enter")
            assert "Ask for the bill" in played.text()
            assert played.text().count("▒") == 3
            await played.press("b", "enter")
            await played.until("snaps their fingers")
            await played.pilot.pause(0.1)  # the match goes on meanwhile
            played.app.draw()
            await played.pilot.pause()
            assert "snaps their fingers" in played.text()
            assert played.text().count("▒") == 3  # a hidden hand of each
            assert "−" not in played.text()
            assert "+1" not in played.text()

    asyncio.run(play())


def test_who_deals_is_not_told_of_a_card() -> None:
    """Above an act that turns no card stands whose turn it is, not whose card comes next."""

    async def play() -> None:
        async with screen(session("conto", 3, humans=3, pace=0)) as played:
            await played.until(lambda: played.app.model.asks)
            if played.app.model.curtain() is not None:
                await played.press("enter")
            await played.until("Shuffle and deal")
            assert "is next." in played.text()
            assert "has the next card" not in played.text()

    asyncio.run(play())


def test_choices_fill_the_rows_that_there_are() -> None:
    """What can't be is told below when no choice needs the row: thirteen of thirteen are on view."""

    async def play() -> None:
        async with screen(session("conto", 3, humans=3)) as played:
            await played.until(lambda: played.app.model.asks)
            if played.app.model.curtain() is not None:
                await played.press("enter")
            await played.until("You open.")
            assert "13  (1×A)" in played.text()
            assert "of 13" not in played.text()
            assert "x why not" in played.text(), "the last line names the key instead"

    asyncio.run(play())


@pytest.mark.battery
def test_check_13_a_hint_waits_until_it_is_read() -> None:
    """A hint for a question stays until it is folded or answered; one for an event stops the row."""

    async def play() -> None:
        async with screen(Guided(session("conto", 3)), (80, 24), pace=0.1) as played:
            model, app = played.app.model, played.app
            answered = stopped = 0
            while not (answered and stopped):
                await played.until(lambda: model.hints or model.asks or model.ended)
                assert model.ended is None
                if model.hints and not model.folded:
                    hint = model.hints[model.hint].split()[0]
                    await played.until("guide")
                    assert hint in played.text()
                    stopped += app.director._stopped
                    await played.pilot.pause(0.2)
                    assert hint in played.text()
                    while model.reads_hint:
                        await played.press("enter")
                elif model.asks:
                    answered += 1
                    await played.press("enter")
                    await played.pilot.pause()
            assert model.match is not None

    run(play())


def test_a_guided_race_is_seen_on_the_smallest_table() -> None:
    """At 60x20 a hint leaves a track no row but its scale; once it is folded, all six lanes are there."""

    async def play() -> None:
        async with screen(Guided(session("horse-fever", 4)), (60, 20)) as played:
            await played.until(lambda: played.app.model.asks and played.app.model.hints)
            await played.until("guide")
            while not played.app.model.folded:
                await played.press("enter")
            await played.until(lambda: "guide" not in played.text())
            assert [letter for letter in "KBGRYW" if f" {letter} {letter}·" not in played.text()] == []

    asyncio.run(play())


def test_check_16_the_end_is_a_podium_with_everybody_on_it() -> None:
    """At the end stand the order of all seats, their numbers, a chart, and what to do; no raw figures."""

    async def play() -> None:
        async with screen(session("zompa", 4, humans=0), (80, 24)) as played:
            await played.until(lambda: played.app.model.ended)
            await played.until("What now?")
            text = played.text()
            assert text.count(" wins") == 1  # on the podium alone
            assert [name for name in ("Ann", "Berto", "Carla", "Dino") if name not in text] == []
            assert "▁" in text
            assert "Questions answered" not in text
            assert "⏎ quit" in text

    asyncio.run(play())


@pytest.mark.battery
def test_what_happened_is_shown_again_and_its_keys_answer_nothing() -> None:
    """W shows each event since the last answer, Enter the next one, Esc ends it; nothing is answered."""

    async def play() -> None:
        async with screen(session("conto", 4, seed=3)) as played:
            model = played.app.model
            for _ in range(2):
                await played.asked()
                ask = model.asks[0]
                for _ in range(4):
                    if ask in model.asks:
                        await played.press("enter")
                await played.until(lambda: ask not in model.asks)  # noqa: B023 - waited for here
            await played.asked()
            ask, said = model.asks[0], model.news()
            assert len(said) > 2
            await played.press("u", "h")
            assert played.app.prompt.trouble
            await played.press("w")
            assert not played.app.prompt.trouble  # it was about the question
            assert f"1 of {len(said)}" in played.text()
            assert said[0][:30] in played.text()
            assert said[-1][:60] not in played.text()  # the story is that of the moment, too
            await played.press("enter")
            assert f"2 of {len(said)}" in played.text()
            await played.press("escape")
            assert model.recall is None
            assert ask in model.asks
            assert model.question() is not None

    asyncio.run(play())


def test_the_cursor_of_the_terminal_follows_the_focus() -> None:
    """It stands on the choice that is pointed at, so that magnifiers and readers find it."""

    async def play() -> None:
        async with screen(session("jumpy-jack", 2), (80, 24)) as played:
            await played.asked()
            await played.pilot.pause()
            rows = []
            for _ in range(3):
                x, y = played.app.cursor_position
                rows.append(played.text().split("\n")[y][x:])
                await played.press("down")
                await played.pilot.pause()
            assert [row.split()[1] for row in rows] == ["1", "3", "5"]

    asyncio.run(play())


def test_a_player_takes_another_colour_and_another_mark() -> None:
    """`c` changes the colour and `C` the mark, to one that nobody else has; the panel shows it at once."""

    async def play() -> None:
        at = session("zompa", 3, pace=0)
        async with screen(at, (80, 24)) as played:
            await played.asked()
            await played.press("c")
            assert at.looks[0] == (1, 0)
            await played.press("C")
            assert at.looks[0] == (1, 1)
            assert "▲ Ann" in played.text()

    asyncio.run(play())
