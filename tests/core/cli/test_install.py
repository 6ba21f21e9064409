"""Games of others: the list, what is refused before an installer is asked, and the offer of `tt join`."""

from __future__ import annotations

import json

import pytest
from tests.core.cli.test_joining import typed

from tavolata._cli import install, main, more_games
from tavolata._cli.command_context import CommandContext
from tavolata._cli.install import GameWanted, offer_to_install
from tavolata._cli.more_games import ListedGame, read_list
from tavolata._engine.network.joining import TableCard

HEARTS = {
    "name": "hearts", "package": "tavolata-hearts", "title": "Hearts", "summary": "Shun the queen.",
    "players": [3, 6], "minutes": 20, "languages": ["en", "it"], "api": 1,
}  # fmt: skip
CARD = TableCard("Ann", "hearts", 1, "1.2", "their-hearts", b"", "3.4")


def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one game in the list."""
    games = read_list(json.dumps({"format": 1, "games": [HEARTS]}).encode()).games
    monkeypatch.setattr(more_games, "more_games", lambda: games)


def test_the_list_that_ships_can_be_read() -> None:
    """What stands in the package is in the form that is documented."""
    assert {type(game) for game in more_games.more_games()} == {ListedGame}


@pytest.mark.parametrize(
    "wrong",
    [
        {"package": "-r x"},
        {"name": "Hearts!"},
        {"players": [4, 3]},
        {"more": 1},
        {"api": "1"},
        {"title": "a\x1b[2J"},
        {"marks": {"version": "1", "released": "today", "fingerprint": "0" * 32}},
    ],
)
def test_a_list_in_another_form_is_refused(wrong: dict[str, object]) -> None:
    """No field may be missing, unknown, or of another kind."""
    with pytest.raises(ValueError, match=r".+"):
        read_list(json.dumps({"format": 1, "games": [{**HEARTS, **wrong}]}).encode())


def test_games_more_lists_what_others_have_published(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with its players, languages and the command that installs it; for programs as JSON."""
    assert main(["games", "--more"]) == 0
    assert "  API 1\n  tt install draughts (no one has reviewed this code" in capsys.readouterr().out
    monkeypatch.setattr(more_games, "more_games", tuple)
    assert main(["games", "--more"]) == 0
    assert "doesn't know of any other published games" in capsys.readouterr().out
    listed(monkeypatch)
    assert main(["games", "--more"]) == 0
    assert capsys.readouterr().out == (
        "hearts  Hearts (3 to 6 players; en, it). Shun the queen.\n  API 1\n"
        "  tt install hearts (no one has reviewed this code; it runs with your permissions)\n"
    )
    assert main(["games", "--more", "--ui", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "type": "published",
        **HEARTS,
        "marks": None,
        "installed": False,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["install"], "Install what?"),
        (["install", "x", "--again"], "Install what?"),
        (["install", "a b"], "isn't a package, nor a folder"),
        (["install", "./nowhere"], "isn't a package, nor a folder"),
        (["install", "zompa"], "zompa is already installed: tt play zompa"),
        (["uninstall", "zompa"], "is part of Tavolata"),
        (["uninstall", "pytest"], "No game package called pytest is installed"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """No installer is asked, and nothing changes."""
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_again_has_nothing_to_do_where_nothing_was_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """It says so."""
    assert main(["install", "--again"]) == 0
    assert "are in place" in capsys.readouterr().out


def test_the_package_that_a_host_names_is_installed_only_after_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name and its version are asked about; no and silence install nothing."""
    asked: list[str] = []
    monkeypatch.setattr(install, "install_package", lambda _, name: asked.append(name))
    monkeypatch.setattr(CommandContext, "on_terminal", property(lambda _: True))
    typed(monkeypatch, "no")
    with pytest.raises(GameWanted, match=r'tt install "their-hearts==3\.4"'):
        offer_to_install(CommandContext({}, {}), CARD)
    assert asked == []
    typed(monkeypatch, "yes")
    with pytest.raises(
        Exception, match="has no playable game called hearts"
    ):  # for nothing was installed here
        offer_to_install(CommandContext({}, {}), CARD)
    assert asked == ["their-hearts==3.4"]


def test_the_list_counts_more_than_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a game in the list, the host's package is not named."""
    monkeypatch.setattr(install, "package_of", lambda _: "tavolata-hearts")
    assert str(GameWanted(CARD)) == (
        "Ann is hosting hearts, which isn't installed here. Run tt install hearts "
        '(package "tavolata-hearts"), then join again.'
    )


def test_nobody_is_asked_through_a_pipe() -> None:
    """Without a terminal one sentence says what to do."""
    with pytest.raises(GameWanted, match="says it's in the package"):
        offer_to_install(CommandContext({}, {}), CARD)
    with pytest.raises(GameWanted, match="which package it's in"):
        offer_to_install(CommandContext({}, {}), TableCard("Ann", "hearts", 1, "1.2", ""))


def test_a_package_is_known_by_its_games_and_by_its_short_name() -> None:
    """`tt install classics` and `tt install draughts` mean the same package, and other words none."""
    found = {name: more_games.package_of(name) for name in ("classics", "draughts", "tavolata", "chess")}
    assert found == {
        "classics": "tavolata-classics",
        "draughts": "tavolata-classics",
        "tavolata": "",
        "chess": "",
    }


def test_a_game_for_one_number_of_players_says_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    """No list says “2 to 2 players”, in either language."""
    for lang, said in (("en", "Draughts (2 players; en, it)"), ("it", "(2 giocatori; en, it)")):
        assert main(["games", "--more", "--lang", lang]) == 0
        assert said in capsys.readouterr().out
