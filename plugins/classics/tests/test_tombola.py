"""Tombola: cartelle as they are printed, odds that can be worked out, prizes in time, late and shared."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from tavolata._ui.i18n import Translator
from tavolata._ui.scene.make import make_scene
from tavolata._ui.scene.rehearsal import rehearse as places_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.text import items_of, lines_of
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.words import Words
from tavolata.bots import Chance, Interject
from tavolata.testing import Rehearsal, does, goes_on, refuses, rehearse
from tavolata_classics.tombola.bots import EasyBot, HardBot, NormalBot
from tavolata_classics.tombola.cartelle import (
    PLACES,
    SERIALS,
    Prize,
    cartella,
    column,
    missing,
    numbers,
    odds,
)
from tavolata_classics.tombola.rules import PRICE, Tombola


def test_cartelle_are_made_as_printed_ones() -> None:
    """Five numbers in a row, none twice, each in its column, no column empty, rising downward."""
    chance = Chance(1)
    for _ in range(500):
        one = cartella(chance.below(PLACES), chance.below(SERIALS))
        assert [len(numbers(row)) for row in one] == [5, 5, 5]
        for at in range(9):
            found = [row[at] for row in one if row[at]]
            assert found
            assert found == sorted(set(found))
            assert set(found) <= set(column(at))


def test_each_number_is_on_one_cartella_in_six() -> None:
    """Fifteen of ninety: no number is much more frequent than another of its column."""
    chance, seen = Chance(2), dict.fromkeys(range(1, 91), 0)
    for _ in range(3000):
        for row in cartella(chance.below(PLACES), chance.below(SERIALS)):
            for number in numbers(row):
                seen[number] += 1
    assert sum(seen.values()) == 3000 * 15
    for at in range(9):
        counts = [seen[number] for number in column(at)]
        assert max(counts) < 1.25 * min(counts)


def test_the_odds_are_those_of_drawing() -> None:
    """On average a cartella is full after 15 x 91/16 numbers, and after 60 in 0.12 of a hundred cases."""
    chances = [odds(drawn) for drawn in range(91)]
    mean = sum(1 - one for one in chances[:90])
    assert mean == pytest.approx(15 * 91 / 16)
    assert chances[60] == pytest.approx(float(Fraction(comb(75, 45), comb(90, 60))))
    chance, total = Chance(3), 0
    for _ in range(400):
        one, bag = cartella(chance.below(PLACES), chance.below(SERIALS)), list(range(1, 91))
        while (
            missing(one, bag, Prize.TOMBOLA) == 0
        ):  # taken out instead of drawn: the last 15 mirror the first
            bag.pop(chance.below(len(bag)))
        total += len(bag) + 1
    assert total / 400 == pytest.approx(mean, abs=0.6)


def table(
    serials: list[tuple[int, int]],
    drawn: list[int],
    answers: list[object],
    *,
    turns: int | None,
    **options: object,
) -> Rehearsal:
    """Play with one cartella each; the first seat draws these numbers."""
    house = {"cartelle": 1, **options}
    return rehearse(
        Tombola,
        seats=len(serials),
        first=0,
        options=house,
        lots=[lot for one in serials for lot in one],
        decks={"bag": drawn},
        answers=answers,
        pauses=True,
        turns=turns,
    )


ANN, BEN = (1234567, 1234567890123), (1999999, 9876543210987)
BENS = numbers(cartella(*BEN)[0])


def test_the_sample_round_is_what_the_rules_play() -> None:
    """An ambo for Ben alone; then a terno that Ann calls late, and both share."""
    hers = numbers(cartella(*ANN)[0])
    assert not {*hers} & {*BENS}
    drawn = [*BENS[:2], *hers[:3], BENS[2]]
    assert missing(cartella(*ANN), drawn[:2], Prize.AMBO)
    no = refuses(does(0, "call", Prize.AMBO), "You don't have that yet.")
    both = [does(1, "call", Prize.TERNO), does(0, "call", Prize.TERNO)]
    answers = [goes_on(2), no, does(1, "call", Prize.AMBO), goes_on(5), *both, goes_on()]
    played = table([ANN, BEN], drawn, answers, turns=8)
    assert played.game.chips.values() == [100 - PRICE + 1, 100 - PRICE + 2 + 1]
    assert played.game.pot.value == 2 * PRICE - 4
    assert played.game.prize is Prize.QUATERNA
    assert played.may(0) == ["call"]


def test_a_television_shows_the_tabellone() -> None:
    """Anyone who watches sees all ninety numbers, the drawn ones marked; players see their cartelle."""
    played = table([ANN, BEN], [90, 1], [goes_on(2)], turns=2)
    rows = played.views(None).zones()["tabellone"].content
    assert [len(row) for row in rows] == [10] * 9
    marked = [number for number in range(90) if "drawn" in str(rows[number // 10][number % 10])]
    assert marked == [0, 89]
    assert "tabellone" not in played.views(0).zones()


def test_two_people_at_one_keyboard_see_their_cartelle() -> None:
    """Beside the tabellone each of a few players has the rows of their own; of many there would be no end."""
    played = table([ANN, BEN], [BENS[1], 1], [goes_on(2)], turns=2)
    zones = played.views(None).zones()
    for seat, lots in enumerate((ANN, BEN)):
        zone, rows = zones[f"cartelle.{seat}"], cartella(*lots)
        assert zone.seat == seat
        told = Words(Translator("en"), "tavolata_classics", ("Ann", "Ben")).text(zone.content, zone.params)
        assert re.findall(r"\d+", told) == [str(number) for row in rows for number in numbers(row)]
        assert set(re.findall(r"(\d+)\*", told)) == {str(BENS[1]), "1"} & set(re.findall(r"\d+", told))
    assert not any(name.startswith("cartelle.") for name in played.views(0).zones())
    many = rehearse(Tombola, seats=7, turns=1)
    assert not any(name.startswith("cartelle.") for name in many.views(None).zones())


def test_three_cartelle_have_nine_rows_of_places() -> None:
    """Only a gap is between two cartelle, which makes way where a screen is low."""
    played = rehearse(Tombola, seats=2, options={"cartelle": 3}, turns=1)
    rows = played.views(0).zones()["cartelle"].content
    assert [len(row) for row in rows] == [9, 9, 9, 0, 9, 9, 9, 0, 9, 9, 9]
    assert sum(bool(place) for row in rows for place in row) == 45


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_three_cartelle_are_whole_on_a_small_screen(size: tuple[int, int]) -> None:
    """All forty-five numbers are on view with the question; in plain lines blank ones are between them."""
    names = ("Ann", "Ben", "Cleo")
    played = rehearse(Tombola, seats=[*names], options={"cartelle": 3}, turns=1)
    view, words = played.views(0), Words(Translator("en"), "tavolata_classics", names)
    point = Viewpoint("en", "Tombola", names, (0,))
    cast, plain = places_of(played.match, 0, words, point), SceneWords(words, view)
    scene = make_scene(view, view.zones().values(), point, plain, cast)
    plan = stage(*size, wish=Tombola.layout, cast=cast)
    assert plan is not None
    frame = draw_frame(scene, plan, UNICODE, words.text, Foot())
    rows = ["".join(text for text, _ in line)[: plan.hero.width] for line in frame.block.lines]
    shown = Counter(re.findall(r"\d+", " ".join(rows[1 : 1 + plan.hero.height])))
    own = (str(number) for one in played.game.cartelle[0] for row in one for number in numbers(row))
    assert not Counter(own) - shown
    board = next(one for one in items_of(view, words) if one.zone.id == "cartelle")
    assert [line for line in lines_of(board) if not line.strip()] == ["", ""]


def test_without_calls_the_table_pays_at_once() -> None:
    """The prize is paid as soon as the number is drawn, and no one may call."""
    played = table([ANN, BEN], BENS[:2], [goes_on(2)], calls=False, turns=2)
    assert played.game.chips.values() == [100 - PRICE, 100 - PRICE + 2]
    assert played.may(1) == []


@pytest.mark.parametrize(("tombolino", "chips"), [(False, [90, 110]), (True, [92, 108])])
def test_the_tombola_takes_the_rest_and_a_tombolino_the_rest_of_that(
    tombolino: bool, chips: list[int]
) -> None:
    """Ben fills his cartella first, and so has all prizes; with a tombolino Ann gets what is left."""
    first, second = ([n for row in cartella(*one) for n in numbers(row)] for one in (BEN, ANN))
    drawn = list(dict.fromkeys([*first, *second]))
    draws = len(drawn) if tombolino else 15
    played = table([ANN, BEN], drawn, [goes_on(draws)], calls=False, tombolino=tombolino, turns=None)
    assert played.outcome is not None
    assert played.game.chips.values() == chips
    assert len(played.game.drawn) == draws


def test_a_player_whose_cartelle_are_full_lacks_no_number_for_the_tombolino() -> None:
    """Ben can't win it any more: he gets a dash, and Ann a number."""
    drawn = [number for row in cartella(*BEN) for number in numbers(row)]
    played = table([ANN, BEN], drawn, [goes_on(15)], calls=False, tombolino=True, turns=15)
    assert played.game.prize is Prize.TOMBOLINO
    (_, anns), bens = played.views(0).zones()["lacks"].content
    assert 0 < anns <= 15
    assert bens == (1, "–")


