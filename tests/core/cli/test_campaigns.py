"""`--campaign` and `tt campaigns`: evenings that go on from one another, listed, shown and removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tavolata._cli import main
from tavolata._cli.failures import INTERRUPT
from tavolata._engine.match.campaign import Campaign
from tavolata._engine.storage import campaign_files, match_file
from tavolata._engine.storage.campaign_files import load

HEIRS = str(Path(__file__).parents[3] / "examples" / "games" / "heirs" / "rules.py")
Said = tuple[int, str, str]


@pytest.fixture
def tt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """`tt` in a folder of its own: exit code, what it prints, and what it notes."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))

    def run(*words: str) -> Said:
        code = main(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return run


def evening(tt: Callable[..., Said], seed: int, *words: str) -> Said:
    """A match of Heirs among bots, in a campaign."""
    return tt(
        "play", HEIRS, "--bot", "random", "--as", "Ann", "--seed", str(seed), "--ui", "plain",
        "--option", "nights=1", "--campaign", "autumn", *words,
    )  # fmt: skip


def test_two_evenings_are_listed_shown_and_removed(tt: Callable[..., Said]) -> None:
    """The second begins with what the first has left; replay and verify know it; a removed one is gone."""
    code, out, _ = evening(tt, 1)
    assert code == 0
    assert "Campaign autumn: match 1." in out
    assert "Campaign autumn: 1 match played." in out
    first = load("heirs", "autumn")
    _, out, _ = evening(tt, 2)
    assert "Campaign autumn: match 2." in out
    second = load("heirs", "autumn")
    assert first is not None
    assert second is not None
    assert second.goes_on_from(first)
    assert tt("verify")[0] == 0
    assert "Head of the family" in tt("replay", "--ui", "plain")[1]
    rows = tt("campaigns")[1].splitlines()
    assert rows[1].split()[:3] == ["autumn", "Heirs", "2"] or rows[1].split()[:3] == ["autumn", "heirs", "2"]
    assert "2 matches, the last one with Ann, Ada" in tt("campaigns", "autumn")[1]
    shown = json.loads(tt("--ui", "json", "campaigns", "autumn")[1])
    assert shown["matches"] == 2
    assert set(shown["legacy"]["wealth"]) == {"Ann", "Ada", "Berto", "Carla"}
    assert tt("campaigns", "autumn", "--remove")[0] == 2, "nobody can be asked here"
    assert tt("campaigns", "autumn", "--remove", "--yes")[0] == 0
    assert load("heirs", "autumn") is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", HEIRS, "--campaign", "Bad Name"), "lower-case letters"),
        (("play", "bang", "--campaign", "autumn"), "bang has no campaigns"),
        (("host", "bang", "--campaign", "autumn"), "bang has no campaigns"),
        (("campaigns", "autumn"), "No campaign called autumn"),
        (("campaigns", "--remove"), "Which campaign?"),
    ],
)
def test_what_can_not_be_is_refused_in_one_sentence(
    tt: Callable[..., Said], words: tuple[str, ...], said: str
) -> None:
    """Exit code 2, and nothing is begun."""
    code, out, err = tt(*words)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("when", ["before the copy", "after the copy", "before the end of the file"])
def test_nothing_is_lost_when_the_machine_dies_in_the_end(
    tt: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """The campaign is kept before the file says that the match is over; resumed, it keeps the same once."""
    write, keep = match_file.MatchFile.write, campaign_files.keep

    def die(self: match_file.MatchFile, kind: int, data: object) -> None:
        if kind == match_file.END:
            raise KeyboardInterrupt
        write(self, kind, data)

    def die_too(game: str, campaign: Campaign) -> None:
        if when == "after the copy":
            keep(game, campaign)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(match_file.MatchFile, "write", die)
        if when != "before the end of the file":
            patch.setattr(campaign_files, "keep", die_too)
        assert evening(tt, 1)[0] == INTERRUPT
    before = load("heirs", "autumn")
    assert (before is None) == (when == "before the copy")
    assert tt("resume", "--unlike", "--ui", "plain")[0] == 0
    kept = load("heirs", "autumn")
    assert kept is not None
    assert kept.matches == 1
    assert before in (None, kept)
