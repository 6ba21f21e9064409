"""Simulations: matches in this process that a program plays step by step, copies, and plays to their end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, Generic, Self
from weakref import ref

from typing_extensions import override

from tavolata._engine.match.campaign import pack_legacy
from tavolata._engine.match.entries import ANSWER, QUIET, REACT, TIMEOUT, MatchEntry
from tavolata._engine.match.match import Match, Replicas, TakenBack, Terms
from tavolata._engine.match.open_source import (
    HASNT_ENDED,
    MOST_ANSWERS,
    CutShort,
    OpenSource,
    Unended,
    answering,
    illegal,
)  # fmt: skip
from tavolata._engine.match.outcomes import checked
from tavolata._engine.match.seating import alternating, teams_for
from tavolata._engine.match.shadow import (
    Shadow,
    ShadowSource,
    TurnEnd,
    agree,
    caught_up,
    put_in,
    throw,
    turn_end,
)
from tavolata._engine.match.unseen import DrawnFaces, shuffle
from tavolata._players import Bot, Chance, RandomBot
from tavolata.asks import Ask
from tavolata.choices import MOST, Answer
from tavolata.errors import GameError, Refused
from tavolata.game import Game
from tavolata.kinds.question import RandomNumbers
from tavolata.messages import N_, Event
from tavolata.options import Options, problems_of, refuse_first
from tavolata.outcome import Outcome
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS
from tavolata.view import Action, G, View

ITSELF = "itself"
"""The key of a match's simulation among its shadows."""
RECENT = 256
"""So many entries back an end of a turn is worth keeping: the last one is where copies begin."""
_NAMES = tuple(f"Seat {number}" for number in range(1, 65))


