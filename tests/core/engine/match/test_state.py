"""The state as plain data: everything that decides the future, exactly, and nothing else."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import pytest
from tests.core.games import GAMES, Shouts, Speed, Trick, Tricks, lays_suit

from tavolata import (
    YES_NO,
    Branch,
    Choice,
    Form,
    Game,
    Options,
    Outcome,
    Seat,
    Secret,
    Table,
    amount,
    claim,
    form,
    free_text,
    one_of,
    some_of,
)  # fmt: skip
from tavolata._engine.match.dealing import OneDealer, box_of
from tavolata._engine.match.entries import DECLARED, NUMBER, OPENED, SEALED, SHOWN, SHUFFLED
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.state import ENDLESS, Reader, Writer, longest, pack, room, unpack
from tavolata._engine.match.worlds import new_match
from tavolata._engine.storage.recorded import events_of, plain_event
from tavolata._engine.table import log_bodies
from tavolata.bots import RandomBot
from tavolata.cards import HIDDEN
from tavolata.decks import ITALIAN_40
from tavolata.errors import GameError
from tavolata.ring import SEATS
from tavolata.testing import Case, checks
from tavolata.testing.recording import NotingSource, Recorded, follow, play
from tavolata.zones import CardView


@dataclass(frozen=True)
class Layer:
    """Something around something."""

    inside: Any


class Kept(Game[Options]):
    """It keeps one of everything."""

    name, title, seats = "kept", "Kept", (2, 2)

    def setup(self, t: Any) -> None:
        self.deck, self.open = t.pile("deck", ITALIAN_40), t.pile("open")
        self.hands, self.pot, self.coins = t.hands("hand"), t.counter("pot", 9), t.counters("coins", 3)
        self.track, self.grid = t.track("track", 9, ["red", "blue"]), t.grid("grid", 2, 2)
        self.thing: Any = None

    async def turn(self, t: Any) -> Outcome | None:
        await t.randrange(2)
        return None


def at_a_turn(thing: Any = None) -> Match:
    match = new_match(Kept, Terms(("A", "B"), Options()), LogSource(2, OneDealer(), [(NUMBER, 2, 0)]))
    match.run()
    game: Any = match.game
    game.thing = thing
    return match


def fresh(state: Any) -> Match:
    """A match that takes up this state."""
    match = new_match(Kept, Terms(("A", "B"), Options()), LogSource(2, OneDealer()))
    match.load(state)
    return match


@dataclass(frozen=True, kw_only=True)
class Note:
    """Frozen data with a field that is reckoned."""

    text: str
    size: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.text))


GOOD: list[Any] = [
    None, True, 0, -(2**60), "text", b"bytes", SEATS[1], Speed.FAST, [1, [2]], (1, (2,)), [], (), {},
    {1: "a", "b": [SEATS[0]]}, {(1, 2): 3}, Note(text="abc"), Trick(SEATS[0], ()),
    one_of(["a", Choice(2, "two")]), some_of([1, 2, 3], 1, 2), Form(dict, {"a": one_of([1])}),
    some_of([1, 2, 3], 2, 2, ordered=True), Branch([Choice(1), Choice(2)], [amount(1, 3), None]),
    amount(0, 8, 2), form(dict, a=YES_NO, b=amount(1, 2)),
    form(Note, text=one_of("ab")), form(dict, different="no", a=one_of("ab"), b=one_of("ab")),
]  # fmt: skip


@pytest.mark.parametrize("thing", GOOD, ids=lambda thing: type(thing).__name__)
def test_plain_data_comes_back_as_it_was(thing: Any) -> None:
    """What may be state is written as bytes and read back with its types."""
    match = at_a_turn(thing)
    written = pack(match.state())
    again = fresh(unpack(written))
    game: Any = again.game
    assert pack(again.state()) == written
    assert type(game.thing) is type(thing)
    if hasattr(thing, "nth"):
        assert [game.thing.nth(n) for n in range(thing.count())] == [
            thing.nth(n) for n in range(thing.count())
        ]
    else:
        assert game.thing == thing


SHORT, WORDS = (free_text(most, suggestions=("a", "b")) for most in (40, 120))
CODE = free_text(40, signs="ABC", suggestions=("A", "B"))
EITHER = Branch([Choice(1), Choice(2)], [WORDS, some_of(range(40), 0, 40)])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (one_of(range(128)), 127), (one_of(range(129)), 128), (amount(-200, 100), -200),
        (amount(0, 2**40), 2**40), (some_of(range(300), 0, 20), tuple(range(280, 300))),
        (some_of([], 0, 0), ()), (WORDS, "\N{GRINNING FACE}" * 50), (SHORT, "\N{GRINNING FACE}" * 40),
        (CODE, "A" * 40), (form(dict, a=WORDS, b=WORDS, c=amount(0, 9)), ("é" * 50, "é" * 50, 9)),
        (Form(dict, {f"f{n}": CODE for n in range(16)}), (*["A" * 33] * 4, *["A" * 34] * 2, *[""] * 10)),
        (EITHER, (0, "é" * 100)), (form(dict, a=WORDS, b=EITHER), ("é" * 100, (1, tuple(range(40))))),
    ],
)  # fmt: skip
def test_the_longest_answer_is_reckoned_from_its_question(question: Any, answer: Any) -> None:
    """No answer is longer, and few bytes are added for the heads of texts, which have a limit in all."""
    assert len(pack(answer)) <= longest(question)[1] <= len(pack(answer)) + 5


def test_what_is_kept_instead_of_being_written_fits_and_can_not_change() -> None:
    """Its plain form is no longer than is said; what somebody could change, or not write, has no end."""
    match = at_a_turn()
    game: Any = match.game
    card, writer = game.deck.top, Writer(match.table)
    lasting = [
        None, True, -(2**60), 2**64 - 1, "täxt", SEATS[1], Speed.FAST, (1, (2,)), (), Note(text="abc"), card,
        Trick(SEATS[0], (card, card)), (card, Trick(SEATS[63], ())),
    ]  # fmt: skip
    for thing in lasting:
        assert len(pack(writer.write(thing, "It"))) <= room(thing) < ENDLESS
    loose: Any = [card]
    changing = [
        [1], (1, [2]), {}, Trick(SEATS[0], loose), one_of("ab"), game.deck, game.pot, Loose(), Point(1),
        0.5, {1}, 2**64, Kept,
    ]  # fmt: skip
    for thing in changing:
        assert room(thing) >= ENDLESS


def test_what_an_older_version_wrote_of_our_own_classes_can_be_read() -> None:
    """A field that was added since has its default: a match with a card in what was told was not resumed."""
    match = at_a_turn()
    seen = CardView(3, "deck", 7)
    written = Writer(match.table).write(seen, "It")
    assert Reader(match.table, "tests").read(written) == seen
    assert Reader(match.table, "tests").read(written[:-1]) == seen
    with pytest.raises(GameError, match="does not fit"):
        Reader(match.table, "tests").read(written[:3])
    theirs = Writer(match.table).write(Trick(SEATS[0], ()), "It")
    with pytest.raises(GameError, match="does not fit"):
        Reader(match.table, "tests").read(theirs[:-1])


def test_pieces_and_cards_come_back_as_themselves() -> None:
    """An attribute that holds a piece, a card or a pile of the table holds that very one afterwards."""
    match = at_a_turn()
    game: Any = match.game
    game.thing = [game.deck, game.deck.top, game.hands[1], game.pot, {"best": game.deck.bottom}]
    again = fresh(unpack(pack(match.state())))
    back: Any = again.game
    assert back.thing[0] is back.deck
    assert back.thing[1] is back.deck.top
    assert back.thing[2] is back.hands[1]
    assert back.thing[4]["best"] is back.deck.bottom


class Point(NamedTuple):
    """A tuple that would come back without its name."""

    x: int


@dataclass
class Loose:
    """Data that can be changed from several places."""

    x: int = 0


@pytest.mark.parametrize(
    ("thing", "kind"),
    [
        ({1}, "set"), (frozenset(), "frozenset"), (0.5, "float"), (len, "builtin_function_or_method"),
        (lambda: 0, "function"), (Point(1), "Point"), (Loose(), "Loose"), (object(), "object"),
        (range(3), "range"),
        ([{"deep": {2}}], "set"), (Kept, "type"),
    ],
)  # fmt: skip
def test_what_can_not_be_state_is_named(thing: Any, kind: str) -> None:
    """The error has the class, the attribute and the type of what does not belong there."""
    with pytest.raises(GameError, match=rf"^Kept\.thing holds a {kind}; "):
        at_a_turn(thing).state()


@pytest.mark.parametrize("number", [1 << 64, -(1 << 63) - 1])
def test_a_number_that_no_file_can_hold_is_named(number: int) -> None:
    """The largest and the smallest that fit are kept; beyond them the error says where the number is."""
    fits = number - 1 if number > 0 else number + 1
    assert unpack(pack(at_a_turn([fits]).state()))["game"]["thing"] == ["list", fits]
    with pytest.raises(GameError, match=r"^Kept\.thing holds a number of more than 64 bits"):
        at_a_turn([number]).digest()


SAID = claim("No.", lays_suit, (), Speed.FAST)


def hidden(game: Any) -> Any:
    """A card whose face is hidden now."""
    game.deck.top._face = HIDDEN
    return game.deck.top


CHANGES: dict[str, Callable[[Any, Any], object]] = {
    "an attribute": lambda game, match: setattr(game, "thing", 1),
    "a new attribute": lambda game, match: setattr(game, "other", None),
    "the type of a value": lambda game, match: setattr(game, "thing", False),
    "a counter": lambda game, match: game.pot.pay(1, game.coins[0]),
    "whose coin": lambda game, match: game.coins.move(0, 1),
    "the order of a pile": lambda game, match: game.deck.cut(1),
    "the pile of a card": lambda game, match: game.open.put(game.deck.take_top()),
    "the hand of a card": lambda game, match: game.hands[1].put(game.deck.take_top()),
    "a face": lambda game, match: setattr(game.deck.top, "_face", ITALIAN_40.faces[3]),
    "a token": lambda game, match: game.track.put("red", 3),
    "the order of arrival": lambda game, match: game.track.put("red", -1),
    "a cell": lambda game, match: game.grid.put((1, 1), "x"),
    "the direction": lambda game, match: match.table.ring.reverse(),
    "the first seat": lambda game, match: setattr(match.table, "first_seat", SEATS[1]),
    "the turn": lambda game, match: setattr(match.table, "turn", 7),
    "the questions so far": lambda game, match: setattr(match.table, "_asks", 7),
    "an assertion": lambda game, match: match.table._facts.claimed(1, SEATS[0], 0, SAID, hidden(game)),
    "a seat's player": lambda game, match: match.status.__setitem__(0, "away"),
    "the end": lambda game, match: setattr(match, "outcome", Outcome(())),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_digest_notices(change: Callable[[Any, Any], object]) -> None:
    """Whatever decides the future is in the digest: a change of it alone makes another."""
    match = at_a_turn()
    before = match.digest()
    assert at_a_turn().digest() == before
    change(match.game, match)
    assert match.digest() != before


def test_the_order_of_a_dict_counts() -> None:
    """Rules may walk a dict: its order is part of the state."""
    assert at_a_turn({1: 1, 2: 2}).digest() != at_a_turn({2: 2, 1: 1}).digest()


@pytest.mark.parametrize(
    "thing",
    [
        ["enum", "os:PathLike", "X"],
        ["data", "subprocess:Popen", "ls"],
        ["data", "tavolata.table:Table"],
        ["data", "tavolata.nothing:Table"],
        ["enum", "tavolata.decks:Suit", "WHEELS"],
        ["data", "tavolata.decks:FrenchFace", 1],
        ["data", "tavolata.decks:FrenchFace", 1, 2, 3],
        ["seat", 99],
        ["card", 99],
        ["secret", 1],
        ["piece", "none"],
        ["kind", "poem"],
        ["what", 1],
        [],
        [[]],
    ],
)
def test_a_saved_state_makes_nothing_but_data(thing: Any) -> None:
    """What a file says is read as data of the game or of Tavolata, or is refused; nothing else is made."""
    with pytest.raises(GameError, match="saved state"):
        Reader(at_a_turn().table, "tests").read(thing)


def test_a_saved_state_of_another_game_is_refused() -> None:
    """A state that does not fit its game is an error in words."""
    state = at_a_turn().state()
    state["game"] = {"thing": ["piece", "roof"]}
    with pytest.raises(GameError, match="does not fit this game"):
        fresh(state)


def test_a_closed_seal_is_kept_with_the_dealer_s_secrets() -> None:
    """A snapshot has no sealed answer; the dealer's own part has, and the match goes on with it."""
    whole = play(Case(Tricks, 2, {}, 1))
    snapshots: list[Any] = []

    def keep(kept: Any) -> None:
        snapshots.append((unpack(pack(kept.match.state())), unpack(pack(kept.match.source.save()))))

    play(whole.case, keep)
    state, secrets = snapshots[0]
    assert [answer for *_, answer in state["secrets"]] == [None, None]
    assert sorted(len(answers) for answers in secrets["sealed"].values()) == [1, 1]
    log: list[Any] = []
    source = OpenSource(1, list(whole.case.players()), log.append)
    match = new_match(Tricks, Terms(whole.case.names, Options()), source)
    match.load(state)
    source.load(secrets)
    match.run()
    assert (match.outcome, match.digest()) == (whole.match.outcome, whole.match.digest())


