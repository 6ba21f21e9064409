"""The weekly list of games, made from an index on loopback. Only the kit imports a package."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from tests.core.cli.loopback_index import Index, served, wheel_of

from tavolata._cli import main
from tavolata._cli.more_games import ListedGame, read_list
from tavolata._version import __version__

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tools" / "games_index.py"
GOOD = """
from tavolata import D6, Game, N_, Outcome, amount, hookimpl
from tavolata.zones import counters_zone

class Dice(Game):
    name, title, seats = "{name}", N_("{title}"), (2, 3)
    summary = N_("Throw once; the most points win.")

    def setup(self, t):
        self.bank, self.points = t.bank("bank"), t.counters("points")

    async def turn(self, t):
        for seat in t.ring:
            n = await t.ask(seat, amount(1, 6), N_("How many?"), N_("Somebody thinks."))
            (thrown,) = await t.roll(D6)
            self.bank.pay({paid}, self.points[seat])
            t.tell(N_("{{seat}} gets {{n}}."), seat=seat, n={paid})
        return Outcome.by_score(t, self.points.values())

    def zones(self, t, viewer):
        yield counters_zone(self.points, N_("Points"))

@hookimpl
def tavolata_games():
    return [Dice]
"""
SPY = """
from pathlib import Path
from urllib.request import urlopen
from tavolata import Game, N_
Path({marker!r}).touch()
try:
    urlopen({address!r}, timeout=5).close()
except OSError:
    pass
raise RuntimeError("on import")

class Spy(Game):
    name, title, seats = "spy", N_("Spy"), (2, 4)
"""


def step(*words: object) -> str:
    """Run a step of the program; what it says on stderr."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *map(str, words)],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def add(index: Index, name: str, code: str, more: str = "", version: str = "0.1", **said: Any) -> None:
    """Publish a package with one module."""
    module = name.replace("-", "_")
    points = f"[tavolata]\n{name.removeprefix('tavolata-')} = {module}\n"
    file, data = wheel_of(name, version, {f"{module}/__init__.py": code}, points, more)
    index.add(name, file, data, **{"upload-time": "2026-05-02T10:00:00Z", **said})


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """An index with a good package, one that fails the kit, and one that raises on import."""
    index = Index()
    good = GOOD.format(name="good-dice", title="Good Dice", paid="thrown")
    add(index, "tavolata-good", good, provenance="https://example.org/attested")
    add(index, "tavolata-failing", GOOD.format(name="failing", title="Failing", paid="id(t) % 6"))
    return index


@pytest.mark.battery
def test_a_list_is_made_of_three_wheels(index: Index, tmp_path: Path) -> None:
    """Good, failing, and raising on import: the third isn't imported when it's read, and gets no network."""
    marker, out = tmp_path / "imported", tmp_path / "games.json"
    found = tmp_path / "found"
    with served(index) as address:
        spy = SPY.format(marker=str(marker), address=f"{index.address}/files/spied")
        add(index, "tavolata-spy", spy)
        step("read", found, "--index", address)
        assert json.loads((found / "packages.json").read_bytes()) == [
            "tavolata-failing", "tavolata-good", "tavolata-spy",
        ]  # fmt: skip
        assert [one.name for one in read_list((found / "read.json").read_bytes()).games] == [
            "failing", "good-dice", "spy",
        ]  # fmt: skip
        assert not marker.exists()
        for package in ("tavolata-failing", "tavolata-good", "tavolata-spy"):
            step("kit", found, package)
        assert marker.exists()  # so it tried to reach the index
        assert "/files/spied" not in index.asked
    step("merge", found, out)
    listed = {one.name: one for one in read_list(out.read_bytes()).games}
    today = str(datetime.now(UTC).date())
    marks = {name: listed[name].marks for name in ("failing", "good-dice", "spy")}
    assert {name: one is not None and one.passed for name, one in marks.items()} == {
        "failing": False, "good-dice": True, "spy": False,
    }  # fmt: skip
    good = marks["good-dice"]
    assert good is not None
    assert (good.kit, good.checked, good.released, good.attested) == (__version__, today, "2026-05-02", True)
    assert good.failing_since == ""
    assert marks["spy"] is not None
    assert marks["spy"].failing_since == today
    assert listed["briscola"].marks is None  # written by hand, until it's published


