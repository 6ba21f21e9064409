"""Those who play Zompa without being people."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from typing_extensions import override

from tavolata import Ask, Event, Options, Seat, View
from tavolata._engine.match.entries import ANSWER, FACE, INTERJECT, SAY, MatchEntry
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.resume_source import ResumeSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, Chance, ChatMessage, Interject
from tavolata_zompa import tavolata_bots
from tavolata_zompa.bots import LURES as BOTS_LURES
from tavolata_zompa.bots import EasyBot, NormalBot
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import BET, LURES, SLIPS, Bet, Zompa

from .table import Stacked

TRIES = 3000
MATCHES = 150


def done(bot: Bot, table: Stacked, seat: int) -> list[Any]:
    """What this bot does at this moment, over many draws of its own chance."""
    view, standing = table.match.view(seat), table.match.standing(seat)
    chances = map(Chance, range(0, TRIES << 32, 1 << 32))
    share = bot.invited(table.match.terms.options)
    return [bot.interject(view, standing, one) if one.percent(share) else None for one in chances]


@pytest.mark.parametrize("bot", [EasyBot, NormalBot])
@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_ruling_17_bots_answer_now_and_then(bot: type[EasyBot], talk: str) -> None:
    """Addressed by a dead player, a bot answers in three to ten of a hundred cases."""
    table = Stacked(3, fiches=[4, 0, 4], talk=talk)
    if talk == "offer":
        assert table.do(1, "speak", 2)
    else:
        table.say(1, 2)
    answers = [one for one in done(bot(), table, 2) if one is not None]
    assert 0.02 < len(answers) / TRIES < 0.12
    assert {one if talk == "offer" else one.to for one in answers} == (
        {Interject("answer", Seat(1))} if talk == "offer" else {(1,)}
    )


@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_dead_bots_wait_for_each_other(talk: str) -> None:
    """While one dead player waits for an answer, the others are silent."""
    table = Stacked(5, fiches=[9, 0, 0, 4, 4], talk=talk)
    if talk == "offer":
        assert table.do(1, "speak", 3)
    else:
        table.say(1, 3)
    assert set(done(NormalBot(), table, 2)) == {None}


@pytest.mark.parametrize("bot", [EasyBot, NormalBot])
@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_bots_talk_seldom_and_do_not_repeat_themselves(bot: type[EasyBot], talk: str) -> None:
    """In a match of six they speak at less than one card in six, and in more than five different ways."""
    cards, said = 0, Counter[str]()
    for seed in range(12):
        log: list[tuple[Any, ...]] = []
        told: list[Event] = []
        source = OpenSource(seed, [bot() for _ in range(6)], log.append)
        terms = Terms(tuple("ABCDEF"), ZompaOptions.parse({"talk": talk}))
        new_match(Zompa, terms, source, told.append).run()
        cards += sum(entry[0] == FACE for entry in log)
        said += Counter(entry[3] for entry in log if entry[0] == SAY)
        said += Counter(event.message for event in told if event.message in LURES + SLIPS and talk == "offer")
    assert 10 < said.total() < cards / 6
    assert len(said) > 5
    assert max(said.values()) < said.total() / 4


@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_dead_bots_call_the_living(talk: str) -> None:
    """Dead, a bot addresses a living player who isn't the dealer; the better one picks the richest."""
    table = Stacked(4, fiches=[9, 0, 2, 4], talk=talk)
    calls = [one for one in done(NormalBot(), table, 1) if one is not None]
    assert 0.02 < len(calls) / TRIES < 0.1
    assert {one.to if isinstance(one, ChatMessage) else one for one in calls} == (
        {(3,)} if talk == "chat" else {Interject("speak", Seat(3))}
    )


class Chatty(EasyBot):
    """Dead, it calls the living at every second card."""

    calls = 50