def test_a_closed_seal_is_kept_with_its_box() -> None:
    """On a machine that follows a log, a seal that was saved opens to the same answer and to no other."""
    nonce = bytes(32)
    boxes = [(SEALED, seat, 2 + seat, box_of(seat, 2 + seat, nonce, 3)) for seat in (0, 1)]
    log = [(NUMBER, 2, 0), (SHUFFLED, 40, b""), (SHOWN, 1, tuple(range(8))), *boxes]
    match = new_match(Tricks, Terms(("A", "B"), Options()), LogSource(2, OneDealer(), log))
    saved: list[Any] = []
    match.on_turn = lambda: saved.append(unpack(pack(match.state())))
    match.run()
    source = LogSource(2, OneDealer(), [])
    again = new_match(Tricks, Terms(("A", "B"), Options()), source)
    again.load(saved[0])
    game: Any = again.game
    asks = [secret._ask for secret in game.bids.values()]
    assert pack(again.state()) == pack(saved[0])
    assert not source.unseal(asks)
    for answer in (4, 3):
        source.feed((OPENED, 0, 2, nonce, answer))
    source.feed((OPENED, 1, 3, nonce, 3))
    assert source.unseal(asks)
    assert (list(source.voids), [ask.answer for ask in asks]) == ([0], [3, 3])