def test_what_is_left_out(index: Index, tmp_path: Path) -> None:
    """What isn't ours, has no game, is yanked, isn't what the index says, or wishes to be unlisted."""
    found = tmp_path / "found"
    named = {
        one: GOOD.format(name=one, title=one.title(), paid="thrown")
        for one in ("yanked", "shy", "bent", "zompa")
    }
    add(index, "tavolata-yanked", named["yanked"], yanked="a mistake")
    add(index, "tavolata-shy", named["shy"], more="Keywords: cards,tavolata-unlisted\n")
    add(index, "tavolata-bent", named["bent"])
    index.projects["tavolata-bent"][0]["hashes"] = {"sha256": "0" * 64}
    add(index, "tavolata-thief", named["zompa"])
    index.add(
        "tavolata-other", *wheel_of("tavolata-other", "1", {"other.py": ""}, "[console_scripts]\na = b\n")
    )
    add(index, "somebodys", named["shy"])
    add(index, "tavolata-good", "raise OSError", version="0.0.9")  # older
    add(index, "tavolata-good", "raise OSError", version="0.2rc1")
    with served(index) as address:
        said = step("read", found, "--index", address)
    assert json.loads((found / "packages.json").read_bytes()) == [
        "tavolata-failing", "tavolata-good", "tavolata-thief",
    ]  # fmt: skip
    for sentence in (
        "tavolata-bent is left out: its wheel isn't the one",
        "tavolata-other is left out: it can't be read",
        "tavolata-shy is left out: its author wishes so",
        "tavolata-yanked is left out: it has no wheel",
        "tavolata-thief has a game zompa; the name is taken.",
    ):
        assert sentence in said
    assert "somebodys" not in said + str(index.asked)


@pytest.mark.battery
def test_a_row_goes_after_a_year_of_failing(index: Index, tmp_path: Path) -> None:
    """Until then it says that it fails."""
    found, before, out = (tmp_path / one for one in ("found", "before.json", "games.json"))
    with served(index) as address:
        step("read", found, "--index", address)
    (found / "tavolata-failing.json").write_text('{"failing": false}')
    (found / "tavolata-good.json").write_text('{"good-dice": false}')
    rows = json.loads((found / "read.json").read_bytes())
    old = {"failing": "2020-01-01", "good-dice": str(datetime.now(UTC).date())}
    for row in rows["games"]:
        row["marks"]["failing_since"] = old[row["name"]]
    before.write_text(json.dumps(rows), encoding="utf-8")
    step("merge", found, out, "--before", before)
    assert [one.name for one in read_list(out.read_bytes()).games] == ["good-dice"]
    (found / "tavolata-failing.json").write_text('{"failing": true}')
    step("merge", found, out, "--before", before)
    assert [one.name for one in read_list(out.read_bytes()).games] == ["failing", "good-dice"]


@pytest.mark.battery
@pytest.mark.parametrize("result", ["", "[[", "{}", '{"good-dice": null}', "[]"])
def test_a_game_whose_run_was_cut_off_is_not_checked(index: Index, tmp_path: Path, result: str) -> None:
    """No result, or nonsense, says nothing of it: what was found about this release stays, and no more."""
    found, before, out = (tmp_path / one for one in ("found", "before.json", "games.json"))
    with served(index) as address:
        step("read", found, "--index", address)
    (found / "tavolata-failing.json").write_text('{"failing": false}')
    if result:
        (found / "tavolata-good.json").write_text(result)
    marks = {}
    for version in ("", "0.1", "0.0.9"):
        rows = json.loads((found / "read.json").read_bytes())
        (row,) = [one for one in rows["games"] if one["name"] == "good-dice"]
        kit = {"kit": "0.0.1", "checked": "2026-05-03", "failing_since": "2020-01-01"}
        row["marks"] |= {"version": version, **kit} if version else {}
        before.write_text(json.dumps(rows), encoding="utf-8")
        step("merge", found, out, "--before", before)
        listed = {one.name: one.marks for one in read_list(out.read_bytes()).games}
        assert listed["failing"] is not None
        assert listed["failing"].checked == str(datetime.now(UTC).date())
        marks[version] = one = listed["good-dice"]
        assert one is not None
        assert (one.version, one.passed) == ("0.1", False)
    said = {version: one and (one.kit, one.checked, one.failing_since) for version, one in marks.items()}
    assert said == {
        "": ("", "", ""), "0.1": ("0.0.1", "2026-05-03", "2020-01-01"), "0.0.9": ("", "", "2020-01-01"),
    }  # fmt: skip