class Lured:
    """A match of one person and four bots of whom some die early; the person answers every third voice.

    Args:
        talk: the option.
        log: the entries so far; new ones are added.

    Attributes:
        offered: for each time that the person was asked or waited while a voice called, how long the log was.
    """

    def __init__(self, talk: str, log: list[Any]) -> None:
        self.log, self.talk, self.told, self.offered = log, talk, list[Event](), list[int]()
        bots = [None, *(Chatty() for _ in range(4))]
        self.source: OpenSource = (
            ResumeSource(6, bots, log.append, list(log), hold=True)
            if log
            else OpenSource(6, bots, log.append, hold=True)
        )
        terms = Terms(tuple("ABCDE"), ZompaOptions.parse({"talk": talk, "fiches": 2}), 0)
        self.match = new_match(Zompa, terms, self.source, self.told.append)
        self.match.run()

    def play(self) -> Lured:
        """Play to the end: what the person does depends on nothing but the length of the log."""
        game = self.match.game
        assert isinstance(game, Zompa)
        while not self.match.over:
            (ask,) = self.source.open
            if callers := game.callers_of(Seat(0)):
                self.offered.append(len(self.log))
                assert ("answer" in self.match.standing(0)) is (self.talk == "offer")
            if callers and len(self.log) % 3 == 0:
                said = self.match.interjection(0, "answer", callers[0])
                self.match.feed(said if self.talk == "offer" else (SAY, 0, (int(callers[0]),), "Yes?"))
            elif ask.seat == 0:
                self.match.feed((ANSWER, 0, ask.id, 0))
            else:
                self.source.let_bot_answer(ask)
                self.match.run()
        return self


@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_the_dead_call_before_the_key_of_the_next_card(talk: str) -> None:
    """Every voice comes while the key of the next card is still to be pressed, so one can answer it."""
    lured = Lured(talk, []).play()
    voices = [at for at, entry in enumerate(lured.log) if entry[0] in (INTERJECT, SAY)]
    next_key = [next(one[0] for one in lured.log[at:] if one[0] in (ANSWER, FACE)) for at in voices]
    assert len(voices) > 10
    assert set(next_key) == {ANSWER}
    assert len(lured.offered) > 5
    assert len([at for at in voices if lured.log[at][1] == 0]) > 1


@pytest.mark.battery
@pytest.mark.parametrize("talk", ["offer", "chat"])
def test_words_of_the_dead_are_neither_lost_nor_said_twice(talk: str) -> None:
    """Cut off behind any entry, also between a voice and its answer, the match goes on as it would have."""
    whole = Lured(talk, []).play()
    for at in range(1, len(whole.log)):
        again = Lured(talk, whole.log[:at]).play()
        assert again.log == whole.log, f"cut off behind entry {at}"
        assert again.told == whole.told


def test_bots_keep_quiet_where_nothing_is_to_be_had() -> None:
    """With talk off, alive and not addressed, or as a spectator's view, a bot says nothing."""
    quiet = Stacked(3, fiches=[4, 0, 4], talk="off")
    assert set(done(EasyBot(), quiet, 1)) == {None}
    chat = Stacked(3, fiches=[4, 0, 4], talk="chat")
    assert set(done(EasyBot(), chat, 2)) == {None}
    assert EasyBot().interject(chat.match.view(None), {}, Chance()) is None


def test_the_better_bot_counts_cards() -> None:
    """It bets on what most of the pack is, and neither its last fiche nor on an open pack."""
    table = Stacked(4, fiches=[4, 4, 1, 4], fives="yes").turn("5")
    assert chosen(table, 3) is Bet.OTHER
    assert chosen(table, 2) is Bet.NONE
    table.bet()
    table.turn("2 2 2 2 3 3 3 3 4 4 4 4 6 6 6 6 7 7 7 7 5")
    assert chosen(table, 3) is Bet.NONE  # 18 cards are left, 2 of them fives


def chosen(table: Stacked, seat: int) -> Bet:
    """What the better bot bets here."""
    bet = NormalBot().choose(table.match.view(seat), Ask(1, Seat(seat), BET), Chance())
    assert isinstance(bet, Bet)
    return bet


def test_levels_differ() -> None:
    """Each bot of the package is for this game and has a name of its own."""
    bots = list(tavolata_bots())
    assert {game for game, _ in bots} == {"zompa"}
    assert len({bot.level for _, bot in bots} | {"random"}) == len(bots) + 1


