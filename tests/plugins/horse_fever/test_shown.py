"""What a table of Horse Fever shows: its zones, its questions, and what each may see of them."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._ui.answers import choice_lines, parse
from tavolata._ui.scene.items import item_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.text import lines_of
from tavolata.testing.playthrough import words_of
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.loans import Loan
from tavolata_horse_fever.cards.meanings import MEANINGS
from tavolata_horse_fever.rules.bets import Stake
from tavolata_horse_fever.rules.betting import first_bets, tamper
from tavolata_horse_fever.rules.dealing import clear
from tavolata_horse_fever.rules.purchases import purchases
from tavolata_horse_fever.rules.race import reveal

from .paddock import PLACE, WIN, B, K, Paddock, R, W, Y


def lines(paddock: Paddock, seat: int | None, zone: str, lang: str = "en") -> list[str]:
    """The lines of a zone as a plain face draws it."""
    view = paddock.match.views(seat)
    return lines_of(item_of(view.zones()[zone], SceneWords(words_of(paddock.match.match, lang), view)))


def test_the_board_is_on_view_for_everybody() -> None:
    """Track, odds, turn, tokens, money and points, in both languages, for a spectator, too."""
    paddock = Paddock().bets(1, R, WIN, 300)
    assert lines(paddock, None, "track") == [
        "Track, to square 12:",
        "  Square 0: black (K), blue (B), green (G), red (R), yellow (Y), white (W)",
        "  Empty: 12 (FINISH)",
    ]
    assert lines(paddock, None, "odds", "it") == [
        "Quote: nero (N) 2, blu (B) 3, verde (V) 4, rosso (R) 5, giallo (G) 6, bianco (A) 7"
    ]
    assert lines(paddock, None, "turn") == ["Turn: 1 of 6, P0 first"]
    assert lines(paddock, None, "money") == ["Danari: P0 3400, P1 3300, P2 3800"]
    assert lines(paddock, None, "points") == ["Points: P0 2, P1 2, P2 2"]
    assert "red (R) 1," in lines(paddock, None, "tokens")[0]
    assert lines(paddock, None, "bets.1") == ["Bets of P1: red (R) to win, 300 D"]
    assert lines(paddock, None, "bets.1", "it") == ["Scommesse di P1: rosso (R) vincente, 300 D"]


def test_the_places_of_a_race_are_gone_while_the_next_bets_are_laid() -> None:
    """They stand there from the first arrival on, and at the end; between races they would mislead."""
    paddock = Paddock(2)
    game = paddock.game
    game.ranking = [R, K]
    game.track.put(R.value, 12)
    assert lines(paddock, None, "ranking") == ["Places: red (R) 1, black (K) 2"]
    clear(game, paddock.table)
    assert "ranking" not in paddock.match.views(None).zones()
    game.turn_number = 99
    assert lines(paddock, None, "ranking") == ["Places: red (R) 1, black (K) 2"]


def test_what_lies_before_a_player_is_on_view() -> None:
    """Character, stables, Assistants and Horses with what they do, loans, and stables for sale."""
    paddock = Paddock(board=True).has(1, "Daniel", "Varonne")
    paddock.game.loans.append((paddock.table.ring[1], Loan.BANK))
    assert lines(paddock, None, "character.1") == ["Character of P1: Steve McSkull"]
    assert lines(paddock, None, "stables.1") == ["Stables of P1: blue (B)"]
    assert lines(paddock, 0, "assistants.1") == ["Assistants of P1: Daniel Jackson (at each payout +300)"]
    assert lines(paddock, 0, "horses.1", "it") == ["Cavalli di P1: Varonne (partenza +2)"]
    assert lines(paddock, 2, "loans.1") == ["Loans of P1: a loan from the bank"]
    assert lines(paddock, 2, "stables")[0].startswith("Stables to buy (D): red (R) 1500")


def test_hands_objectives_and_lanes_are_seen_by_their_owners_alone() -> None:
    """Others see backs and how many; who has played a card face down knows which of them it is."""
    paddock = Paddock(board=True).has(1, "most money")
    for name in ("Magna", "XIII"):
        card = paddock.move(name, paddock.game.hands[1])
        card._face = paddock._hidden
        paddock.source.known[1][card.id] = paddock.source._faces[card.id]
    assert lines(paddock, 1, "hand.1") == [
        "Action cards of P1: Magna Velocitas (start =4), XIII (stops at the finish)"
    ]
    assert lines(paddock, 0, "hand.1") == ["Action cards of P1: 2 cards"]
    assert lines(paddock, 1, "goals.1") == ["Objectives of P1: most Danari"]
    assert lines(paddock, None, "goals.1") == ["Objectives of P1: 1 card"]
    paddock.start(tamper)
    paddock.match.play({"card": "XIII", "lane": R})
    assert lines(paddock, 1, "lane.red") == ["Behind red (R): XIII (stops at the finish), face down"]
    assert lines(paddock, 0, "lane.red") == ["Behind red (R): 1 card"]
    paddock.match.play({"card": "Magna Velocitas", "lane": R})
    paddock.play(reveal)
    assert lines(paddock, None, "lane.red", "it") == [
        "Dietro al rosso (R): XIII (si ferma al traguardo), Magna Velocitas (partenza =4)"
    ]


def test_a_bet_is_a_form_with_limits_and_a_default() -> None:
    """What can be bet on, within which limits; the horse's number alone means the least stake."""
    paddock = Paddock(2, odds="RKBGYW").start(first_bets)
    words, view = words_of(paddock.match.match, "en"), paddock.match.views(0)
    shown = choice_lines(paddock.kind, words, view)
    assert shown[:3] == ["Bet on:", "  1. black (K) to win, pays 1:3", "  2. black (K) to place, pays double"]
    assert "  A number from 200 to 3400 in steps of 100." in shown
    typed: Any = parse(paddock.kind, "8")
    assert paddock.kind.value_of(typed) == Stake((R, PLACE), 200)
    typed = parse(paddock.kind, "7; 900")
    assert paddock.kind.value_of(typed) == Stake((R, WIN), 900)