def test_seals_that_the_game_has_dropped_are_forgotten() -> None:
    """Snapshots don't grow with answers that were opened long ago."""

    class Asks(Kept):
        async def turn(self, t: Any) -> Outcome | None:
            await t.ask_all(dict.fromkeys(t.ring, YES_NO))
            return Outcome(()) if t.turn == 20 else None

    sizes: list[int] = []
    play(Case(Asks, 2, {}, 1), lambda kept: sizes.append(len(pack(kept.match.state()))))
    assert max(sizes) - min(sizes) < 4


@pytest.mark.parametrize("game", GAMES)
def test_events_come_back_from_plain_data(game: Any) -> None:
    """A file of events can be shown again, with seats, cards, faces and plurals."""
    match = play(Case(game, game.seats[1], {}, 2)).match
    again = events_of(unpack(pack([plain_event(event, match) for event in match.events])), match)
    assert again == list(match.events)
    assert [getattr(event.message, "other", None) for event in again] == [
        getattr(event.message, "other", None) for event in match.events
    ]


def test_a_match_that_is_loaded_has_new_views() -> None:
    """Views that were taken before a snapshot was loaded do not linger in the match."""
    match = new_match(
        Shouts, Terms(("A", "B"), Options()), OpenSource(1, [None, None], lambda _: None, hold=True)
    )
    view = match.view(0)
    match.load(unpack(pack(play(Case(Shouts, 2, {}, 1)).match.state())))
    assert match.view(0) is not view


