"""Make `games.json`, the list of published games, in the three steps of a weekly job.

    python tools/games_index.py read FOLDER [--index URL]
    python tools/games_index.py kit FOLDER PACKAGE
    python tools/games_index.py merge FOLDER OUT [--before FILE]

`read` takes the packages whose names begin with `tavolata-` and whose newest wheel has an entry point
for Tavolata; it imports none of them. `kit` installs one of these wheels into a clean environment and runs
its code there, without a network: it needs a machine that has nothing to lose, and leaves one small file.
`merge` reads these files as data, and writes the list. A game whose run was cut off isn't in its file: it
keeps what an earlier run found about this release, or has no result.

A row goes if its author wishes so (the keyword `tavolata-unlisted`), if all releases are yanked, or if the
newest one has failed for a year.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from packaging.version import InvalidVersion, Version

from tavolata._cli.fetching import NotFetched, fetch
from tavolata._cli.more_games import FORMAT, GameList, ListedGame, Marks, read_list
from tavolata._engine.plugins.clean_environment import NotClean, make
from tavolata._engine.plugins.package_index import ACCEPT, PYPI, IndexFile, files_on, page_of
from tavolata._engine.plugins.package_names import is_distribution
from tavolata._engine.plugins.wheels import DeclaredGame, Wheel, read_wheel
from tavolata._text import fill, one_line
from tavolata._version import __version__

ROOT = Path(__file__).parents[1]
OURS = ROOT / "core" / "tavolata" / "_cli" / "games.json"
TAKEN = frozenset({"bang", "conto", "horse-fever", "jumpy-jack", "zompa"})
"""The games that come with Tavolata."""
UNLISTED = "tavolata-unlisted"
MOST_INDEX, MOST_WHEEL = 256 << 20, 32 << 20
YEAR = timedelta(days=365)
KIT_SECONDS = 1800
ALONE = ("unshare", "--map-root-user", "--net", "--")
"""Before a command that gets no network, not even loopback."""


def main(words: Sequence[str] | None = None) -> int:
    """Run a step."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(dest="step", required=True)
    reading, checking, merging = (steps.add_parser(one) for one in ("read", "kit", "merge"))
    for one in (reading, checking, merging):
        one.add_argument("folder", type=Path)
    reading.add_argument("--index", default=PYPI)
    checking.add_argument("package")
    merging.add_argument("out", type=Path)
    merging.add_argument("--before", type=Path, default=OURS)
    told = parser.parse_args(words)
    match told.step:
        case "read":
            read(told.folder, told.index)
        case "kit":
            kit(told.folder, told.package)
        case _:
            merge(told.folder, told.out, told.before)
    return 0


# -- reading ----------------------------------------------------------------------------------------


def read(folder: Path, index: str) -> None:
    """Write the list without the kit's marks, the wheels, and the names of the packages."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[ListedGame] = []
    packages: list[str] = []
    known = msgspec.json.decode(fetch(index, most=MOST_INDEX, accept=ACCEPT), type=dict[str, Any])
    names = {re.sub(r"[-_.]+", "-", str(one["name"])).lower() for one in known.get("projects", ())}
    for package in sorted(one for one in names if one.startswith("tavolata-") and is_distribution(one)):
        try:
            data, found = published(package, index)
        except (NotFetched, ValueError) as error:
            said = fill(error.message, error.params) if isinstance(error, NotFetched) else error
            print(f"{package} is left out: {one_line(said)}", file=sys.stderr)
            continue
        rows += found
        packages.append(package)
        (folder / f"{package}.whl").write_bytes(data)
    write(folder / "read.json", rows, "")
    (folder / "packages.json").write_text(json.dumps(packages), encoding="utf-8")


def published(package: str, index: str) -> tuple[bytes, list[ListedGame]]:
    """Return the newest wheel of a package, and its rows; raise NotFetched or ValueError if it has none."""
    page = page_of(index, package)
    newest = newest_wheel(files_on(fetch(page, most=MOST_WHEEL, accept=ACCEPT), page))
    if newest is None:
        raise ValueError("it has no wheel")
    data = fetch(newest.url, most=MOST_WHEEL)
    if not newest.holds(data):
        raise ValueError("its wheel isn't the one that the index names")
    return data, list(rows_of(package, read_wheel(data), newest))


def newest_wheel(files: Iterable[IndexFile]) -> IndexFile | None:
    """Return the wheel of the newest version that isn't yanked, and runs anywhere."""
    found: dict[Version, IndexFile] = {}
    for file in files:
        if file.yanked or not file.filename.endswith("-none-any.whl"):
            continue
        try:
            found[Version(file.version)] = file
        except InvalidVersion:
            continue
    usual = [one for one in found if not one.is_prerelease]
    return found[max(usual or found)] if found else None


def rows_of(package: str, wheel: Wheel, file: IndexFile) -> Iterator[ListedGame]:
    """Yield the rows of a wheel; raise ValueError if it isn't this package's, or has no game to list."""
    if re.sub(r"[-_.]+", "-", wheel.name).lower() != package or wheel.version != file.version:
        raise ValueError("its wheel is another package's")
    if UNLISTED in wheel.keywords:
        raise ValueError("its author wishes so")
    games = wheel.games()
    if not games:
        raise ValueError("no class declares a game")
    day = file.upload_time[:10] or str(today())
    for game in games:
        marks = Marks(wheel.version, day, wheel.code_of(game).hex(), attested=bool(file.provenance))
        yield row_of(package, game, wheel.languages, marks)


