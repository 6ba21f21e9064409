"""People at a table, played by scripts through pipes: lobby, talk, answers, rematch, looking on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from .table import TT, Hall, Tt, agree


def seated(hall: Hall, *words: str, seats: int = 2, program: list[str] = TT) -> tuple[Tt, Tt]:
    """A host and a guest, both people, in the lobby."""
    host = hall.host("tricks", "--seats", str(seats), *words, typed=True, program=program)
    guest = hall.join(typed=True)
    for one in (host, guest):
        one.expect(f"2 of {seats} seats taken")
    return host, guest


def play(*players: Tt, hands: int = 1) -> None:
    """Bid nothing and always play the first card: every answer is typed ahead."""
    for one in players:
        one.type(*(["0"] + ["1"] * 5) * hands)


def bidding(hall: Hall, *words: str, program: list[str] = TT) -> tuple[Tt, Tt]:
    """Two people in a match, both asked for their bids."""
    host, guest = seated(hall, *words, program=program)
    host.type("start")
    for one in (host, guest):
        one.expect("How many do you take")
    return host, guest


def test_two_people_play_a_match_by_numbers(hall: Hall) -> None:
    """Ready, start, numbers as answers; an answer that is none is refused and asked again."""
    host, guest = seated(hall)
    guest.type("ready")
    host.expect("2. Ann: ready")
    host.type("start")
    guest.expect("How many do you take")
    guest.type("six")
    guest.expect("Enter a number from 0 to 5")
    play(host, guest)
    for one in (host, guest):
        one.expect("State of the table")
        one.hang_up()
    agree(host, guest)


def test_talk_is_heard_by_the_others_in_lobby_and_match(hall: Hall) -> None:
    """`say` reaches all; `say @NAME` says to whom; a rule of the game may refuse it to who said it."""
    host, guest = seated(hall)
    host.type("say hello everybody")
    guest.expect("Host says: hello everybody")
    guest.type("say @Host nice table")
    host.expect("Ann to Host: nice table")
    host.type("start")
    for one in (host, guest):
        one.expect("How many do you take")
    host.type("say go on")
    guest.expect("Host says: go on")
    guest.type("say @2 mumble")
    guest.expect("You talk to yourself")
    guest.type("say @nobody hm", "say @Host patience")
    guest.expect("No one here is named nobody")
    host.expect("Ann to Host: patience")
    assert not host.has("mumble")
    guest.type("do 1")
    host.expect("Ann shouts hooray")


def test_options_bots_and_places_change_before_everybodys_eyes(hall: Hall) -> None:
    """What the host changes in the lobby is seen by the guests, and only the host can."""
    host = hall.host("tricks", "--seats", "3", typed=True)
    guest = hall.join(typed=True)
    guest.expect("2 of 3 seats taken")
    guest.type("ready", "ready", "ready")
    host.expect("2. Ann: ready")
    host.type("option hands=2")
    guest.expect("hands=2")
    guest.expect("2. Ann: not ready")  # nobody is ready for what was not said yet
    host.type("option hands=many", "option wings", "bots 5", "bots genius")
    host.expect("Hands must be a whole number")
    host.expect("NAME=VALUE")
    host.expect("There's room for 1 bot.")
    host.expect("no genius bot")
    host.type("bots random")
    guest.expect(r"Host's bot \(random\)")
    guest.expect("A bot's cards are visible")
    host.type("bots 0")
    guest.expect("2 of 3 seats taken")
    guest.type("name Host", "name ann@home", "name Anna Maria")
    guest.expect("Someone here already has the name Host")
    guest.expect("A name must have 1 to 24")
    host.expect("Ann is now Anna Maria")
    guest.expect("Ann is now Anna Maria")
    assert 'name = "Anna Maria"' in (guest.home / "config" / "config.toml").read_text(encoding="utf-8")
    guest.type("?", "seats")
    guest.expect("ready to play")
    guest.expect("Tricks: 2 of 3 seats taken")
    guest.expect("House rules: hands=2")
    guest.type("start", "blind Host", "leave")
    guest.expect("Only the host can do that")
    guest.expect("no match in progress")
    host.expect("Anna Maria has left the table")
    assert guest.done() == 0
    host.type("start")
    host.expect("Tricks needs at least 2 players")
    host.type("leave")
    assert host.done() == 0


def test_a_rematch_at_the_same_table(hall: Hall) -> None:
    """After a match the same people play again, and a third match, with the digests of each equal."""
    host, guest = seated(hall)
    for _ in range(2):
        host.type("start")
        for one in (host, guest):
            one.expect("How many do you take")
        play(host, guest)
        for one in (host, guest):
            one.expect("has won|have won|Nobody has won")
    host.type("leave")
    assert [host.done(), guest.done()] == [0, 0]
    ends = [[file.end for file in one.matches()] for one in (host, guest)]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 2
    assert None not in ends[0]


def test_a_spectator_sees_all_from_the_lobby_on(hall: Hall) -> None:
    """`--watch` takes no seat, sees what is played, may talk, and is asked nothing."""
    host, guest = seated(hall)
    watcher = hall.join("--watch", name="Wim", typed=True)
    host.expect("Wim is watching")
    watcher.expect("Tricks: 2 of 2 seats taken")
    watcher.type("say good luck", "start", "1")
    watcher.expect("Only the host can do that")
    guest.expect("Wim says: good luck")
    host.type("start")
    host.expect("but some players aren't ready: ")
    watcher.expect("Everyone bids in secret")
    play(host, guest)
    for one in (host, guest, watcher):
        one.expect("State of the table")
    host.type("leave")
    assert [one.done() for one in (host, guest, watcher)] == [0, 0, 0]
    assert host.end() == guest.end() == watcher.end()
    assert not watcher.has("How many do you take|Which card")


def test_a_spectator_comes_in_the_middle_and_catches_up(hall: Hall) -> None:
    """Who looks on from the middle has the whole match in its file, and the same last state."""
    host, guest = seated(hall, "--option", "hands=3")
    host.type("start")
    play(host, guest, hands=2)
    host.expect("has taken 5 tricks")
    watcher = hall.join("--watch", name="Wim")
    watcher.expect("The match continues")
    host.expect("Wim is watching")
    play(host, guest)
    watcher.expect("State of the table")
    host.expect("won")
    host.type("leave")
    assert [one.done() for one in (host, guest, watcher)] == [0, 0, 0]
    assert host.end() == guest.end() == watcher.end()
    entries = [one.matches()[0].entries for one in (host, watcher)]
    assert entries[0] == entries[1]


def test_a_person_whose_input_ends_gives_up_its_seat(hall: Hall) -> None:
    """When an answer is needed and nobody can type it, that is said with the way back; the others see it."""
    host, guest = seated(hall)
    guest.hang_up()
    host.type("start")
    host.expect("Ann has left the table")
    assert guest.done() == 7
    assert guest.errors == ["The input has ended. `tt resume` brings you back to your seat."]


def test_a_host_without_input_opens_no_table_for_ever(hall: Hall) -> None:
    """`tt host` with nothing to type at it could never start: it says so and ends."""
    host = hall.host("tricks", "--seats", "2")
    assert host.done() == 7
    assert host.has("The input has ended")


def test_the_host_leaves_and_the_table_stays(hall: Hall) -> None:
    """The next one keeps the table, and can do what a host can; it closes when one alone would be left."""
    host, ann = seated(hall, seats=3)
    bob = hall.join(typed=True)
    host.expect("3 of 3 seats taken")
    host.type("leave")
    assert host.done() == 0
    for one in (ann, bob):
        one.expect("Host has left the table")
        one.expect("Ann is the host now")
    ann.type("option hands=2")
    bob.expect("hands=2")
    ann.type("leave")
    assert [ann.done(), bob.done()] == [0, 0]


def test_the_host_of_two_leaves_and_the_guest_waits(hall: Hall) -> None:
    """Nobody ends a match for another: who is left waits as long as it likes, and goes without blame."""
    host, guest = seated(hall)
    host.type("start")
    guest.expect("How many do you take")
    host.type("quit")
    assert host.done() == 0
    guest.expect("Host has left for now")
    guest.expect("Ann is the host now")
    guest.type("end")
    guest.expect("Ann wants to end the match \\(agreed: 1 of the 2 needed")
    guest.type("quit")
    assert guest.done() == 0
    assert guest.matches()[-1].end is None


@pytest.mark.long
def test_the_dealer_leaves_one_alone(hall: Hall) -> None:
    """With the host that deals the match is over, and with one player the table: told with its exit code."""
    host, guest = seated(hall, "--dealer", "host")
    host.type("start")
    guest.expect("How many do you take")
    host.type("leave")
    assert host.done() == 0
    assert guest.done() == 7
    assert guest.has("The host left in the middle of the match")


@pytest.mark.long
def test_a_table_that_closes_after_broken_rules_blames_the_rules(hall: Hall) -> None:
    """Both processes of the table end with the exit code of a faulty game, whoever leaves first."""
    host, guest = seated(hall, "--option", "broken=yes")
    host.type("start")
    for one in (host, guest):
        one.expect("How many do you take")
        one.type("0")
    for one in (host, guest):
        one.expect("Error in the rules of tricks")
    host.type("quit")
    assert host.done() == 4
    assert guest.done() == 4
    assert not guest.has("in the middle of the match")


@pytest.mark.long
def test_the_host_leaves_a_match_that_it_deals(hall: Hall) -> None:
    """A match whose dealer leaves is broken off, and the table goes on with those who are left."""
    host, ann = seated(hall, "--dealer", "host", seats=3)
    bob = hall.join(typed=True)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (ann, bob):
        one.expect("How many do you take")
    host.type("leave")
    assert host.done() == 0
    for one in (ann, bob):
        one.expect("The match was abandoned")
    ann.type("start")
    for one in (ann, bob):
        one.expect("How many do you take")


def test_the_host_leaves_a_match_that_all_deal(hall: Hall) -> None:
    """Where all deal together, the others play on without the host, to the end."""
    host, ann = seated(hall, seats=3)
    bob = hall.join(typed=True)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, ann, bob):
        one.expect("How many do you take")
    host.type("quit")
    assert host.done() == 0
    assert host.has("`tt resume` brings you back to your seat")
    for one in (ann, bob):
        one.expect("Host has left for now")
        one.expect("Ann is the host now")
    play(ann, bob)
    for one in (ann, bob):
        one.expect("won")
        one.hang_up()
    agree(ann, bob)


def test_who_leaves_for_good_is_asked_twice_and_waited_for_no_longer(hall: Hall) -> None:
    """`leave` asks once more and any other word takes it back; then nobody waits, and nothing brings back."""
    host, ann = seated(hall, seats=3)
    bob = hall.join(typed=True)
    host.expect("3 of 3 seats taken")
    host.type("start")
    for one in (host, ann, bob):
        one.expect("How many do you take")
    ann.type("leave", "seats")
    ann.expect("To confirm, type leave again")
    ann.type("leave")
    ann.expect("To confirm, type leave again")
    assert not host.has("left the match")
    ann.type("leave")
    assert ann.done() == 0
    assert ann.errors[0] == "You have left the match for good."
    began = time.monotonic()
    for one in (host, bob):
        one.expect("Ann has left the match for good")
    assert time.monotonic() - began < 5
    play(host, bob)
    for one in (host, bob):
        one.expect("won")
        one.hang_up()
    agree(host, bob)


def test_with_two_who_leaves_for_good_gives_the_match_up(hall: Hall) -> None:
    """The other one has won, at both files, and each of them is verified."""
    host, ann = bidding(hall)
    ann.type("leave")
    ann.expect("That ends the match")
    ann.type("leave")
    assert ann.done() == 0
    host.expect("Ann has left the match for good")
    host.expect("Host has won|you have won")
    host.type("quit")
    assert host.done() == 0
    end = host.end()
    outcome = end["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["winners"] == [0]
    for one in (host, ann):
        file = next((one.home / "data" / "matches").glob("*.ttm"))
        assert hall.run("verify", str(file), home=one.home.name).done() == 0


def test_it_speaks_italian(hall: Hall) -> None:
    """The same table in two languages: each reads its own."""
    host = hall.host("tricks", "--seats", "2", typed=True, lang="it")
    guest = hall.join(typed=True)
    guest.expect("2 of 2 seats taken")
    host.type("nome Ospite")
    guest.expect("Host is now Ospite")
    host.type("pronti")
    guest.expect("1. Ospite: ready")
    host.type("via")
    host.expect("Tutti i posti hanno lo stesso indirizzo")
    guest.expect("All seats share one address")


def test_another_game_comes_to_the_same_table(hall: Hall) -> None:
    """After a match the host puts another game on the table: all see it, who comes then, too, and play it."""
    host, guest = seated(hall, "--dealer", "host", "--pace", "0.01", seats=3)
    host.type("start")
    for one in (host, guest):
        one.expect("How many do you take")
    play(host, guest)
    for one in (host, guest):
        one.expect("has won|have won|Nobody has won")
    guest.type("game zompa")
    guest.expect("Only the host can do that")
    host.type("game", "game chess", "game conto")
    host.expect("Which game")
    host.expect("No game called chess")
    for one in (host, guest):
        one.expect("Host puts conto on the table")
        one.expect("Il Conto, Prego!: 2 of 3 seats taken")
    host.type("start")
    host.expect("Il Conto, Prego! needs at least 3 players")
    host.type("game zompa")
    for one in (host, guest):
        one.expect("Host puts zompa on the table")
        one.expect("Zompa Cavallo!: 2 of 3 seats taken")
    host.type("option fiches=1")
    guest.expect("fiches=1")
    late = hall.join(name="Late", typed=True)  # reads the whole log: a match of tricks, then two other games
    late.expect("Zompa Cavallo!: 3 of 3 seats taken")
    host.type("start")
    for one in (host, guest, late):
        one.expect("last one alive. Zompa!")
        one.expect("State of the table")
    host.type("leave")
    assert host.done() == 0
    guest.type("leave")
    assert [guest.done(), late.done()] == [0, 0]  # one alone keeps no table
    told = [one.matches()[1].events for one in (host, guest, late)]
    assert len(told[0]) > 5  # each file can be told where the rules are not installed
    assert told[0] == told[1] == told[2]
    games = [[match.header["game"] for match in one.matches()] for one in (host, guest, late)]
    assert games == [["tricks", "zompa"]] * 3
    ends = [one.end() for one in (host, guest, late)]
    assert ends[0] == ends[1] == ends[2]


def test_who_lacks_the_new_game_is_told(hall: Hall, tmp_path: Path) -> None:
    """A guest without the game that comes to the table leaves with one sentence; the others play on."""
    bare = tmp_path / "bare"
    bare.mkdir()
    host = hall.host("zompa", "--seats", "2", "--dealer", "host", typed=True)
    guest = hall.join(typed=True, path=(bare,))
    for one in (host, guest):
        one.expect("2 of 2 seats taken")
    host.type("game tricks")
    host.expect("Host puts tricks on the table")
    host.expect("Ann has left the table")
    assert guest.done() == 3
    assert guest.errors == [
        "tt: The table is now playing tricks, which isn't installed here. Install it, then join again."
    ]
    host.type("leave")
    assert host.done() == 0