class Odd(Enum):
    """Not a kind of data that is known by any file."""

    ONE = 1


def test_writer_and_reader_know_the_same_tags() -> None:
    """Every plain form that is written is read back to what it was."""
    match = at_a_turn()
    writer = Writer(match.table)
    reader = Reader(match.table, "tests")
    for thing in [*GOOD, Odd.ONE, match.table._pieces.named["deck"], match.table._pieces.cards[3]]:
        assert pack(writer.write(reader.read(writer.write(thing, "x")), "x")) == pack(
            writer.write(thing, "x")
        )


class Papers(Game[Any]):
    """Everybody seals a number in a turn; in the next one it's opened, and the late ones are named."""

    name, title, seats = "papers", "Papers", (2, 2)

    def setup(self, t: Table[Any]) -> None:
        self.papers: dict[Seat, Secret[int]] = {}
        self.late: list[Seat] = []

    async def turn(self, t: Table[Any]) -> Outcome | None:
        if t.turn % 2 == 0:
            asked = dict.fromkeys(t.ring, one_of([1, 2, 3]))
            self.papers = await t.seal_all(asked, "A number.", "Numbers.", seconds=9, otherwise=2)
            return None
        await t.reveal(self.papers.values())
        self.late += [seat for seat, paper in self.papers.items() if paper.is_late]
        return Outcome(tuple(t.ring)) if t.turn == 5 else None