def row_of(package: str, game: DeclaredGame, languages: tuple[str, ...], marks: Marks) -> ListedGame:
    """Return the row of a game, its texts as far as they can be shown."""
    return ListedGame(
        game.name, package, one_line(game.title, 60), one_line(game.summary, 160), game.seats,
        tuple(one for one in languages if re.fullmatch(r"[a-z]{2,3}(_[A-Za-z]+)?", one)), game.api,
        max(0, game.minutes), marks,
    )  # fmt: skip


# -- the kit -----------------------------------------------------------------------------------------


def kit(folder: Path, package: str) -> None:
    """Run the kit over the games of a package, without a network, and write which of them pass.

    The file is written after each game, so those that are done keep their results if this run is cut off.
    """
    out = folder / f"{package}.json"
    games = [one.name for one in listed(folder) if one.package == package]
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        home.mkdir()
        file = folder / f"{package}.whl"
        wheel = read_wheel(file.read_bytes())
        named = Path(place) / f"{wheel.name.replace('-', '_')}-{wheel.version}-py3-none-any.whl"
        named.write_bytes(file.read_bytes())
        try:
            python = make(Path(place) / "clean", named, wheel.requires)
        except NotClean as error:
            print(f"{package}: {fill(error.message, error.params)}", file=sys.stderr)
            out.write_text(json.dumps(dict.fromkeys(games, False)), encoding="utf-8")
            return
        passed: dict[str, bool] = {}
        for game in games:
            found = passes(python, game, home)
            if found is not None:
                passed[game] = found
                out.write_text(json.dumps(passed), encoding="utf-8")


def passes(python: Path, game: str, home: Path) -> bool | None:
    """Return True if a game passes the kit, None if that takes too long to say.

    It runs in a process that has no network and no variable of ours.
    """
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONUTF8": "1"}
    environ |= {f"TT_{one}_DIR": str(home) for one in ("CACHE", "DATA", "CONFIG")}
    words = [*ALONE, str(python), "-m", "tavolata", "check", game]
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours
            words, cwd=home, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, timeout=KIT_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        print(f"{game}: cut off after {KIT_SECONDS} s", file=sys.stderr)
        return None
    print(f"{game}: {one_line(done.stderr.decode(errors='replace'))}", file=sys.stderr)
    return done.returncode == 0


# -- merging -----------------------------------------------------------------------------------------


def merge(folder: Path, out: Path, before: Path) -> None:
    """Write the list with the marks of the kit; what isn't published yet stays as it was."""
    kept = {one.name: one for one in read_list(before.read_bytes()).games}
    rows: dict[str, ListedGame] = {}
    for row in listed(folder):
        marked = with_marks(row, folder / f"{row.package}.json", kept.get(row.name))
        if marked is not None:
            rows[row.name] = marked
    waiting = [one for one in kept.values() if one.marks is None and one.name not in rows]
    write(out, [*waiting, *rows.values()], str(today()))


def listed(folder: Path) -> tuple[ListedGame, ...]:
    """Return the rows that were read."""
    return read_list((folder / "read.json").read_bytes()).games


def with_marks(row: ListedGame, result: Path, before: ListedGame | None) -> ListedGame | None:
    """Return a row with what the kit has found; None if it has failed for a year."""
    marks, old = row.marks, None if before is None else before.marks
    assert marks is not None
    try:
        passed = json.loads(result.read_bytes()).get(row.name)
    except (OSError, ValueError, AttributeError):
        passed = None  # the machine that ran it has fallen over
    since = "" if old is None else old.failing_since
    if not isinstance(passed, bool):
        found = msgspec.structs.replace(marks, failing_since=since)
        if old is not None and (old.version, old.fingerprint) == (marks.version, marks.fingerprint):
            found = msgspec.structs.replace(found, kit=old.kit, checked=old.checked, passed=old.passed)
        return msgspec.structs.replace(row, marks=found)
    since = "" if passed else since or str(today())
    if since and today() - date.fromisoformat(since) > YEAR:
        return None
    found = msgspec.structs.replace(
        marks, kit=__version__, checked=str(today()), passed=passed, failing_since=since
    )
    return msgspec.structs.replace(row, marks=found)


def write(path: Path, rows: Iterable[ListedGame], made: str) -> None:
    """Write a list, one row a line; of two games with one name the first package has it."""
    chosen: dict[str, ListedGame] = {}
    for row in rows:
        if row.name in TAKEN or row.name in chosen:
            print(f"{row.package} has a game {row.name}; the name is taken.", file=sys.stderr)
            continue
        chosen[row.name] = row
    ordered = sorted(chosen.values(), key=lambda one: (one.package, one.name))
    lines = ",\n".join("  " + json.dumps(msgspec.to_builtins(one), ensure_ascii=False) for one in ordered)
    head = f' "format": {FORMAT},\n' + (f' "made": "{made}",\n' if made else "")
    path.write_text(f'{{\n{head} "games": [\n{lines}\n ]\n}}\n', encoding="utf-8")
    assert isinstance(read_list(path.read_bytes()), GameList)


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


if __name__ == "__main__":
    sys.exit(main())
