"""Simulations: stepping, copying, playing on, and worlds that a seat imagines here and at a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.world import World as Machines
from tests.core.engine.match.races import Race as Windows
from tests.core.games import GAMES, Boasts, Liars, Nod, Race, Shouts, Tricks

from tavolata import Ask, Game, Outcome, Refused, Seat, Table, View, one_of
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import BotFault, OpenSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.simulation import dealt
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Chance, ChatMessage, RandomBot, Reflex
from tavolata.errors import GameError
from tavolata.options import Options
from tavolata.sim import Action, ActionIndex, Simulation, World
from tavolata.windows import Window


def steps(simulation: Simulation[Any], seed: int) -> list[str]:
    """Play on at random; the keys of what was done."""
    chance, done = Chance(seed), []
    while simulation.outcome is None:
        action = chance.pick(simulation.legal())
        simulation.step(action)
        done.append(action.key)
    return done


@pytest.mark.parametrize("rules", GAMES)
def test_a_clone_is_in_the_same_state_and_goes_on_in_the_same_way(rules: Any) -> None:
    """At each question a clone has state and choices of the original, and then the same fate."""
    simulation, chance = Simulation(rules, seed=5), Chance(5)
    while simulation.outcome is None:
        clone = simulation.clone()
        assert clone.digest() == simulation.digest()
        assert [one.key for one in clone.legal()] == [one.key for one in simulation.legal()]
        again = clone.clone()
        action = chance.pick(simulation.legal())
        for one in (simulation, clone, again):
            one.step(action)
        assert clone.digest() == again.digest() == simulation.digest()
    assert clone.outcome == again.outcome == simulation.outcome


def test_a_clone_does_not_touch_its_original() -> None:
    """What happens in clones has no effect on the match that they were made of."""
    simulation, other = Simulation(Tricks, 3, seed=1), Simulation(Tricks, 3, seed=1)
    for _ in range(3):
        simulation.clone().rollout(RandomBot(), Chance(3))
    assert steps(simulation, 2) == steps(other, 2)
    assert simulation.outcome == other.outcome


def test_bots_in_a_simulation_play_as_in_a_match() -> None:
    """With a bot in every seat, a simulation is the match of `tt simulate` with that seed."""
    simulation = Simulation(Race, 2, seed=4, bots={0: RandomBot(), 1: RandomBot()})
    played = play(Race, Race.options(), [RandomBot(), RandomBot()], 4)
    assert simulation.outcome == played.outcome
    assert simulation.digest() == played.match.digest()


def test_a_rollout_draws_anew_and_leaves_the_cards_as_they_lie() -> None:
    """Rollouts with the same chance are the same, with another they differ; hands stay as dealt."""
    simulation = Simulation(Race, 2, seed=4)
    ends = [
        (copy.rollout(RandomBot(), Chance(seed)), copy.turn)
        for seed in (1, 1, 2, 3, 4, 5, 6)
        for copy in [simulation.clone()]
    ]
    assert ends[0] == ends[1]
    assert len({str(end) for end in ends}) > 2
    cards = Simulation(Tricks, 2, seed=4)
    hand = [cards.view(0).face(card) for card in cards.game.hands[0]]
    copy = cards.clone()
    copy.rollout(RandomBot(), Chance(1), steps=2)
    assert copy.outcome is None
    assert [copy.view(0).face(card) for card in copy.game.hands[0]] == hand


def test_a_playout_is_a_rollout_of_a_copy() -> None:
    """It ends in the same way, also at a second question of a turn, and what it began with stays as it is."""
    for game, steps in ((Tricks, 0), (Tricks, 1), (Shouts, 2), (Race, 0)):
        simulation = Simulation(game, 2, seed=4)
        simulation.rollout(RandomBot(), Chance(1), steps=steps)
        before = simulation.digest()
        for seed in range(3):
            assert simulation.playout(Chance(seed)) == simulation.clone().rollout(RandomBot(), Chance(seed))
        assert simulation.digest() == before
    simulation.rollout(RandomBot(), Chance(2))
    assert simulation.playout(Chance(3)) == simulation.outcome


def test_a_rollout_that_is_cut_short_can_be_copied_and_played_on() -> None:
    """After so many answers of bots the match waits, as it would after steps."""
    simulation = Simulation(Shouts, 2, seed=1)
    assert simulation.rollout([RandomBot(), RandomBot()], Chance(1), steps=2) is None
    assert simulation.clone().digest() == simulation.digest()
    assert isinstance(simulation.rollout(RandomBot(), Chance(2)), Outcome)
    assert simulation.rollout(RandomBot(), Chance(2), steps=1) == simulation.outcome


class Reacts(RandomBot):
    """It reacts in every window, at seat 1 the fastest."""

    def react(self, view: View, window: Window, chance: Chance) -> Reflex:
        """See `Bot`."""
        return Reflex(True, 500 if view.seat == 1 else 900)


@pytest.mark.parametrize("goes", [False, True])
@pytest.mark.parametrize("passed", [0, 1])
def test_a_rollout_asks_its_bots_in_a_window_that_is_open(
    goes: bool, passed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that take over in an open window react there as in later ones, or let it end as its rules say."""
    monkeypatch.setattr(Windows, "goes", goes)
    simulation = Simulation(Windows, 3)
    for _ in range(passed):
        simulation.step(None)
    assert isinstance(simulation.playout(Chance(1)), Outcome)
    simulation.rollout(Reacts(), Chance(1))
    assert simulation.game.winners == [1, 1, 1]