def test_purchases_say_what_they_cost_and_why_not() -> None:
    """Each choice has its price; what can't be bought stands below with the reason."""
    paddock = Paddock(2, board=True).money(1200).start(purchases)
    words, view = words_of(paddock.match.match, "it"), paddock.match.views(0)
    shown = choice_lines(paddock.kind, words, view)
    assert shown[0] == "1. due carte Azione: 400 D"
    assert "-  la scuderia gialla (G): 1300 D: hai solo 1200 D" in shown
    assert Y not in paddock.kind.values
    assert any(line.endswith(". passa, e ricevi 400 D") for line in shown)


@pytest.mark.parametrize(("cards", "said"), [
    (("Fustis", "XIII", "In Igni"),
     ["Fustis et Radix (finish +2) and XIII cancel each other."]),
    (("Magna", "Rochelle", "In Igni"),
     ["Rochelle Recherche cancels Magna Velocitas (start =4).",
      "Rochelle Recherche cancels In Igni Veritas (wins photo finishes)."]),
    (("Magna", "Globus", "Fritz", "XIII"),
     ["Magna Velocitas (start =4) and Globus Obscurus cancel each other.",
      "Fritz Finden cancels XIII (stops at the finish)."]),
])  # fmt: skip
def test_a_card_that_comes_to_nothing_says_why(cards: tuple[str, ...], said: list[str]) -> None:
    """Two of a letter are told once and together; what Fritz or Rochelle takes away has their name."""
    paddock = Paddock().behind(R, *cards).play(reveal)
    told = paddock.match.said()
    behind = next(at for at, line in enumerate(told) if line.startswith("Behind red"))
    assert told[behind + 1 : behind + 1 + len(said)] == said
    assert len(paddock.game.lanes[R]) == len(cards) - len(said) - sum("each other" in line for line in said)


