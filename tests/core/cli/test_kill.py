"""A match outlives its process: killed at any moment, by anything, it goes on from its last entry.

The processes here are real and are really killed; what they leave is compared, record by record, with
what the same match leaves when nobody touches it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.commit import a_part
from tests.core.match_records import records_of

from tavolata._cli import main
from tavolata._engine.match.entries import ANSWER, INTERJECT, SAY, TIMEOUT
from tavolata._engine.storage import match_file
from tavolata._engine.storage.match_file import ENTRY, EVENT, HEADER, SNAPSHOT, TURN

pytestmark = pytest.mark.battery

TT = "import sys; from tavolata._cli import main; sys.exit(main())"
PLAY = ["play", "zompa", "--seats", "5", "--bots", "4", "--bot", "random", "--seed", "11", "--as", "Anna"]
LONG = [*PLAY, "--option", "fiches=12"]
"""The same with more fiches: long enough for snapshots."""

Record = tuple[int, Any]


def start(home: Path, *words: str, first: str = "", **more: Any) -> subprocess.Popen[str]:
    """A process of its own that runs `tt`, with the folders of `home`, after some code of the test."""
    folders = {f"TT_{name}_DIR": str(home / name.lower()) for name in ("DATA", "CONFIG", "CACHE")}
    environment = {**os.environ, **folders, "TT_LANG": "en", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", first + TT, "--ui", "plain", *words],
        env=environment,
        text=True,
        encoding="utf-8",
        **{**QUIET, **more},
    )


QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}


def finish(home: Path, *words: str) -> None:
    """Run `tt` to its end, which is a good one."""
    process = start(home, *words)
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")


def file_of(home: Path) -> Path:
    """The one match file there is."""
    (path,) = (home / "data" / "matches").glob("*.ttm")
    return path


def records(path: Path) -> list[Record]:
    """Everything in a match file but its id and what lies behind its last whole record."""
    found = [record for _, record in records_of(path.read_bytes())]
    assert found[0][0] == HEADER
    found[0][1].pop("id")
    return found


def kill_at(home: Path, size: int, *words: str) -> None:
    """Start `tt` and kill it as soon as its match file is longer than that."""
    process = start(home, *words)
    try:
        folder = home / "data" / "matches"
        while process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                if file_of(home).stat().st_size > size:
                    break
            if not folder.exists():
                time.sleep(0.001)
    finally:
        process.kill()
        process.communicate(timeout=60)


def whole(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> Path:
    """The file of a match that nobody touched."""
    home = tmp_path_factory.mktemp("whole")
    finish(home, *words)
    return file_of(home)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the match that is played here, untouched."""
    return whole(tmp_path_factory, PLAY)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a match that is over soon."""
    return whole(tmp_path_factory, [*PLAY, "--option", "fiches=1"])


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the longer match, untouched."""
    return whole(tmp_path_factory, LONG)


