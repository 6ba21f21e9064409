"""What one of several people at a machine hears of that machine's updates."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tavolata import N_, Ask, one_of
from tavolata._engine.match.updates import UNHEARD, Asked, Closed, LobbyChanged, Notice, Said, Update
from tavolata._engine.sessions.shared import Share, heard_by
from tavolata._text import Verbatim
from tavolata.errors import Refused
from tavolata.ring import SEATS

HOST = b"h" * 32
NORA, UGO = HOST + b"n" * 16, HOST + b"u" * 16
NAMES = {HOST: "Host", NORA: "Nora", UGO: "Ugo"}
PEOPLE = (HOST, NORA, UGO)


def heard(
    update: Update, me: bytes = NORA, *, seat: int = 1, ignored: tuple[bytes, ...] = ()
) -> Update | None:
    """What this person hears."""
    return heard_by(update, me, NAMES.__getitem__, PEOPLE.__getitem__, (seat,), ignored)


def ask_of(seat: int) -> Ask[Any]:
    return Ask(7, SEATS[seat], one_of([1, 2]), N_("Which?"), N_("They choose."))


def test_a_question_is_for_who_sits_there() -> None:
    """Everybody sees that it is asked; that it is theirs, or was closed, only its player."""
    for seat, mine in ((1, True), (0, False)):
        update = heard(Asked(ask_of(seat), mine=True))
        assert isinstance(update, Asked)
        assert update.mine is mine
        assert (heard(Closed(ask_of(seat), late=True)) is not None) is mine


def test_a_question_that_somebody_else_answered_is_closed_for_who_was_asked() -> None:
    """While a bot plays Nora's seat she plays none, but her screen still shows what it has answered."""
    closed = Closed(ask_of(1), late=False)
    assert heard_by(closed, NORA, NAMES.__getitem__, PEOPLE.__getitem__, (), ()) == closed
    assert heard_by(closed, UGO, NAMES.__getitem__, PEOPLE.__getitem__, (), ()) is None


def test_a_whisper_is_read_by_two() -> None:
    """One machine opens what is whispered to anybody there; the others at it see that there are words."""
    whisper = Said(Verbatim("Ann"), Verbatim("I have the ace"), ("Nora",))
    assert heard(whisper) == whisper
    for other in (HOST, UGO):
        assert heard(whisper, other) == whisper._replace(text=UNHEARD)
    own = Said(Verbatim("Host"), Verbatim("psst"), ("Ann",), mine=True)
    assert [heard(own, one) for one in (HOST, NORA)] == [
        own,
        Said(Verbatim("Host"), UNHEARD, ("Ann",), mine=False),
    ]


def test_a_whisper_to_several_is_read_by_each_of_them() -> None:
    """Two people of one machine are spoken to, and the third reads that there are words."""
    whisper = Said(Verbatim("Ann"), Verbatim("We have them"), ("Host", "Nora"))
    assert [heard(whisper, one) for one in (HOST, NORA, UGO)] == [
        whisper, whisper, whisper._replace(text=UNHEARD),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("people", "hears"),
    [((0,), True), ((1,), True), ((2,), False), ((3,), False), ((2, 1), True), ((), True)],
)
def test_a_share_of_a_session_hears_what_is_whispered_to_its_own_seats(
    people: tuple[int, ...], hears: bool
) -> None:
    """A program in a seat reads no words for others, only that there are some; an onlooker reads all."""
    whole: Any = SimpleNamespace(names=("Ann", "Ben", "bot.py", "bot.js"))
    share = Share(whole, people)
    whisper = Said(Verbatim("Ann"), Verbatim("I have the ace"), ("Ben",), mine=True)
    (heard,) = share._as_heard(whisper)
    assert isinstance(heard, Said)
    assert heard.text == (whisper.text if hears else UNHEARD)
    assert heard.mine is (0 in people)
    aloud = Said(Verbatim("Ann"), Verbatim("Good luck!"))
    (heard,) = share._as_heard(aloud)
    assert isinstance(heard, Said)
    assert heard.text == aloud.text


def test_who_watches_programs_speaks_for_none_of_them() -> None:
    """Without a seat of its own, a share has nobody in whose name it could speak."""
    whole: Any = SimpleNamespace(say=lambda *_: pytest.fail("said"))
    with pytest.raises(Refused, match="You're watching"):
        Share(whole, ()).say("hello")


def test_who_is_ignored_is_ignored_by_one() -> None:
    """The words of somebody whom Nora does not want to hear reach the others."""
    words = Said(Verbatim("Ugo"), Verbatim("blah"))
    assert heard(words, ignored=(UGO,)) is None
    assert heard(words, HOST) == words


@pytest.mark.parametrize(
    ("notice", "is_heard"),
    [
        (Notice("a"), True),
        (Notice("a", seat=1), True),
        (Notice("a", seat=0), False),
        (Notice("a", to=NORA), True),
        (Notice("a", to=HOST), False),
    ],
)
def test_a_notice_for_one_is_for_one(notice: Notice, is_heard: bool) -> None:
    """A refusal is told to whom it concerns."""
    assert (heard(notice) is notice) is is_heard


def test_what_changes_for_all_is_for_all() -> None:
    """Whatever is for nobody in particular is passed on as it is."""
    assert heard(LobbyChanged()) == LobbyChanged()