class Simulation(Generic[G]):
    """A match that a program plays: step by step, from copies, and to its end.

    Args:
        rules: the class of the game.
        seats: the number of seats; None for the best number, or the fewest.
        options: the house rules; None for the default ones.
        teams: how many teams alternate around the table; 0 for none.
        legacy: what a match before has left, an instance of the game's `legacy`; None for nothing.
        seed: the same seed and the same steps give the same match.
        bots: by seat, a bot that answers on its own; the caller answers for all other seats.

    Attributes:
        untrue: how many open claims are false in it, if it was imagined; nobody is convicted of them.

    Raises:
        GameError: the game can't be played by this many, or has no such legacy.
        Refused: these teams don't fit the game or this many seats; `OptionError`, a subclass, if the house
            rules don't.
    """

    def __init__(
        self,
        rules: type[G],
        seats: int | None = None,
        *,
        options: Options | None = None,
        teams: int = 0,
        legacy: object | None = None,
        seed: int = 0,
        bots: Mapping[int, Bot] = {},
    ) -> None:
        game: type[Game[Any]] = rules  # type: ignore[assignment] # a view knows nothing of games, and has the same G
        low, high = game.seats
        number = (game.best_with or low) if seats is None else seats
        if not low <= number <= high:
            raise GameError(f"{game.name} is for {low} to {high} seats, not {number}.")
        rules_of_house = game.options() if options is None else options
        teams = teams_for(game, teams, number)
        refuse_first(problems_of(rules_of_house, number, teams))
        source = OpenSource(seed, [bots.get(seat) for seat in range(number)])
        left = b"" if legacy is None else pack_legacy(game, legacy)
        terms = Terms(_NAMES[:number], rules_of_house, teams=alternating(teams, number), legacy=left)
        self._stand(Match(game, terms, source, _REPLICAS))
        self._match.run()
        self._end_windows()

    def _stand(self, match: Match[OpenSource]) -> None:
        self._match = match
        self._end: TurnEnd | None = None
        self._begun = 0  # how many entries of the log come before that end of a turn
        self._let_pass: tuple[int, set[int]] = (0, set())  # a window, and who lets it pass
        self.untrue = 0
        match.shadows[ITSELF] = ref(self)

    @classmethod
    def _of(
        cls, match: Match[OpenSource], end: TurnEnd | None = None, untrue: int = 0, begun: int = 0
    ) -> Self:
        made = cls.__new__(cls)
        made._stand(match)
        made._end, made.untrue, made._begun = end, untrue, begun
        made._end_windows()
        return made

    # -- looking ----------------------------------------------------------------------------------

    @property
    def game(self) -> G:
        """The state, as the rules see it; only the simulation may change it."""
        game: G = self._match.game  # type: ignore[assignment] # it is an instance of `rules`
        return game

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it runs."""
        return self._match.outcome

    def unfinished(self) -> Outcome | None:
        """How the match would end if it were abandoned now, as its rules say; None for no outcome."""
        table = self._match.table
        found = self._match.game.unfinished(table)
        return None if found is None else checked(found, len(table.names), table.teams)

    @property
    def turn(self) -> int:
        """How many turns have ended."""
        return self._match.table.turn

    @property
    def open(self) -> tuple[Ask[Any], ...]:
        """The questions that wait for an answer; of a window, one for each seat that may still react.

        All seats react equally fast in a simulation, and are asked in their order.
        """
        source = self._match.source
        window = source.window
        if window is None:
            return tuple(ask for ask in source.open if ask.answer is None)
        return tuple(
            Ask(window.id, seat, question, window.you, window.others, window.params)
            for seat, question in window.questions.items()
            if window.may(seat) and seat not in self._passed()
        )

    def view(self, seat: int | None) -> View[G]:
        """What a seat may know, or a spectator (None). Nothing that was told is stored (`events`)."""
        return self._match.view(seat)

    def digest(self) -> bytes:
        """16 bytes that are equal where the public state is."""
        return self._match.digest()

    def legal(self, seat: int | None = None) -> list[Action]:
        """All that can be done, in an order that is the same on every machine.

        Args:
            seat: whose question is answered, with its interjections last; None for the first open question.

        Raises:
            GameError: a question has more than 512 answers; `question.nth` finds each.
        """
        found: list[Action] = []
        ask = next((one for one in self.open if seat in (None, one.seat)), None)
        if ask is not None:
            view = self.view(ask.seat)
            found = [Action(ask.seat, value, "", ask.you, view) for value in view.legal(ask)]
            if self._match.source.window is not None:
                found.append(Action(ask.seat, None, "", ask.you, view))
        return found if seat is None else found + self.interjections(seat)

    def interjections(self, seat: int) -> list[Action]:
        """The interjections that a seat may make now, in an order that is the same on every machine.

        Raises:
            GameError: one has more than 512 choices.
        """
        if self._match.over:
            return []
        found: list[Action] = []
        for name, question in self._match.standing(seat).items():
            view = self.view(seat)
            if question.count() > MOST:
                raise GameError(f"{question.count()} choices are too many to list.")
            found += [
                Action(SEATS[seat], question.nth(number), name, "", view)
                for number in range(question.count())
            ]
        return found

    # -- playing ----------------------------------------------------------------------------------

    def step(self, what: Action | object) -> None:
        """Do something, and continue to the next question.

        Args:
            what: an action, or the value of the first open question.

        Raises:
            Refused: it is not legal now; nothing has changed.
        """
        match = self._match
        if isinstance(what, Action) and what.name:
            self._feed(match.interjection(what.seat, what.name, what.value))
            return
        seat, value = (what.seat, what.value) if isinstance(what, Action) else (None, what)
        ask = next((one for one in self.open if seat in (None, one.seat)), None)
        if ask is None:
            raise Refused(N_("That question is closed."))
        if match.source.window is not None:
            self._react(ask, value)
            return
        self._feed((ANSWER, int(ask.seat), ask.id, self._answer(ask, value)))

    def _answer(self, ask: Ask[Any], value: object) -> Answer:
        """Return the answer of this value; a card of a copy stands for that card here."""
        try:
            return ask.question.answer_for(value)
        except Refused:
            return self._match.answer_of(ask.question, self._match.chosen(value))

    def _react(self, ask: Ask[Any], value: object) -> None:
        """Let a seat react in a window, or let it pass."""
        window = self._match.source.window
        assert window is not None
        if value is None:
            self._passed().add(int(ask.seat))
            self._end_windows()
        else:
            self._feed((REACT, int(ask.seat), window.id, self._answer(ask, value), max(window.floor, 1)))

    def _feed(self, entry: MatchEntry) -> None:
        self._match.feed(entry)
        self._end_windows()

    def _end_windows(self) -> None:
        """End each window in which nobody has yet to react: the fastest counts, or the match continues."""
        match = self._match
        while (window := match.source.window) is not None and not self.open:
            if window.claims:
                first = int(window.order()[0])
                match.feed((QUIET, first, window.id, first, 0, 0))
            elif window.seconds is None and window.go is not None:
                go = int(window.go)
                match.feed((REACT, go, window.id, GOES, window.hurry))
                match.feed((QUIET, go, window.id, go, 0, 0))
            else:
                match.feed((TIMEOUT, window.id))

    def _passed(self) -> set[int]:
        window = self._match.source.window
        if window is not None and self._let_pass[0] != window.id:
            self._let_pass = (window.id, set())
        return self._let_pass[1]

    def rollout(
        self,
        bots: Bot | Sequence[Bot],
        chance: RandomNumbers,
        *,
        steps: int | None = None,
        patient: Callable[[], bool] | None = None,
    ) -> Outcome | None:
        """Play on between bots; a clone that is not needed any more is what to play on with.

        Args:
            bots: one bot for all seats, or one for each.
            chance: what the bots draw, and what is drawn from here on. The cards lie as they do.
            steps: the number of answers to stop after; with it, these bots don't interject, and windows get
                random reactions. None plays to the end of the match, or 51,200 answers.
            patient: called between two answers; False stops it.

        Returns:
            How the match ended; None if it runs still.

        Raises:
            GameError: a bot gave an illegal answer or, without `steps`, the match stopped without an outcome.
        """
        match = self._match
        source, before = match.source, match.source.bots
        players = [bots] * len(before) if isinstance(bots, Bot) else list(bots)
        source.reseed(chance)
        if not match.table._facts.convicts:
            match.table._facts.drop()  # nothing follows from what was said in an imagined world
        if steps is not None:
            for given in range(steps):
                if patient is not None and given and not patient():
                    break
                if not self._one_answer(players, chance):
                    break
            return match.outcome
        source.sit_down(players)
        source.cut_short(patient)
        match.go_on_from(source)
        try:
            match.run()
        except CutShort:
            return None
        finally:
            source.let_go()
        if match.outcome is None:
            raise GameError(f"{match.rules.name} stopped without an outcome.")
        return match.outcome

    def playout(self, chance: RandomNumbers) -> Outcome:
        """How the match ends if random bots play on, as `clone().rollout(RandomBot(), chance)` does.

        This simulation stays as it is. Where the game has a quick way of its own (`Game.playout`), nothing is
        copied and no rules are played.

        Args:
            chance: what is drawn from here on.

        Raises:
            GameError: see `rollout`.
            TavolataError: the match hasn't ended after 51,200 answers.
        """
        drawn = _Drawn([chance.below(1 << 64), chance.below(1 << 64)])
        found = reckoned(self, drawn) or self.clone().rollout(RandomBot(), drawn)
        if found is None:
            raise Unended(HASNT_ENDED, game=self._match.rules.name, n=MOST_ANSWERS)
        return found

    def _one_answer(self, players: Sequence[Bot], chance: RandomNumbers) -> bool:
        """Have a bot answer the first open question; return False if there isn't one."""
        ask = next(iter(self.open), None)
        if ask is None:
            return False
        own = Chance(chance.below(1 << 64))
        if self._match.source.window is not None:
            self.step(ask.question.any(own) if own.percent(15) else None)
        else:
            match, bot = self._match, players[ask.seat]
            try:
                answer = self._answer(ask, bot.choose(self.view(ask.seat), ask, own))
                if ask.claim is not None:
                    match.check_claim(ask, answer)
            except Refused as refusal:
                raise illegal(ask.seat, refusal) from refusal
            self._feed((ANSWER, int(ask.seat), ask.id, answer))
        return True

    # -- copies -----------------------------------------------------------------------------------

    def _replica(self) -> Match[ShadowSource]:
        """Return a copy without what is hidden; the next one begins at the last end of a turn on its way."""
        log = self._match.source.log
        begun = self._begun
        last = len(log) - begun - RECENT

        def ended(replica: Match[ShadowSource]) -> None:
            if replica.source.at >= last:
                self._end = turn_end(replica, replica.source)
                self._begun = begun + replica.source.at

        return caught_up(self._match, self._end, log[begun:], ended)

    def clone(self) -> Simulation[G]:
        """A simulation in the same state, with the same cards; what is drawn later is the same, too."""
        begun, replica = self._begun, self._replica()
        source = self._match.source
        replica.table._facts.convicts = self._match.table._facts.convicts
        sealed = {number: one for answers in source.sealed.values() for number, one in answers.items()}
        closed = replica.source.closed.values()
        sealed |= {ask.id: ask.answer for ask in closed if ask.answer is not None}
        copy = put_in(self._match, replica, source.twin(), source.faces(), sealed, Chance())
        clone: Simulation[G] = Simulation._of(copy, self._end, self.untrue, self._begun - begun)
        clone._let_pass = (self._let_pass[0], set(self._let_pass[1]))
        return clone

    def _imagined(self, seat: int | None, chance: RandomNumbers) -> Simulation[G]:
        """Return a copy with different cards where this seat doesn't know them."""
        begun, replica = self._begun, self._replica()
        source = self._match.source
        known: Mapping[int, int] = {} if seat is None else source.known[seat]
        faces, drawn = source.faces(), DrawnFaces({}, {}, {})
        for lot in replica.source.lots.lots:
            cards = sorted(lot.cards - known.keys())
            those = [faces[card] for card in cards]
            shuffle(those, chance)
            drawn.faces.update(zip(cards, those, strict=True))
            drawn.ways.update(dict.fromkeys(cards, (lot,)))
        throw(replica, known, drawn, chance)
        sealed = {} if seat is None else source.sealed[seat]
        untrue = agree(replica, drawn, known, sealed, chance)
        for card, face in drawn.faces.items():
            faces[card] = face
        own = OpenSource(chance.below(1 << 64), [None] * len(self._match.status))
        copy = put_in(self._match, replica, own, faces, sealed, chance)
        return Simulation._of(copy, self._end, untrue, self._begun - begun)