class Talks(RandomBot):
    """It speaks whenever it may."""

    interjects = True

    def interject(self, view: View, standing: object, chance: Chance) -> ChatMessage:
        """To the first seat."""
        return ChatMessage((0,), "hm")


class Flies(RandomBot):
    """It answers what isn't asked."""

    def choose(self, view: View, ask: Ask, chance: Any) -> object:
        return "fly"


class Fibs(RandomBot):
    """It claims what isn't true, where it can."""

    def choose(self, view: View, ask: Ask, chance: Any) -> object:
        values = [ask.question.nth(number) for number in range(ask.question.count())]
        return next(value for value in values if not view.holds(ask, value))


@pytest.mark.parametrize("steps", [None, 3])
@pytest.mark.parametrize(("rules", "bot"), [(Race, Flies()), (Boasts, Fibs())])
def test_a_bot_with_an_illegal_answer_fails_a_rollout(rules: Any, bot: RandomBot, steps: int | None) -> None:
    """It's the bot's fault, however far it was to play."""
    with pytest.raises(BotFault, match=r"The bot at seat [12] gave an illegal answer: "):
        Simulation(rules, 2).rollout(bot, Chance(1), steps=steps)


def test_bots_that_talk_do_so_in_rollouts() -> None:
    """The policy of a rollout may interject, although the match was made for bots that don't."""
    simulation = Simulation(Shouts, 2, seed=1)
    simulation.rollout(Talks(), Chance(1))
    assert simulation.game.heard_of[Seat(0)] > 0


def test_interjections_stand_behind_the_answers_of_a_seat() -> None:
    """`legal(seat)` lists what the seat may do out of turn, too, and `step` does it."""
    simulation = Simulation(Shouts, 2, seed=1)
    asked = simulation.open[0].seat
    assert {action.name for action in simulation.legal()} == {""}
    actions = simulation.legal(asked)
    assert [action.name for action in actions] == ["", "", "", "shout", "shout", "shout"]
    assert actions[-1].key == "shout/3"
    other = simulation.legal(1 - asked)
    simulation.step(other[0])
    assert simulation.game.shouted == [1 - asked]
    assert simulation.open[0].seat == asked
    with pytest.raises(Refused):
        simulation.step(Action(asked, 9, "shout"))