def test_a_photo_finish_says_what_decided_it() -> None:
    """Horses that arrive on one square are parted by a card or by their odds: by which is said."""
    paddock = Paddock().behind(R, "In Igni")
    paddock.race(dice=[W] * 60)
    said = [line for line in paddock.match.said() if line.startswith("Photo finish")]
    assert "Photo finish on square 12: a card puts red (R) ahead of green (G)." in said
    assert "Photo finish on square 12: better odds put green (G) ahead of white (W)." in said


def test_who_slips_a_card_can_hear_what_it_does() -> None:
    """The holder's machine says what the card does and what cancels it; another's knows no face."""
    paddock = Paddock()
    card = paddock.move("Globus", paddock.game.hands[0])
    card._face = paddock._hidden
    paddock.source.known[0][card.id] = paddock.source._faces[card.id]
    paddock.start(tamper)
    (ask,) = paddock.match.open
    game, words = paddock.match.match.game, words_of(paddock.match.match)
    told = [words.describe(one) for one in game.preview(paddock.match.views(0), ask, (card,))]
    assert told == [
        "It stands still at the start.",
        "If Magna Velocitas is in the same lane, neither card has any effect.",
    ]  # fmt: skip
    assert list(game.preview(paddock.match.views(1), ask, (card,))) == []
    assert {one.number for one in ACTION_CARDS} == set(MEANINGS)


def test_what_happens_is_told() -> None:
    """Bets, cards, the race move by move, prizes: a match in sentences."""
    paddock = Paddock(2).bets(0, K, WIN, 200).behind(K, "Globus").behind(B, "Magna")
    paddock.race(dice=[B, B])
    said = paddock.match.said()
    for line in (
        "Behind black (K): Globus Obscurus (start =0).",
        "Movement card, from 1:2 to 1:7: 2 2 2 2 1 0.",
        "Black (K) stands still on square 0.",
        "Blue (B) runs 4 to square 4.",
        "Sprint dice: blue (B), blue (B).",
        "Blue (B) sprints 1 to square 5.",
        "Blue (B) finishes first.",
    ):
        assert line in said
    assert said.index("Blue (B) finishes first.") < said.index("Black (K) finishes second.")


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ("odds up 2 rows", "odds down 2 rows", "place bets also pay for fourth")),
        (
            "it",
            ("quotazione su di 2 righe", "quotazione giù di 2 righe", "piazzato: si paga anche il quarto"),
        ),
    ],
)
def test_a_card_says_which_way_odds_go(lang: str, told: tuple[str, ...]) -> None:
    """Better odds are a smaller number, so no sign stands before the rows; nor before the place that pays."""
    paddock = Paddock(board=True, starred=True, characters=("Miss Paris",))
    words = words_of(paddock.match.match, lang)
    faces = (ACTION_CARDS[14], ACTION_CARDS[18], paddock.game.character[0].top.face)
    assert [words.describe(face.text).partition(" (")[2][:-1] for face in faces] == [*told]


def test_decks_are_on_view_once_they_are_shuffled() -> None:
    """While characters are drawn, the decks lie in the order of the box, and say nothing."""
    paddock = Paddock(board=True)
    decks = {"objectives", "assistants", "horses"}
    shown = paddock.match.views(0).zones()
    there = {name for name in shown if "to buy" in shown[name].title and name != "stables"}
    assert len(there) == len(decks)
    paddock.game.turn_number = 0
    assert not there & set(paddock.match.views(0).zones())


@pytest.mark.parametrize(("lang", "most"), [("en", 33), ("it", 33)])
def test_loans_are_told_whole_beside_another_choice(lang: str, most: int) -> None:
    """At 80x24 choices stand in two columns: who lends, how much, and what is paid back all fit."""
    paddock = Paddock(board=True).start(purchases)
    words, view = words_of(paddock.match.match, lang), paddock.match.views(0)
    shown = [line.partition(". ")[2] for line in choice_lines(paddock.kind, words, view)]
    loans = [line for line in shown if "2500" in line or "5000" in line]
    assert len(loans) == 2
    assert [line for line in loans if len(line) > most] == []
