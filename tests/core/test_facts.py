"""What is said of hidden things: declared, claimed, kept at shuffles, opened and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.core.replaying import replay

from tavolata import Game, Options, Outcome, Seat, Table, amount, claim, fact, one_of
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import DECLARED, PROVEN
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.worlds import new_match
from tavolata.assertions import Declaration, Narration
from tavolata.cards import handles
from tavolata.decks import FRENCH_52, ITALIAN_40, FrenchFace, ItalianFace, Rank, Suit
from tavolata.errors import GameError, HiddenFact
from tavolata.tricks import ace_high, follows, holds, places, void, winner

TERMS = Terms(("A", "B"), Options())
Script = Callable[[Any, Any], Any]


@fact
def ranks(hand: Sequence[ItalianFace]) -> tuple[int, ...]:
    """The ranks of a hand, in order."""
    return tuple(face.rank for face in hand)


@fact
def is_low(chosen: ItalianFace, hand: Sequence[ItalianFace], least: int) -> bool:
    """Whether a card is low, or there is no lower one in the hand."""
    return chosen.rank < least or all(face.rank >= chosen.rank for face in hand)


@fact
def rank(face: ItalianFace) -> int:
    """The rank of one card."""
    return face.rank


@fact
def beyond(number: int, limit: int) -> bool:
    """Whether a sealed number is above a limit."""
    return number > limit


def playing(script: Script) -> type[Game[Any]]:
    """A game of one turn for two, which is this coroutine after two cards each were dealt."""

    class Playing(Game[Options]):
        name, title, seats = "playing", "Playing", (2, 2)

        def setup(self, t: Table[Options]) -> None:
            self.deck: Any = t.pile("deck", ITALIAN_40)
            self.away: Any = t.pile("away")
            self.hands = t.hands("hand")
            self.got: Any = None

        async def turn(self, t: Table[Options]) -> Outcome:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands, each=2)
            self.got = await script(self, t)
            return Outcome((Seat(0),))

    return Playing


class Liar(OpenSource):
    """A dealer whose seat 1 declares what is not so."""

    def __init__(self, *lies: Any) -> None:
        self.lies = list(lies)
        super().__init__(3, [None, None])

    def work_out(self, one: Declaration | Narration) -> Any:
        lies = isinstance(one, Declaration) and int(one.seat) == 1 and self.lies
        return self.lies.pop(0) if lies else super().work_out(one)


def played(script: Script, *lies: Any) -> tuple[Match[Any], list[Any]]:
    """The match of such a game, played as far as it goes, and its log."""
    source = Liar(*lies)
    match = new_match(playing(script), TERMS, source)
    match.run()
    return match, source.log


async def declare_hand(game: Any, t: Any) -> Any:
    return await t.declare(Seat(1), ranks, game.hands[1])


async def throw_away(game: Any, t: Any) -> Any:
    """The hand that something was said of is thrown in, shuffled, and dealt anew."""
    said = await declare_hand(game, t)
    for hand in game.hands:
        hand.move_to(game.deck)
    for _ in range(2):
        await t.shuffle(game.deck)
    return said


async def show_at_last(game: Any, t: Any) -> Any:
    said = await declare_hand(game, t)
    await t.reveal(game.hands[1])
    game.got = "shown"
    return said


async def settle_now(game: Any, t: Any) -> Any:
    said = await declare_hand(game, t)
    await t.judge(game.hands[0])
    game.got = "settled others"
    await t.judge(game.hands[1])
    game.got = "settled"
    return said


async def break_on(game: Any, t: Any) -> Any:
    said = await throw_away(game, t)
    return {(0, 0): 1}.get(said, said)[0] + said[9] if said == (0, 0) else said


@pytest.mark.parametrize("script", [declare_hand, throw_away, show_at_last, settle_now, break_on])
def test_what_is_declared_is_true_and_judged(script: Script) -> None:
    """The value of a fact is that of the faces, and an honest seat is never convicted."""
    match, log = played(script)
    game: Any = match.game
    assert match.outcome == Outcome((Seat(0),))
    assert match.conviction is None
    assert len(game.got) == 2
    assert [entry[0] for entry in log].count(DECLARED) == 1
    assert match.table._facts.said == []


@pytest.mark.parametrize("script", [declare_hand, throw_away, show_at_last, settle_now, break_on])
def test_a_lie_convicts_its_seat(script: Script) -> None:
    """It comes out in the end, also when the cards were shuffled away or the rules break on it."""
    match, _ = played(script, (0, 0))
    assert match.conviction is not None
    assert match.conviction.seat == 1
    assert match.outcome == Outcome((Seat(0),))
    fields = match.conviction.charge.fields
    assert (fields["fact"], fields["value"], fields["turn"]) == ("ranks", "0, 0", 1)
    assert len(str(fields["faces"]).split(", ")) == 2


def test_a_lie_is_found_where_it_is_settled() -> None:
    """`judge` opens what was said of these piles and of no others."""
    match, _ = played(settle_now, (0, 0))
    assert vars(match.game)["got"] == "settled others"
    match, _ = played(show_at_last, (0, 0))
    assert vars(match.game)["got"] is None


def test_broken_rules_are_to_blame_where_nobody_lied() -> None:
    """What was said is judged first; then the error of the rules goes on."""

    async def breaks(game: Any, t: Any) -> Any:
        await declare_hand(game, t)
        raise KeyError("no such card")

    with pytest.raises(KeyError):
        played(breaks)
    match, log = played(breaks, (0, 0))
    assert match.conviction is not None
    assert PROVEN not in [entry[0] for entry in log]  # the file goes on once the rules are mended


@pytest.mark.parametrize("lies", [(), ((0, 0),)])
def test_another_machine_follows_what_was_said(lies: tuple[Any, ...]) -> None:
    """Assertions and openings are entries: a replay comes to the same end and the same conviction."""
    match, log = played(throw_away, *lies)
    again = new_match(match.rules, TERMS, LogSource(2, OneDealer()))
    replay(again, log)
    assert (again.outcome, again.conviction) == (match.outcome, match.conviction)
    assert again.digest() == match.digest()


@pytest.mark.parametrize(
    "forged",
    [
        (DECLARED, 0, 1, ("tuple", 1, 2)), (DECLARED, 1, 9, ("tuple", 1, 2)), (DECLARED, 1, 2, ("set", 1)),
        (DECLARED, 1, 2), (DECLARED, 1, 2, ("data", "os:path", 1)), (DECLARED, 1, 2, 0.5),
        (DECLARED, 1, 2, ("tuple", *range(2000))), (DECLARED, 1, 2, ("list", ("secret", 7))),
    ],
)  # fmt: skip
def test_a_declaration_that_does_not_fit_is_void(forged: Any) -> None:
    """Of another seat or question, or of no value of the game: nothing has changed by it."""
    match, log = played(throw_away)
    at = next(n for n, entry in enumerate(log) if entry[0] == DECLARED)
    source = LogSource(2, OneDealer(), [*log[:at], forged, *log[at:]])
    again = new_match(match.rules, TERMS, source)
    again.run()
    assert list(source.voids) == [at]
    assert again.digest() == match.digest()


@pytest.mark.parametrize("change", [("ask", 9), ("card", 39), ("face", 99), ("face", True)])
def test_another_face_than_the_one_spoken_of_proves_nothing(change: tuple[str, int]) -> None:
    """An opening is of a question and a card, and of a face of that deck; else it is void."""
    match, log = played(declare_hand)
    at = next(n for n, entry in enumerate(log) if entry[0] == PROVEN)
    kind, ask, card, face = log[at]
    parts = {"ask": ask, "card": card, "face": face} | {change[0]: change[1]}
    source = LogSource(2, OneDealer(), [*log[:at], (kind, *parts.values()), *log[at:]])
    again = new_match(match.rules, TERMS, source)
    again.run()
    assert list(source.voids) == [at]
    assert again.outcome == match.outcome


def test_only_who_may_see_it_declares_it() -> None:
    """That a seat was shown all that it speaks of, everybody can check; it need not be its own."""

    async def others(game: Any, t: Any) -> Any:
        await t.show(game.hands[0], [Seat(1)])
        return await t.declare_all(ranks, {Seat(1): game.hands[0], Seat(0): ()})

    match, _ = played(others)
    assert match.outcome is not None

    async def unseen(game: Any, t: Any) -> Any:
        return await t.declare(Seat(1), ranks, game.hands[0])

    with pytest.raises(GameError, match="may not see all that it is about"):
        played(unseen)


def test_one_card_and_a_sealed_answer_are_declared_as_well() -> None:
    """A fact of one card gets its face, one of a sealed answer gets the answer."""

    async def both(game: Any, t: Any) -> Any:
        one = await t.declare(Seat(1), rank, game.hands[1].top)
        sealed = await t.seal_all({Seat(1): amount(0, 9)})
        return one, await t.declare(Seat(1), beyond, sealed[Seat(1)], 4)

    def run(*lies: Any) -> Match[Any]:
        match = new_match(playing(both), TERMS, Liar(*lies))
        match.run()
        (ask,) = match.source.open
        match.feed((4, 1, ask.id, 7))
        return match

    match = run()
    assert vars(match.game)["got"][1] is True
    assert match.conviction is None
    liar = run(99)
    assert liar.conviction is not None
    assert liar.conviction.charge.fields["fact"] == "rank"


def claims(then: Script) -> type[Game[Any]]:
    async def script(game: Any, t: Any) -> Any:
        low = claim("That is not low.", is_low, game.hands[0], 3)
        card = await t.ask(Seat(0), one_of(game.hands[0]), claim=low, seconds=9, otherwise=game.hands[0].top)
        game.hands[0].move_to(game.away, [card])
        return await then(game, t)

    return playing(script)


async def nothing(game: Any, t: Any) -> Any:
    return None


async def mix_in(game: Any, t: Any) -> Any:
    game.hands[0].move_to(game.deck)
    game.away.move_to(game.deck)
    await t.shuffle(game.deck)


def asked(then: Script, seed: int) -> Match[Any]:
    match = new_match(claims(then), TERMS, OpenSource(seed, [None, None], lambda _: None))
    match.run()
    return match


def high_and_low() -> int:
    """A seed with which the first card of seat 0 may not be played, and the second may."""
    for seed in range(99):
        match = asked(nothing, seed)
        hand: list[Any] = [match.view(0).face(card) for card in match.game.hands[0]]  # type: ignore[attr-defined]  # its own
        if 3 <= hand[1].rank < hand[0].rank:
            return seed
    raise AssertionError("no seed does")


SEED = high_and_low()


@pytest.mark.parametrize("then", [nothing, mix_in])
def test_a_false_claim_is_refused_and_else_convicts(then: Script) -> None:
    """The own machine refuses it by the hand that it sees; a changed program is convicted in the end."""
    match = asked(then, SEED)
    (ask,) = match.source.open
    assert len(match.view(0).legal(ask)) == 1
    assert len(match.view(1).legal(ask)) == 2
    with pytest.raises(Exception, match="That is not low"):
        match.feed((4, 0, ask.id, 0))
    match.feed((4, 0, ask.id, 1))
    assert (match.conviction, match.over) == (None, True)
    liar = asked(then, SEED)
    liar.check_claim = lambda *_, **__: None  # type: ignore[method-assign]  # a changed program
    liar.feed((4, 0, ask.id, 0))
    assert liar.conviction is not None
    assert liar.conviction.charge.fields["value"] == "true"
    assert liar.outcome == Outcome((Seat(1),))


def test_the_answer_for_silence_claims_nothing() -> None:
    """When time runs out, and when somebody says the same answer: who waits could have it, too."""
    for entry in ((7, 1), (4, 0, 1, 1)):
        match = asked(mix_in, SEED)
        (ask,) = match.source.open
        match.check_claim = lambda *_, **__: None  # type: ignore[method-assign]  # a changed program
        match.feed((entry[0], ask.id) if entry[0] == 7 else (4, 0, ask.id, ask.late))
        assert match.conviction is None
        assert match.outcome == Outcome((Seat(0),))


def test_a_saved_match_remembers_what_was_said() -> None:
    """A snapshot has the assertion, the faces noted since and what was kept, and never a hidden face."""

    class Long(Game[Options]):
        name, title, seats = "long", "Long", (2, 2)

        def setup(self, t: Table[Options]) -> None:
            self.deck, self.hands = t.pile("deck", ITALIAN_40), t.hands("hand")

        async def turn(self, t: Table[Options]) -> Outcome | None:
            if t.turn == 0:
                await t.shuffle(self.deck)
                await t.deal(self.deck, self.hands, each=2)
                await t.declare(Seat(1), ranks, self.hands[1])
                await t.reveal([self.hands[1].top])
                self.hands[1].move_to(self.deck)
                await t.shuffle(self.deck)
                return None
            return Outcome(())

    source = Liar((0, 0))
    match: Match[Any] = new_match(Long, TERMS, source)
    saved: list[Any] = []
    match.on_turn = lambda: saved.append((unpack(pack(match.state())), unpack(pack(source.save()))))
    match.run()
    assert match.conviction is not None
    ((state, secrets),) = saved
    (said,) = state["facts"]
    assert len(said[10]) == len(said[11]) == 1
    other = Liar()
    again: Match[Any] = new_match(Long, TERMS, other)
    again.load(state)
    other.load(secrets)
    assert again.digest() != new_match(Long, TERMS, Liar()).digest()
    again.run()
    assert again.conviction == match.conviction


def test_a_fact_is_a_function_of_its_module() -> None:
    """Else it could not be found again in another process."""
    with pytest.raises(GameError, match="function of its module"):

        @fact
        def local(hand: Any) -> bool:
            return True

    with pytest.raises(GameError, match="is no fact: write @fact"):
        claim("No.", lambda chosen, hand: True)
    with pytest.raises(GameError, match="about cards, not about 'hand'"):
        claim("No.", first_of, ["hand"])  # type: ignore[arg-type] # that is what is refused


def test_what_is_said_is_short() -> None:
    """Arguments and values are plain data of at most 1 KiB."""

    async def value(game: Any, t: Any) -> Any:
        return await t.declare(Seat(1), first_of, game.hands[1], 2000, ())

    async def argument(game: Any, t: Any) -> Any:
        return await t.declare(Seat(1), first_of, game.hands[1], 2, tuple(range(2000)))

    for script in (value, argument):
        with pytest.raises(GameError, match="more than 1024 bytes"):
            played(script)


@fact
def first_of(hand: Sequence[ItalianFace], many: int, _: tuple[int, ...]) -> list[int]:
    """So many numbers."""
    return list(range(many))


def test_who_reads_a_hidden_face_is_named() -> None:
    """The error has the function that asks, and the words with which something hidden can be used."""

    async def peeks(game: Any, t: Any) -> Any:
        return game.deck.top.face

    with pytest.raises(HiddenFact, match=r"peeks` asks for the face .*`t.show`.*`claim`.*declare"):
        played(peeks)


def test_facts_of_tricks() -> None:
    """Following suit, holding, places, and who wins a trick, with and without trumps."""
    two, ten, ace = (FrenchFace(n, Suit.CLUBS) for n in (2, 10, Rank.ACE))
    heart = FrenchFace(3, Suit.HEARTS)
    assert follows(two, [two, heart], Suit.CLUBS)
    assert follows(heart, [heart], Suit.CLUBS)
    assert not follows(heart, [two, heart], Suit.CLUBS)
    assert (void([heart], Suit.CLUBS), void([two], Suit.CLUBS)) == (True, False)
    assert (holds([two], two), holds([two], ten)) == (True, False)
    assert places([two, heart, ten], Suit.CLUBS) == (0, 2)
    assert places([two, heart, ten], 3) == (1,)
    cards = {card.face: card for card in handles(FRENCH_52, 0)}
    played_cards = {"A": cards[ten], "B": cards[heart], "C": cards[ace], "D": cards[two]}
    assert winner(played_cards, Suit.CLUBS) == "C"
    assert winner(played_cards, Suit.CLUBS, Suit.HEARTS) == "B"
    assert winner(played_cards, Suit.CLUBS, height=lambda face: face.rank) == "A"
    assert ace_high(ace) > ace_high(ten)