@pytest.mark.parametrize("goes", [False, True])
def test_a_window_is_put_to_its_seats_in_order(goes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """All react equally fast, so of those that react the first counts; None lets it pass."""
    monkeypatch.setattr(Windows, "goes", goes)
    simulation = Simulation(Windows, 3)
    for window, reacts in enumerate(([2, 1], [], [0])):
        while simulation.open and len(simulation.game.winners) == window:
            assert simulation.legal()[-1].value is None
            seat = simulation.open[0].seat
            assert [one.seat for one in simulation.clone().open] == [one.seat for one in simulation.open]
            simulation.step(True if seat in reacts else None)
    assert simulation.game.winners == [1, -1, 0]


@pytest.mark.parametrize("call", [
    lambda t, votes: t.ballot(votes, [], "Vote?", "They vote."),
    lambda t, votes: t.open_floor("Talk?", "They talk.", seats=[]),
    lambda t, votes: t.react({}, "Quick!", "Quick!", go=t.first_seat),
    lambda t, votes: t.react({}, "Quick!", "Quick!", seconds=1.0),
], ids=["ballot", "floor", "window", "window against time"])  # fmt: skip
def test_what_nobody_is_asked_holds_nothing_up(call: Callable[[Any, Any], Awaitable[object]]) -> None:
    """A vote, a floor or a window for no seat is over at once, before the first question and after it."""

    class Nobody(Game[Options]):
        name = title = "nobody"
        seats = (2, 2)

        def setup(self, t: Table[Options]) -> None:
            self.votes = t.ballots("votes", ["yes", "no"])

        async def turn(self, t: Table[Options]) -> Outcome:
            for _ in range(2):
                await call(t, self.votes)
                await t.ask(t.first_seat, one_of([1, 2]), "Which?", "They choose.")
            return Outcome((t.first_seat,))

    for simulation in (Simulation(Nobody, 2), dealt(Nobody, 2, None, OpenSource(0, [None, None]))):
        for _ in range(2):
            (ask,) = simulation.open
            assert ask.you == "Which?"
            simulation.step(1)
        assert simulation.outcome is not None


def test_what_is_not_legal_is_refused() -> None:
    """Too many seats, a value that is no answer, a step when all is over: each is said in a sentence."""
    with pytest.raises(GameError, match="nod is for 1 to 2 seats, not 3"):
        Simulation(Nod, 3)
    with pytest.raises(Refused, match="race isn't played in teams"):
        Simulation(Race, 2, teams=2)
    simulation = Simulation(Race, 2)
    with pytest.raises(Refused):
        simulation.step("fly")
    nod = Simulation(Nod)
    nod.step(True)
    assert nod.outcome == Outcome((Seat(0),))
    with pytest.raises(Refused, match="is closed"):
        nod.step(True)


def test_a_simulation_is_a_world() -> None:
    """Whoever gets a world from a view gets a simulation, which has all that a world promises."""
    simulation = Simulation(Tricks, 2, seed=3)
    world: World[Tricks] = simulation
    imagined = world.view(0).imagine(Chance(1))
    assert isinstance(imagined, Simulation)
    assert imagined.digest() == simulation.digest()
    view = imagined.view(0)
    del imagined
    with pytest.raises(GameError, match="gone"):
        view.imagine(Chance(1))


def test_worlds_keep_to_what_was_claimed() -> None:
    """Cards on the table of which somebody has claimed a suit have that suit in each world, if they can."""
    simulation, chance, claimed = Simulation(Tricks, 4, seed=8), Chance(8), 0
    while simulation.outcome is None:
        said = simulation._match.table._facts.said
        if said:
            watching = next(seat for seat in range(4) if all(seat != one.seat for one in said))
            for number in range(5):
                world: Any = simulation.view(watching).imagine(Chance(number))
                dealt, facts = world._match.source.faces(), world._match.table._facts
                claimed += facts.holds(
                    facts.said[0], lambda card, dealt=dealt: card.deck.faces[dealt[card.id]]
                )
                assert world.untrue == 0
                assert world.digest() == simulation.digest()
                assert not world.clone()._match.table._facts.convicts
        simulation.step(chance.pick(simulation.legal()))
    assert claimed >= 5


class Dreams(RandomBot):
    """It imagines a world before each answer."""

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """The answer that a random rollout would begin with."""
        world = view.imagine(chance)
        assert ask.id in [one.id for one in world.open]
        world.rollout(RandomBot(), chance, steps=3)
        return super().choose(view, ask, chance)


@pytest.mark.parametrize("rules", [Tricks, Race, Liars])
def test_a_bot_imagines_where_all_deal_together(rules: Any) -> None:
    """At a table without a dealer a bot's worlds have the state of the match and the bot's own cards."""
    table = Machines(rules, (1, 2, 2), bot=Dreams)
    worlds = 0
    while table.round() and not table.ended():
        for party, peer in table.peers.items():
            match = peer.match
            for ask in peer.source.open:
                seat = int(ask.seat)
                known = peer.source.known[seat]
                if table.seats[seat] != party or not peer.deal.sees_hand(seat) or ask.box is not None:
                    continue  # it is not asked, or waits until its answer is opened
                world: Any = match.view(seat).imagine(Chance(worlds))
                worlds += 1
                assert world.untrue == 0
                assert world.digest() == match.digest()
                assert world._match.source.known[seat] == known
                assert world.view(seat).zones() == match.view(seat).zones()
    assert table.ended()
    assert worlds > 3


def test_a_match_that_was_loaded_can_be_imagined() -> None:
    """From a snapshot on, what seats knew then is still known, and no more."""
    source = OpenSource(3, [None, None])
    whole = Simulation(Tricks, 2, seed=3)
    for _ in range(2):
        whole.step(1)
    match: Any = whole._match
    copy: Any = new_match(Tricks, Terms(("a", "b"), Options()), source)
    end = match.source
    copy.load(match.state())
    source.load(end.save())
    copy.run()
    for seat in (0, 1):
        world: Any = copy.view(seat).imagine(Chance(seat))
        assert world.digest() == copy.digest()
        assert world._match.source.known[seat] == source.known[seat]
        assert world._match.source.sealed[seat] == source.sealed[seat]
        assert sorted(world._match.source.faces()) == list(range(40))
        assert isinstance(world.rollout(RandomBot(), Chance(1)), Outcome)


def test_keys_have_faces_for_what_is_known_and_places_for_what_is_not() -> None:
    """The key of a card is its face for who sees it; for another seat it is the pile and the place."""
    simulation = Simulation(Tricks, 2, seed=1)
    simulation.step(2)
    simulation.step(2)
    action = simulation.legal()[0]
    face = simulation.view(action.seat).face(simulation.game.hands[action.seat].cards[0])
    assert action.key == f"Lead a card./{face}"
    there = Action(action.seat, action.value, "", "Lead a card.", simulation.view(1 - action.seat))
    assert there.key == f"Lead a card./hand.{int(action.seat)}[0]"
    assert Action(Seat(0), (Seat(1), {"take": [1, None]}), "x").key == "x/(seat 1, (take: (1, None)))"


def test_an_index_numbers_actions_for_good(tmp_path: Path) -> None:
    """Numbers are the same whenever they are learned, in a file, and for copies; spare ones take the rest."""
    index = ActionIndex.learn(Race, 2, matches=3)
    simulation = Simulation(Race, 2, seed=99)
    numbers = [index.id(action) for action in simulation.legal()]
    assert len(set(numbers)) == len(numbers)
    again = ActionIndex.learn(Race, 2, matches=3)
    assert [again.id(action) for action in simulation.clone().legal()] == numbers
    mask = index.mask(simulation.legal())
    assert len(mask) == index.size
    assert [number for number, may in enumerate(mask) if may] == sorted(numbers)
    new = Action(Seat(0), 0, "new")
    first = index.id(new)
    assert first not in numbers
    assert index.id(new) == first
    index.save(tmp_path / "race.json")
    assert ActionIndex.load(tmp_path / "race.json").id(new) == first
    for data in (b"{}", b"", b"[[", b"\xff", b'["a", 1]', b'["a", "a"]', b"[" * 100_000):
        (tmp_path / "none.json").write_bytes(data)
        with pytest.raises(GameError, match=r"none\.json holds no index of actions\."):
            ActionIndex.load(tmp_path / "none.json")
    with pytest.raises(FileNotFoundError):
        ActionIndex.load(tmp_path / "nothing.json")
    for number in range(index.size - first - 1):
        index.id(Action(Seat(0), number, "other"))
    for numbered in (index.id, lambda action: index.mask([action])):
        with pytest.raises(GameError, match="No number is left"):
            numbered(Action(Seat(0), 0, "one too many"))
