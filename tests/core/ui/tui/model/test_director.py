"""What is shown when, and for how long: the director alone, with a clock of its own and real matches."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Asked, Ended, Told, Update, WindowOpened
from tavolata._ui.tui.input.trigger import GRACE
from tavolata._ui.tui.model.director import MOST_LATE, PACES, STRETCH, WEIGHTS, Director, Moment, changed
from tavolata._ui.tui.model.table_model import Glance
from tavolata.asks import Ask
from tavolata.choices import Choice
from tavolata.kinds.one_of import OneOf
from tavolata.messages import Event, Mark, text
from tavolata.ring import Seat
from tavolata.zones import CardView, Zone, tokens_zone


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def told(number: int, awaits: int = 0, **more: Any) -> Told:
    """An event after which a seat has this number."""
    zone = tokens_zone("points", "Points", [(Seat(0), number)])
    return Told(Event("x", {}, **more), Glance({"points": zone}, 0, "word " * 4, awaits))


@pytest.mark.parametrize("weight", WEIGHTS)
def test_check_8_a_change_is_on_view_long_enough(weight: str) -> None:
    """At slow and normal a change that matters is there for 0.8 s and more, at quick for 0.4 s."""
    least, most = WEIGHTS[weight]
    for letters in (0, 30, 300):
        for name, factor in PACES.items():
            seconds = Moment((), weight, letters).hold(factor)
            assert least * factor <= seconds <= most * factor
            if weight in ("matters", "cue") and name in ("slow", "normal"):
                assert seconds >= 0.8
            if weight in ("matters", "cue") and name == "quick":
                assert seconds >= 0.4


def test_counted_cards_stay_as_long_as_they_are_counted() -> None:
    """A quarter of a second for each card and a rest, three seconds of counting at most; then the stamp."""
    assert Moment((), "cue", cards=8).hold(1.0) == pytest.approx(2.6)
    assert Moment((), "cue", cards=80).hold(1.0) == pytest.approx(3.6)
    assert Moment((), "cue", cards=8).hold(0.5) == pytest.approx(1.3)
    assert Moment((), "cue", stamps=1).hold(1.0) == pytest.approx(2.5)
    assert Moment((), "cue", cards=8, stamps=1).hold(1.0) == pytest.approx(5.1)
    director = Director(1.0, Clock())
    director.add(told(1, marks=(Mark("counted", tuple(range(8))),)))
    assert director.seconds(director.take()) == pytest.approx(2.6)


def test_what_is_read_now_or_never_stays_long_enough() -> None:
    """A sentence before the end, and one before open cards leave the table, can be read; another runs by."""
    open_card = CardView(7, "deck", "queen")

    def said(*cards: CardView, words: int = 10) -> Told:
        centre = Zone("trick", "pile", "Trick", cards)
        return Told(Event("x", {}), Glance({"trick": centre}, 0, "words " * words, 0))

    for first, then, held in (
        (said(open_card), Ended(None, b""), True),
        (said(open_card), said(), True),
        (said(open_card), said(open_card, CardView(8, "deck", "king")), False),
        (said(open_card), said(CardView(8, "deck", "king")), False),  # it's covered
        (said(CardView(7, "deck")), said(), False),
    ):
        director = Director(1.0, Clock(), lambda: (1,))
        director.add(first)
        director.add(first)  # nothing changes at the sentence itself
        director.take()
        director.add(then)
        seconds = director.seconds(director.take())
        assert (seconds == pytest.approx(0.3 + 0.028 * 60)) is held, (then, seconds)
        assert held or seconds <= 0.45


def test_words_in_rows_are_weighed_as_numbers_are() -> None:
    """A row may end in a sentence, which has its values in a dictionary."""

    def said(marks: int) -> Told:
        rows = [(Seat(0), text("{n} marks", n=marks)), (Seat(1), 3)]
        return Told(Event("x", {}), Glance({"known": tokens_zone("known", "Known", rows)}, 0, "word", 0))

    for own, weight in (((0,), "matters"), ((1,), "brief")):
        director = Director(1.0, Clock(), partial(tuple, own))
        director.add(said(1))
        director.take()
        director.add(said(2))
        assert director.take().weight == weight


def test_what_matters_to_nobody_here_runs_by() -> None:
    """Another's number is brief; after four seconds of that, the rest is one moment."""
    director = Director(1.0, Clock(), lambda: (1,))
    for number in range(1, 40):
        director.add(told(number, number))
    director.add(told(39, 40, stamp="over"))
    moments, seconds = [], []
    while director.waiting:
        moments.append(director.take())
        seconds.append(director.seconds(moments[-1]))
    assert [moment.weight for moment in moments] == ["quiet", *["brief"] * (len(moments) - 2), "cue"]
    assert sum(seconds[:-1]) <= STRETCH
    assert sum(len(moment.updates) for moment in moments) == 40


def test_check_9_what_happens_at_once_is_one_moment_and_else_it_is_several() -> None:
    """Events between two waits that change the same zones are shown together; others one by one."""
    director = Director(1.0, Clock())
    for update in (told(1, 1), told(2, 1), told(3, 2), told(3, 2), told(4, 2, stamp="over")):
        director.add(update)
    moments = []
    while director.waiting:
        moments.append(director.take())
    assert [len(moment.updates) for moment in moments] == [2, 1, 1, 1]
    assert [moment.weight for moment in moments] == ["matters", "matters", "quiet", "cue"]
    assert changed({}, {}) == frozenset()