class Draws(NormalBot):
    """A normal bot that is asked before each card and draws by itself whether it has something to say."""

    asked = 0

    @override
    def invited(self, options: Options) -> int:
        return 100

    @override
    def interject(self, view: View, standing: Any, chance: Chance) -> Any:
        Draws.asked += 1
        return super().interject(view, standing, chance) if chance.percent(self.calls) else None


class Counts(NormalBot):
    """A normal bot that counts how often it is asked for words."""

    asked = 0

    @override
    def interject(self, view: View, standing: Any, chance: Chance) -> Any:
        Counts.asked += 1
        return super().interject(view, standing, chance)


@pytest.mark.parametrize("talk", ["off", "offer", "chat"])
def test_bots_talk_as_if_each_were_asked_before_each_card(talk: str) -> None:
    """They call, answer and win as often, and are asked in six of a hundred cases; without talk never."""
    Draws.asked = Counts.asked = 0
    options = ZompaOptions.parse({"talk": talk})
    words, cards = dict[type[Bot], Counter[str]](), Counter[type[Bot]]()
    for bot, first in ((Draws, 0), (Counts, MATCHES)):
        words[bot] = Counter()
        for seed in range(first, first + MATCHES):
            played = play(Zompa, options, [bot() for _ in range(5)], seed)
            cards[bot] += sum(entry[0] == FACE for entry in played.log)
            words[bot].update(map(_kind, played.log))
            words[bot].update(f"{seat} wins" for seat in played.outcome.winners)
    assert 0.9 < cards[Draws] / cards[Counts] < 1.1
    for kind in words[Draws] | words[Counts]:
        one, other = words[Draws][kind], words[Counts][kind]
        assert abs(one - other) <= 4 * (one + other) ** 0.5, kind
    assert 5 * cards[Draws] <= Draws.asked <= 5 * cards[Draws] + 4 * spoken(words[Draws])
    assert 0.05 < Counts.asked / (5 * cards[Counts]) < 0.07 if talk != "off" else not Counts.asked


class Talks(EasyBot):
    """Dead or alive, it says something in every second case."""

    answers = calls = 50


class TalksAsked(Talks):
    """The same bot, which draws that by itself."""

    invited = Draws.invited

    @override
    def interject(self, view: View, standing: Any, chance: Chance) -> Any:
        return super().interject(view, standing, chance) if chance.percent(50) else None


def simulated(bot: type[Bot], seed: int) -> list[Any]:
    """The log of a match that nobody follows."""
    return list(play(Zompa, ZompaOptions.parse({"talk": "chat"}), [bot() for _ in range(4)], seed).log)


def followed(bot: type[Bot], seed: int) -> list[Any]:
    """The log of the same match of bots at a table where they wait for their keys to be pressed."""
    source = OpenSource(seed, [bot() for _ in range(4)], hold=True)
    match = new_match(Zompa, Terms(tuple("ABCD"), ZompaOptions.parse({"talk": "chat"}), 0), source)
    match.run()
    while not match.over:
        source.let_bot_answer(source.open[0])
        match.run()
    return source.log


@pytest.mark.parametrize("bot", [Talks, TalksAsked])
def test_a_voice_from_a_higher_seat_is_answered_as_often_as_one_from_a_lower_seat(bot: type[Bot]) -> None:
    """Who has been asked before the dead called is asked again, in a simulation as where people follow."""
    for way in simulated, followed:
        voices, answers = Counter[bool](), Counter[bool]()
        for seed in range(30):
            for _, seat, to, text in (entry for entry in way(bot, seed) if entry[0] == SAY):
                calls = text in BOTS_LURES
                (voices if calls else answers)[(seat > to[0]) is calls] += 1
        shares = [answers[up] / voices[up] for up in (True, False)]
        assert min(voices.values()) > 100
        assert 0.4 < min(shares) <= max(shares) < 0.65, (way, shares)


def spoken(words: Counter[str]) -> int:
    """How often somebody has said something, in words or by an interjection."""
    return words[str(SAY)] + words["speak"] + words["answer"]


def _kind(entry: MatchEntry) -> str:
    return str(entry[2]) if entry[0] == INTERJECT else str(entry[0])