class _Drawn:
    """Two numbers that were drawn, for `OpenSource.reseed`."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self._next = iter(numbers)

    def below(self, limit: int) -> int:
        return next(self._next)


def reckoned(of: Simulation[Any], drawn: _Drawn) -> Outcome | None:
    """Return the result of the game's own `playout`; None if it has none, or there's nothing to answer."""
    match = of._match
    asked = match.source.open
    if match.rules.playout is Game.playout or match.source.window is not None or not asked:
        return of.outcome
    table = match.table
    found = match.game.playout(table, answering(drawn.numbers[1], asked[0].id))
    return None if found is None else checked(found, len(table.names), table.teams)


def dealt(
    rules: type[Game[Any]],
    seats: int,
    options: Options | None,
    source: OpenSource,
    teams: int = 0,
    heard: Callable[[Event], object] | None = None,
) -> Simulation[Any]:
    """Return a simulation with cards, dice and numbers from this source; see `Simulation` for the rest.

    `heard` gets each event of this match, but none of its copies.
    """
    told = rules.options() if options is None else options
    terms = Terms(_NAMES[:seats], told, teams=alternating(teams, seats))
    match = Match(rules, terms, source, _REPLICAS, heard)
    match.run()
    return Simulation._of(match)


def rehearsed(
    rules: type[Game[Any]], terms: Terms, look: Callable[[Match[Any]], object], events: int
) -> None:
    """Play one match of random bots by these terms, with a seed of its own.

    Args:
        rules: the class of the game.
        terms: those of the match that it is for.
        look: gets the match after each event and before each question.
        events: the events after which no question is answered any more. Of what follows without a question
            `look` gets every eighth event.
    """
    told = 0

    def heard(_: Event) -> None:
        nonlocal told
        told += 1
        if told <= events or not told % 8:
            look(match)

    names = len(terms.names)
    alone = terms._replace(pace=None, parties=(), snapshot=None)
    match = Match(rules, alone, OpenSource(0, [None] * names), _REPLICAS, heard)
    match.run()
    simulation: Simulation[Any] = Simulation._of(match)
    players, chance, steps = [RandomBot()] * names, Chance(0), 0
    while told < events and steps < 2 * events:
        look(match)
        if not simulation._one_answer(players, chance):
            break
        steps += 1


def imagined(match: Match[Any], seat: int | None, chance: RandomNumbers) -> Simulation[Any]:
    """Return a world that may be the true one, as far as this seat knows; see `View.imagine`."""
    of = match.shadows.get(ITSELF)
    if of is not None:
        simulation = of()
        if simulation is None:
            raise GameError("The simulation of this view is gone.")
        found: Simulation[Any] = simulation._imagined(seat, chance)
        return found
    shadow = match.shadows.get(seat)
    if shadow is None:
        shadow = match.shadows[seat] = Shadow(match, seat)
    return Simulation._of(*shadow.imagine(match, chance))


class _Replicas(Replicas):
    """Imagined worlds for the players of a simulation, which takes nothing back."""

    @override
    def imagine(self, match: Match[Any], seat: int | None, chance: RandomNumbers) -> Simulation[Any]:
        return imagined(match, seat, chance)

    @override
    def go_back(self, match: Match[Any], to: TakenBack) -> None:
        raise GameError("A simulation takes nothing back: make a clone, and go on from that.")


_REPLICAS: Final = _Replicas()

SPARE = 64
"""The numbers that an index keeps for actions it has never met."""


class ActionIndex:
    """Numbers for the actions of a game, the same in every state and every match, for programs that learn.

    Args:
        keys: the keys of the actions, in the order of their numbers.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self._numbers = {key: number for number, key in enumerate(keys)}
        self.size = len(keys) + SPARE
        """How many numbers there are, with those that are spare."""

    @property
    def keys(self) -> list[str]:
        """The keys that it knows, in the order of their numbers."""
        return list(self._numbers)

    @classmethod
    def learn(
        cls,
        rules: type[Game[Any]],
        seats: int | None = None,
        options: Options | None = None,
        *,
        matches: int = 500,
        seed: int = 0,
    ) -> Self:
        """Number the actions that are met in matches between random players.

        Args:
            rules: the class of the game.
            seats: the number of seats; see `Simulation`.
            options: the house rules; see `Simulation`.
            matches: how many matches are played.
            seed: the seed of the first; the others get the following numbers.

        Raises:
            GameError: as `Simulation`, or a match stopped without an outcome.
            Refused: as `Simulation`.
        """
        keys: dict[str, None] = {}
        for number in range(seed, seed + matches):
            simulation, chance = Simulation(rules, seats, options=options, seed=number), Chance(number)
            while simulation.outcome is None:
                ask = next(iter(simulation.open), None)
                if ask is None:
                    raise GameError(f"{rules.name} stopped without an outcome.")
                if ask.question.count() <= MOST:
                    keys |= dict.fromkeys(action.key for action in simulation.legal())
                simulation._one_answer([RandomBot()] * len(simulation._match.status), chance)
        return cls(sorted(keys))

    def id(self, action: Action) -> int:
        """The number of an action; one that was never met gets the next spare number.

        Raises:
            GameError: no spare number is left.
        """
        number = self._numbers.get(action.key)
        if number is None:
            number = len(self._numbers)
            if number == self.size:
                raise GameError("No number is left for new actions: let the index learn from more matches.")
            self._numbers[action.key] = number
        return number

    def mask(self, actions: Iterable[Action]) -> list[bool]:
        """Return `size` booleans, True at the numbers of these actions; `id` numbers new ones.

        Raises:
            GameError: no spare number is left.
        """
        found = [False] * self.size
        for action in actions:
            found[self.id(action)] = True
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Write the keys to a file, a JSON list in UTF-8; raise OSError if that fails."""
        Path(path).write_text(json.dumps(self.keys, ensure_ascii=False, indent=0), encoding="utf-8")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Return the index that was saved in a file, with 64 spare numbers behind those that were in use.

        Raises:
            GameError: the file holds none.
            OSError: it can't be read.
        """
        try:
            keys = json.loads(Path(path).read_bytes().decode())
        except (ValueError, RecursionError):
            keys = None
        are_texts = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        if not are_texts or len({*keys}) < len(keys):
            raise GameError(f"{path} holds no index of actions.")
        return cls(keys)