def test_games_that_were_done_keep_their_results(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the kit takes too long over one game, or its machine is stopped, the others have been written."""
    codes = [GOOD.format(name=one, title=one.title(), paid="thrown") for one in ("ace", "deuce", "trey")]
    add(index, "tavolata-three", "\n".join(codes))
    found = tmp_path / "found"
    with served(index) as address:
        step("read", found, "--index", address)
    spec = importlib.util.spec_from_file_location("games_index", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)

    def run(words: list[str], **_: Any) -> Any:
        match words[-1]:
            case "ace":
                raise subprocess.TimeoutExpired(words, 1)
            case "deuce":
                return subprocess.CompletedProcess(words, 1, stderr=b"")
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "make", lambda *_: Path("python"))
    monkeypatch.setattr(program, "subprocess", SimpleNamespace(**{**vars(subprocess), "run": run}))
    with pytest.raises(KeyboardInterrupt):
        program.kit(found, "tavolata-three")
    assert json.loads((found / "tavolata-three.json").read_bytes()) == {"deuce": False}


def test_a_game_without_a_summary_ends_its_line_with_its_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No blank follows the full stop."""
    row = ListedGame("higher", "tavolata-higher", "Higher", "", (2, 4), ("en",), 1)
    monkeypatch.setattr("tavolata._cli.more_games.more_games", lambda: (row,))
    assert main(["games", "--more"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "higher  Higher (2 to 4 players; en)."


def test_a_newer_list_is_fetched_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`tt games --more` shows the copy in the wheel; --fetch takes the newer one, which is kept."""
    monkeypatch.setenv("TT_CACHE_DIR", str(tmp_path))
    marks = {
        "version": "1.2", "released": "2026-05-02", "fingerprint": "0123456789abcdef" * 2, "attested": True,
        "kit": "1.2", "checked": "2026-05-03", "passed": True,
    }  # fmt: skip
    row = {
        "name": "hearts", "package": "tavolata-hearts", "title": "Hearts", "summary": "Shun the queen.",
        "players": [3, 6], "languages": ["en", "it"], "api": 1, "minutes": 20, "marks": marks,
    }  # fmt: skip
    index = Index()
    index.files["games.json"] = json.dumps({"format": 1, "made": "2026-05-04", "games": [row]}).encode()
    with served(index):
        monkeypatch.setenv("TT_GAMES_URL", f"{index.address}/files/games.json")
        assert main(["games", "--more"]) == 0
        out = capsys.readouterr().out
        assert "tt install draughts (no one has reviewed this code; it runs with your permissions)" in out
        assert "hearts" not in out
        assert index.asked == []
        assert main(["games", "--fetch"]) == 0
        shown = capsys.readouterr()
        assert "Fetched the list dated 2026-05-04." in shown.err
        index.files["games.json"] = b"{}"
        assert main(["games", "--fetch"]) == 5
        assert "isn't a list of games." in capsys.readouterr().err
        monkeypatch.setenv("TT_GAMES_URL", f"{index.address}/files/nothing")
        assert main(["games", "--fetch"]) == 5
        assert "404" in capsys.readouterr().err
    monkeypatch.setenv("TT_GAMES_URL", "http://example.org/games.json")
    assert main(["games", "--fetch"]) == 5
    assert "must start with https://." in capsys.readouterr().err
    assert main(["games", "--more"]) == 0
    assert (
        capsys.readouterr().out
        == shown.out
        == (
            "hearts  Hearts (3 to 6 players; en, it). Shun the queen.\n"
            "  checks passed (kit 1.2, 2026-05-03) · API 1 · 01234567-89abcdef-01234567-89abcdef · "
            "released 2026-05-02 · attested\n"
            "  tt install hearts (no one has reviewed this code; it runs with your permissions)\n"
        )
    )


def test_code_of_others_runs_where_nothing_can_be_lost() -> None:
    """In the weekly workflow only the last job may write, and it runs no package."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "games.yml").read_text(encoding="utf-8"))["jobs"]
    assert [name for name, job in jobs.items() if "permissions" in job] == ["write"]
    kits = {
        name: [step for step in job["steps"] if " kit " in step.get("run", "")] for name, job in jobs.items()
    }
    assert [name for name, steps in kits.items() if steps] == ["kit"]
    ((kit,), upload) = kits["kit"], jobs["kit"]["steps"][-1]
    assert kit["timeout-minutes"] < jobs["kit"]["timeout-minutes"]  # so there's time for what was found
    assert (upload["uses"].partition("@")[0], upload["if"]) == ("actions/upload-artifact", "always()")