def places(path: Path, count: int) -> list[int]:
    """So many sizes between the header of this file and its end."""
    header, end = next(records_of(path.read_bytes()))[0], path.stat().st_size - 200
    return [header + (end - header) * number // count for number in range(count)]


def killed(home: Path, size: int, *words: str) -> None:
    """As `kill_at`, until it came before the end of the match, which a busy machine may prevent."""
    before = file_of(home).read_bytes() if (home / "data").exists() else None
    for _ in range(10):
        kill_at(home, size, *words)
        if match_file.read(file_of(home)).end is None:
            return
        if before is None:
            shutil.rmtree(home)
        else:
            file_of(home).write_bytes(before)
    pytest.fail(f"The match could not be killed at {size} bytes.")


@pytest.mark.parametrize("number", a_part(range(16), 4))
def test_match_killed_at_any_moment_goes_on(number: int, short: Path, tmp_path: Path) -> None:
    """Killed at any of 16 places and resumed, a match leaves what it leaves when nobody kills it."""
    killed(tmp_path, places(short, 16)[number], *PLAY)
    finish(tmp_path, "resume")
    assert records(file_of(tmp_path)) == records(short)


def test_match_killed_again_and_again_goes_on(long: Path, tmp_path: Path) -> None:
    """Eight kills of one match, before and after snapshots, one after the other, lose and double nothing."""
    assert sum(kind == SNAPSHOT for kind, _ in records(long)) > 1
    words = LONG
    for size in places(long, 8):
        killed(tmp_path, size, *words)
        words = ["resume"]
    finish(tmp_path, "resume")
    assert records(file_of(tmp_path)) == records(long)


# -- a person ---------------------------------------------------------------------------------------

PEOPLE = [
    "play", "zompa", "--humans", "3", "--bots", "easy,normal", "--seed", "1", "--as", "Anna",
    "--option", "talk=offer",
]  # fmt: skip


def typed(path: Path) -> list[str]:
    """What a person types at the open question: words, what may be done out of turn, Enter.

    It depends on nothing but the match; what the file has of it already is left out.
    """
    answered, said, done = 0, False, False
    for kind, *more in match_file.read(path).entries:
        if kind == ANSWER:
            answered, said, done = answered + 1, False, False
        said, done = said or kind == SAY, done or (kind == INTERJECT and more[0] < 3)
    lines = [] if said or answered % 4 else [f"say hello for the {answered}. time"]
    return [*lines, *([] if done else ["do 1"]), ""]


def sit(home: Path, *words: str, until: int | None = None, first: str = "") -> str:
    """Play a person's match through pipes, killed at a file of that size or by `first`; what was shown."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = start(home, *words, first=first, **pipes)
    assert process.stdin is not None
    assert process.stdout is not None

    def watch() -> None:
        while until is not None and process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                if file_of(home).stat().st_size > until:
                    process.kill()
            time.sleep(0.0003)

    watcher = threading.Thread(target=watch)
    watcher.start()
    shown = []
    with contextlib.suppress(OSError), process:  # it may be dead when it is written to
        for line in process.stdout:
            shown.append(line)
            if line.strip().endswith("(Enter)"):
                process.stdin.write("".join(f"{one}\n" for one in typed(file_of(home))))
                process.stdin.flush()
    watcher.join()
    assert until is not None or first or process.returncode == 0, "".join(shown)
    return "".join(shown)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The untouched file of a match of people, and what was shown of it."""
    home = tmp_path_factory.mktemp("people")
    story = sit(home, *PEOPLE)
    return file_of(home), story


@pytest.mark.parametrize("number", a_part(range(3), 3))
def test_match_of_people_killed_at_any_moment_goes_on(
    number: int, people: tuple[Path, str], tmp_path: Path
) -> None:
    """People who talk, between bots that interject, lose nothing and see everything despite three kills."""
    path, story = people
    expected = records(path)
    late = {(entry[0], entry[1] < 3) for kind, entry in expected if kind == ENTRY and entry[0] >= INTERJECT}
    assert late == {(SAY, True), (INTERJECT, True), (INTERJECT, False)}
    shown, words = "", PEOPLE
    for size in places(path, 9)[number::3]:
        shown += sit(tmp_path, *words, until=size)
        words = ["resume"]
    shown += sit(tmp_path, *words)
    assert records(file_of(tmp_path)) == expected
    assert to_last(story.splitlines()) <= set(shown.splitlines())


def to_last(lines: list[str]) -> set[str]:
    """The lines that hold for ever: an offer of a bot that played on holds only at its moment."""
    return {line for line in lines if not line.startswith(("At any time: ", "You can't do that now."))}


DIES_SHOWING = """
import os, time
from tavolata._ui.streams import Outlet
put, lines = Outlet._put, []
def put_some(self, data):
    lines.append(data)
    if len(lines) > {lines}:
        time.sleep(0.3)  # all that happens until a person is asked is written to the file meanwhile
        os._exit(1)
    put(self, data)
Outlet._put = put_some
"""


def test_what_was_written_but_not_shown_is_told(tmp_path: Path) -> None:
    """Dead between writing to its file and showing it, a match tells on resuming what nobody has seen."""
    words = ["play", "zompa", "--humans", "1", "--bots", "5", "--seed", "1", "--option", "fiches=6"]
    story = sit(tmp_path / "whole", *words).splitlines()
    asked = [at + 1 for at, line in enumerate(story) if line.strip().endswith("(Enter)")]
    after, until = max(pairwise(asked), key=lambda two: two[1] - two[0])
    assert until - after > 100  # the bots play on while the one person is out
    for shown in (after, (after + until) // 2):
        home = tmp_path / str(shown)
        before = sit(home, *words, first=DIES_SHOWING.format(lines=shown)).splitlines()
        assert len(before) == shown
        assert match_file.read(file_of(home)).end is None
        resumed = sit(home, "resume").splitlines()
        assert to_last(story) <= {*before, *resumed}
        assert records(file_of(home)) == records(file_of(tmp_path / "whole"))


def test_match_against_the_clock_killed_goes_on(tmp_path: Path) -> None:
    """Where time runs out for people who do nothing, three kills change nothing either."""
    words = [*PEOPLE, "--pace", "0.01", "--option", "fiches=2"]

    def wait(home: Path, *words: str, until: int | None = None) -> None:
        process = start(home, *words, stdin=subprocess.PIPE)
        while until is not None and process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                if file_of(home).stat().st_size > until:
                    process.kill()
            time.sleep(0.001)
        assert process.wait(60) == 0 or until is not None
        process.communicate()

    wait(tmp_path / "untouched", *words)
    path = file_of(tmp_path / "untouched")
    assert any(kind == ENTRY and entry[0] == TIMEOUT for kind, entry in records(path))
    home = tmp_path / "killed"
    for size in places(path, 3):
        wait(home, *words, until=size)
        words = ["resume"]
    wait(home, *words)
    assert records(file_of(home)) == records(path)


def test_what_was_done_but_not_written_is_undone(people: tuple[Path, str], tmp_path: Path) -> None:
    """Killed between applying what a person does out of turn and writing it, it has never happened."""
    ends = [end for end, _ in records_of(people[0].read_bytes())]
    expected = records(people[0])
    at = next(
        at for at, (kind, entry) in enumerate(expected)
        if kind == ENTRY and entry[0] == INTERJECT and entry[1] < 3
    )  # fmt: skip
    assert expected[at - 1][0] == EVENT
    leave(tmp_path, people[0].read_bytes()[: ends[at - 1]])
    process = start(tmp_path, "resume")
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, "tt resume" in complaints) == (7, True)
    written = records(file_of(tmp_path))
    assert written[: at - 1] == expected[: at - 1]
    assert {kind for kind, _ in written[at - 1 :]} <= {SNAPSHOT}, "a match that is left writes its state"


# -- files that are damaged, and disks that are full -----------------------------------------------


def leave(home: Path, data: bytes) -> Path:
    """A match file with these bytes, the only one."""
    path = home / "data" / "matches" / "0123456789abcdef.ttm"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for `tt` in this process: quick, and its disk need not be waited for."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"TT_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.setenv("TT_LANG", "en")
    monkeypatch.setattr(os, "fsync", lambda number: None)
    return tmp_path


def test_torn_records_are_written_again(tiny: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Torn anywhere in a turn in mid-match, the file goes on and ends as if it were whole."""
    data, expected = tiny.read_bytes(), records(tiny)
    ends = [end for end, _ in records_of(data)]
    turns = [at for at, (kind, _) in enumerate(expected) if kind == TURN]
    first, last = turns[len(turns) // 2], turns[len(turns) // 2 + 1]
    assert {kind for kind, _ in expected[first : last + 1]} == {ENTRY, EVENT, TURN}
    cuts = {at + more for at in ends[first : last + 1] for more in (-1, 0, 1)}  # and every third byte
    for cut in sorted(cuts.union(range(ends[first], ends[last], 3))):
        path = leave(here, data[:cut])
        assert main(["resume"]) == 0
        assert records(path) == expected, f"torn at {cut}"
        complaints = capsys.readouterr().err
        assert complaints.startswith("The end of the match file is damaged") is (cut not in ends)
        assert complaints.count("\n") == (cut not in ends)


def test_torn_snapshots_are_written_again(long: Path, here: Path) -> None:
    """Torn within a snapshot, just before or just behind it, the match goes on as if it were whole."""
    data, expected = long.read_bytes(), records(long)
    ends = [end for end, _ in records_of(data)]
    at = [at for at, (kind, _) in enumerate(expected) if kind == SNAPSHOT][1]
    for cut in (ends[at - 1], *range(ends[at - 1] + 1, ends[at], 4000), ends[at] - 1, ends[at], ends[at + 1]):
        path = leave(here, data[:cut])
        assert main(["resume"]) == 0
        assert records(path) == expected, f"torn at {cut}"


def test_flipped_bytes_cost_a_sentence_or_nothing(
    short: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A flipped byte anywhere: the match goes on from what is whole, or one sentence says why not."""
    data, expected = short.read_bytes(), records(short)
    header = next(records_of(data))[0]
    for place in [*range(0, header, 7), *range(header, len(data), len(data) // 50)]:
        path = leave(here, data[:place] + bytes((data[place] ^ 0x10,)) + data[place + 1 :])
        code = main(["resume", path.stem])
        complaints = capsys.readouterr().err
        if place >= header:
            assert (code, complaints.count("\n")) == (0, 1)
            assert complaints.startswith("The end of the match file is damaged")
            assert records(path) == expected, f"flipped at {place}"
        else:
            assert (code, complaints) == (2, f"tt: {path} isn't a match file.\n")


def test_full_disk_is_a_sentence_and_costs_nothing(short: Path, tmp_path: Path) -> None:
    """A disk that is full at any moment ends the match with one sentence; with room again it goes on."""
    pytest.importorskip("resource")
    data = short.read_bytes()
    for number, size in enumerate([3, 30, *places(short, 3), len(data) - 5]):
        home = tmp_path / str(number)
        full = f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({size}, r.RLIM_INFINITY)); "
        process = start(home, *PLAY, first=full)
        _, complaints = process.communicate(timeout=60)
        assert (process.returncode, complaints.count("\n")) == (2, 1)
        assert complaints.startswith("tt: Couldn't save the match in ")
        if number > 1:  # it had begun
            finish(home, "resume")
            assert records(file_of(home)) == records(short)


def test_disk_that_fails_is_a_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A disk that fails to keep what was written is a sentence, too."""

    def fail(number: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    assert main(PLAY) == 2
    assert ": Input/output error." in capsys.readouterr().err


def test_folder_that_cannot_be_written_is_a_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no folder can be made, playing ends at once with one sentence."""
    (here / "data").write_text("a file")
    assert main(PLAY) == 2
    complaints = capsys.readouterr().err
    assert complaints.startswith("tt: Couldn't save the match in ")
    assert complaints.count("\n") == 1


def test_match_is_played_in_one_window_only(
    people: tuple[Path, str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While one process plays a match, another that takes it up is told so, and its file is left alone."""
    path = leave(here, people[0].read_bytes()[: places(people[0], 3)[1]])
    process = start(here, "resume", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process:
        assert any(line.strip().endswith("(Enter)") for line in process.stdout)
        before = path.read_bytes()
        assert main(["resume"]) == 2
        assert capsys.readouterr().err == f"tt: The match in {path} is being played in another window.\n"
        assert path.read_bytes() == before
        process.kill()