@pytest.mark.parametrize("pace", ["slow", "normal", "quick"])
@pytest.mark.parametrize(("seed", "drawing"), [*((seed, 0.0) for seed in range(4)), (4, 0.1), (5, 0.3)])
def test_check_10_what_is_shown_is_never_far_behind(pace: str, seed: int, drawing: float) -> None:
    """However fast a match of bots is and however slowly a machine draws, no event waits more than 15 s."""
    clock, chance = Clock(), random.Random(seed)
    director = Director(PACES[pace], clock)
    number, worst, comes = 0, 0.0, clock.now
    shown = 0
    while shown < 1500:
        while comes <= clock.now and number < 1500:
            number += 1
            director.add(told(number, number, stamp="over" if chance.random() < 0.05 else ""))
            comes += chance.choice([0.0, 0.05, 0.3, 1.0])
        if not director.waiting:
            clock.now = comes
            continue
        worst = max(worst, director.lateness)
        moment = director.take()
        shown += len(moment.updates)
        clock.now += director.seconds(moment) + drawing
    assert worst <= 15.0
    assert MOST_LATE < 15


def test_check_10_a_question_against_time_is_shown_within_a_second() -> None:
    """Whatever waits before it, a question with a time limit is on the screen within a second."""
    clock = Clock()
    director = Director(1.6, clock)
    for number in range(30):
        director.add(told(number, number, stamp="over"))
    ask = Ask(1, Seat(0), OneOf([Choice(1), Choice(2)]), seconds=5.0)
    director.add(Asked(ask, mine=True))
    start = clock.now
    while director.waiting:
        clock.now += director.seconds(director.take())
    assert clock.now - start <= 1.0


@pytest.mark.battery
@pytest.mark.parametrize(
    ("game", "keys"),
    [("conto", 100), ("horse-fever", 30),
     *(pytest.param(game, 10_000, marks=pytest.mark.long) for game in ("conto", "horse-fever"))],
)  # fmt: skip
def test_check_11_a_key_pressed_while_something_is_shown_answers_nothing(game: str, keys: int) -> None:
    """Random keys at random times: an answer goes to a question drawn 400 ms ago or earlier."""
    chance, pressed, answers = random.Random(5), 0, 0

    async def play(seed: int) -> None:
        nonlocal pressed, answers
        async with screen(session(game, 3, think=0.01, seed=seed), pace=0.1) as played:
            model, app = played.app.model, played.app
            drawn: dict[int, float] = {}
            answered: list[int] = []
            answer, draw = model.session.answer, app.draw

            def noted(ask: Ask, given: Any) -> None:
                assert asyncio.get_running_loop().time() - drawn[ask.id] >= GRACE
                answer(ask, given)  # what is refused may be tried again
                answered.append(ask.id)

            def seen() -> None:
                draw()
                question = model.question()
                if question is not None and question.ask is not None:
                    drawn.setdefault(question.ask.id, asyncio.get_running_loop().time())

            model.session.answer = noted  # type: ignore[assignment,method-assign]  # the same, with a note
            app.draw = seen  # type: ignore[method-assign]  # the same, with a note
            names = [*["enter"] * 4, "space", "tab", "down", "1", "2", "x", "w", "right", "backspace"]
            while (pressed < keys or not answered) and model.ended is None:  # a slow machine shows for longer
                pressed += 1
                assert pressed < 20 * keys
                await played.pilot.press(chance.choice(names))
                await played.pilot.pause(chance.choice([0.0, 0.0, 0.01, 0.05, 0.5]))
            assert len(set(answered)) == len(answered)
            assert app.failure is None
            answers += len(answered)

    seed = 7
    while pressed < keys or not answers:
        run(play(seed))
        seed += 1


def test_check_12_nothing_waits_before_quick_hands() -> None:
    """Before a window everything is shown at once; while it is open nothing is marked as new."""

    class Opened(WindowOpened):
        """A window, as far as the director looks at it."""

    director = Director(1.6, Clock())
    director.add(told(1, 1))
    director.add(Opened(None, ()))  # type: ignore[arg-type]  # the director does not look into it
    assert director.seconds(director.take()) == 0.0


def test_keys_go_on_to_the_next_moment_or_to_the_end() -> None:
    """Enter shows the next moment at once, Tab what matters, then all; the pace changes meanwhile."""

    async def play() -> None:
        director, shown = Director(1.6, own=lambda: (1,)), list[Sequence[Update]]()

        async def show(updates: Sequence[Update]) -> None:
            shown.append(updates)

        for number in range(6):
            director.add(told(number, number))
        director.add(told(6, 6, stamp="over"))
        for number in range(7, 9):
            director.add(told(number, number))
        telling = asyncio.create_task(director.tell(show))
        await asyncio.sleep(0.05)
        assert len(shown) == 1
        assert director.step()
        await asyncio.sleep(0.05)
        assert len(shown) == 2
        assert director.faster(1) == "normal"
        assert director.skip()
        await asyncio.sleep(0.05)
        assert [len(one) for one in shown] == [1, 1, 5]  # in one moment, with what matters at its end
        assert director.skip()
        await asyncio.sleep(0.05)
        assert len(shown) == 5
        assert not director.step()
        director.end(ended=True)
        await telling

    run(play())