def test_a_pot_that_no_one_calls_is_split() -> None:
    """After ninety numbers everyone has paid and got the same."""
    played = table([ANN, BEN], list(range(1, 91)), [goes_on(91)], turns=None)
    assert played.outcome is not None
    assert played.game.chips.values() == [100, 100]


def test_after_the_last_number_there_is_time_to_call() -> None:
    """Ben calls his ambo after the ninetieth number: he gets it, and the rest of the pot is split."""
    script = [goes_on(90), does(1, "call", Prize.AMBO), goes_on(2)]
    played = table([ANN, BEN], list(range(1, 91)), script, turns=None)
    assert played.outcome is not None
    assert played.game.won == [0, 1]
    assert played.game.chips[1].value > played.game.chips[0].value


def test_bots_see_a_prize_and_call_nothing_else() -> None:
    """The slowest bot, too, has something to say exactly when it has the prize."""
    played = table([ANN, BEN], BENS[:2], [goes_on(2)], turns=2)
    assert list(EasyBot.interjecting(played.game, played.table.options)) == [1]
    standing = played.match.standing(1)
    assert EasyBot().interject(played.views(1), standing, Chance(1)) == Interject("call", Prize.AMBO)
    assert EasyBot().interject(played.views(0), standing, Chance(1)) is None
    assert [bot().invited(played.table.options) for bot in (EasyBot, NormalBot, HardBot)] == [33, 75, 100]