def test_who_was_late_is_known_after_a_match_is_resumed() -> None:
    """A sealed answer that is opened after a snapshot counts as before it."""
    played = Case(Papers, 2, seed=1, bots=(RandomBot,))
    kept = Recorded(played)
    follow(kept, NotingSource(kept))
    assert isinstance(kept.match.game, Papers)
    assert kept.match.game.late  # so that there is something to lose
    assert checks.save_and_resume_everywhere(Papers) >= 1


LAYERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda one: [one], "tuple": lambda one: (one, 1), "dict": lambda one: {1: one},
    "data": Layer, "question": lambda one: Choice((one,)),
}  # fmt: skip


@pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS)
def test_what_can_be_written_is_shallow_enough_to_be_said_and_to_be_read(layer: Callable[[Any], Any]) -> None:
    """A value has so many layers, or one more that it can't be written with: none that can't be read."""
    value: Any = SEATS[1]
    with pytest.raises(GameError, match=r"A choice.* is nested in more than"):  # noqa: PT012 - any layer may be it
        for _ in range(40):
            written = Writer(None).write(value, "A choice")
            said = log_bodies.read(pack([log_bodies.PLAY, "", [DECLARED, 0, 1, [written]], b""]))
            assert said is not None
            assert unpack(pack([0, {"entries": 1, "state": {"facts": [[written]]}}]))
            value = layer(value)


def test_lists_that_claim_more_than_follows_get_no_room() -> None:
    """A thousand lists in lists that claim 16,000 items each cost no more than the bytes that are there."""
    body = (b"\xdc\x3e\x80" * 1000).ljust(16_000, b"\xc0")
    tracemalloc.start()
    try:
        for read in (unpack, log_bodies.read):
            with suppress(ValueError):
                assert read(body) is None
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000
    flat = list(range(1000))
    assert unpack(pack(flat)) == flat
    with pytest.raises(ValueError, match="extra"):
        unpack(pack(flat) + b"\x01")


def test_bytes_have_at_most_so_many_levels() -> None:
    """Lists, and dicts by their keys and values: more are refused before anybody looks at them."""
    for at_most in (33, 5):
        assert unpack(b"\x91" * at_most + b"\x01", levels=at_most)
        for deep in (b"\x91", b"\x81\x01"):
            with pytest.raises(ValueError, match="nested"):
                unpack(deep * (at_most + 1) + b"\x01", levels=at_most)
        with pytest.raises(ValueError, match="nested"):
            unpack(b"\x81" + b"\x91" * at_most + b"\x01\x01", lists=False, levels=at_most)
