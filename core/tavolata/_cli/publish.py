"""The command `tt publish`: from a game in a file or folder to all that comes before the last click.

It checks and builds, tries the wheel in a clean environment, and writes a workflow by which the package index
trusts a tag. It holds no token and uploads nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERNAL, UsageError
from tavolata._cli.workshop import THERE, write_filled, write_package
from tavolata._engine.plugins.package_index import ACCEPT, PYPI, files_on, page_of, version_of
from tavolata._trouble import trouble
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.plugins.wheels import Wheel

WORKFLOW = Path(".github/workflows/publish.yml")
MOST_WHEEL = 64 << 20
NOTHING_THERE = N_(
    "There's no game to publish in {place}: it's neither a .py file nor a folder with a pyproject.toml."
)
NO_PROJECT = N_("{path} isn't a game project: it needs a name, a version and a `tavolata` entry point.")
NOT_ONE_GAME = N_("{path} must declare one game (with a name and seats), not {n}.")
MADE = N_("The package is in {folder}.")
KIT = N_("Running the strict kit on {game}…")
TESTS = N_("Running the tests…")
NO_TESTS = N_("Running the tests needs pytest: pip install pytest")
ASKING = N_("Checking {index} for {name} {version}…")
SILENT = N_("{problem} Skipping this check; the index won't accept the same version twice anyway.")
IS_OUT = N_(
    "{name} {version} is already published, with different code. Bump `version` in pyproject.toml; if old "
    "matches would play differently, bump `rules_id`, too."
)
SAME = N_("{name} {version} is already published, with the same code.")
BUILDING = N_("Building the wheel and the sdist…")
NO_BUILD = N_("Building needs the `build` package: pip install build")
CLEAN = N_("Trying the wheel in a clean environment…")
STOPPED = N_("Nothing was published. Fix this, then run `tt publish {folder}` again.")
NOT_LOADED = N_("In a clean environment, the package has no playable game.")
READY = N_("{name} {version} is ready: {files}.")
CODE = N_("The fingerprint of {game} is {code}.")
LEFT = N_("What's left for you to do:")
PUSH = N_("Push {folder} to a repository on GitHub; {workflow} publishes it.")
TRUST = N_(
    "Just once, on https://pypi.org/manage/account/publishing/, add a pending publisher: project {name}, "
    "your repository, workflow {workflow}, environment pypi."
)
TAG = N_("Tag it: git tag v{version} && git push origin v{version}")


class Project(NamedTuple):
    """A project folder with what its pyproject.toml says. `points` are the modules of its entry points."""

    folder: Path
    name: str
    version: str
    points: Mapping[str, str]


class _Stop(Exception):
    """Publishing stops here; the person knows why."""


def publish(
    context: CommandContext,
    place: Annotated[
        str, typer.Argument(metavar="FILE|FOLDER", help=N_("A game in a file, or the folder of a package."))
    ] = ".",
    *,
    index: Annotated[str, typer.Option(metavar="URL", help=N_("The package index to compare with."))] = PYPI,
) -> int:
    """Check and build a game for publishing."""
    from tavolata._engine.plugins.wheels import read_wheel

    path = Path(place)
    folder = _package(context, path) if path.suffix == ".py" else path
    project = project_in(folder)
    try:
        games = _checked(context, project)
        wheel, files = _built(context, project)
        read = read_wheel(wheel.read_bytes())
        _compare(context, project, wheel, read, index)
        _try_out(context, wheel, read)
    except _Stop:
        context.note(context.text(STOPPED, {"folder": folder}))
        return INTERNAL
    workflow = folder / WORKFLOW
    if not workflow.exists():
        checks = "\n".join(f"      - run: tt check --strict {game}" for game in games)
        write_filled(workflow, "package/publish.yml", {"project": project.name, "checks": checks})
    _what_is_left(context, project, read, files)
    return FINISHED


def project_in(folder: Path) -> Project:
    """Return the project in a folder; raise UsageError if there's none with a game."""
    path = folder / "pyproject.toml"
    if not path.is_file():
        raise UsageError(NOTHING_THERE, place=str(folder))
    try:
        said: Any = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        points = {str(name): str(module) for name, module in said["entry-points"]["tavolata"].items()}
        return Project(folder, str(said["name"]), str(said["version"]), points)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(NO_PROJECT, path=str(path)) from error


def _package(context: CommandContext, file: Path) -> Path:
    """Make the package of a lone file beside it, and return its folder."""
    from tavolata._engine.plugins.wheels import declared_games

    try:
        text = file.read_bytes()
        source = text.decode()
    except (OSError, UnicodeError) as error:
        raise UsageError(
            N_("Couldn't read {path}: {problem}."), path=str(file), problem=trouble(error)
        ) from error
    games = list(declared_games(file.name, text))
    if len(games) != 1:
        raise UsageError(NOT_ONE_GAME, path=str(file), n=len(games))
    folder = file.parent / games[0].name
    if folder.exists():
        raise UsageError(THERE, name=folder.name)
    rules = write_package(context, folder, games[0], source)
    for path in file.parent.glob("*.md"):
        stem, _, rest = path.name.partition(".")
        if stem == file.stem:  # a rulebook: higher.md, higher.it.md
            shutil.copy(path, rules.with_name(f"rules.{rest}"))
    context.out(context.text(MADE, {"folder": folder}))
    return folder


def _checked(context: CommandContext, project: Project) -> list[str]:
    """Run the strict kit over the games of a project, and its tests; return the names of the games."""
    from tavolata._engine.plugins.wheels import declared_games

    tops = {module.partition(".")[0] for module in project.points.values()}
    found = [
        game
        for top in sorted(tops)
        for path in sorted((project.folder / top).rglob("*.py"))
        for game in declared_games(path.relative_to(project.folder).as_posix(), path.read_bytes())
    ]
    if not found:
        raise UsageError(NOT_ONE_GAME, path=str(project.folder), n=0)
    for game in found:
        context.note(context.text(KIT, {"game": game.name}))
        _run(
            context,
            [sys.executable, "-m", "tavolata", "check", "--strict", f"./{game.path}:{game.cls}"],
            project.folder,
        )
    if (project.folder / "tests").is_dir():
        if util.find_spec("pytest") is None:
            raise UsageError(NO_TESTS)
        context.note(context.text(TESTS))
        _run(context, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], project.folder)
    return [game.name for game in found]


def _built(context: CommandContext, project: Project) -> tuple[Path, list[Path]]:
    """Build wheel and sdist into `dist`; return the wheel, and both."""
    context.note(context.text(BUILDING))
    uv = shutil.which("uv")
    with tempfile.TemporaryDirectory() as folder:
        if util.find_spec("build") is not None:
            words = [sys.executable, "-m", "build", "--outdir", folder]
            words += ["--no-isolation"] if util.find_spec("hatchling") is not None else []
        elif uv:
            words = [uv, "build", "--out-dir", folder]
        else:
            raise UsageError(NO_BUILD)
        _run(context, words, project.folder, quiet=True)
        dist = project.folder / "dist"
        dist.mkdir(exist_ok=True)
        files = [Path(shutil.copy(one, dist)) for one in sorted(Path(folder).iterdir())]
    [wheel] = [one for one in files if one.suffix == ".whl"]
    return wheel, [one for one in files if one.name.endswith((".whl", ".tar.gz"))]


def _compare(context: CommandContext, project: Project, wheel: Path, read: Wheel, index: str) -> None:
    """Stop if this version is published with different code."""
    from tavolata._cli.fetching import NotFetched

    said = {"index": index, "name": project.name, "version": project.version}
    context.note(context.text(ASKING, said))
    try:
        there = published(project.name, version_of(wheel.name), index)
    except NotFetched as error:
        context.note(context.text(SILENT, {"problem": context.text(error.message, error.params)}))
        return
    if there is None:
        return
    if there != read.fingerprint:
        context.note(context.text(IS_OUT, said))
        raise _Stop
    context.note(context.text(SAME, said))


def published(name: str, version: str, index: str) -> bytes | None:
    """Return the fingerprint of a published version, b"" without a readable wheel; None if there's none.

    `version` is in its normal form, as files are named.
    """
    from tavolata._cli.fetching import NotFetched, fetch
    from tavolata._engine.plugins.installer import normal
    from tavolata._engine.plugins.wheels import read_wheel

    page = page_of(index, normal(name))
    try:
        files = files_on(fetch(page, most=MOST_WHEEL, accept=ACCEPT), page)
    except NotFetched as error:
        if error.missing:
            return None
        raise
    except ValueError as error:
        raise NotFetched(N_("Couldn't read {url}: {problem}."), url=page, problem=str(error)) from error
    for file in files:
        if file.version == version:
            try:
                return read_wheel(fetch(file.url, most=MOST_WHEEL)).fingerprint
            except ValueError:
                return b""
    sdist = f"{normal(name)}-{version}.tar.gz".replace("-", "_")
    return b"" if any(file.filename.replace("-", "_") == sdist for file in files) else None


def _try_out(context: CommandContext, wheel: Path, read: Wheel) -> None:
    """Install the wheel where nothing else is, and run `tt plugins` and the strict kit there."""
    from tavolata._engine.plugins.clean_environment import environ_for, make

    context.note(context.text(CLEAN))
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        home.mkdir()
        python, environ = make(Path(place) / "clean", wheel, read.requires), environ_for(home)
        words = [str(python), "-m", "tavolata"]
        said = _run(context, [*words, "plugins", "--ui", "json"], home, environ, quiet=True)
        brought = [json.loads(line) for line in said]
        names = [
            name for one in brought if one.get("distribution") == read.name for name in one.get("games", ())
        ]
        problems = [one for one in brought if one["type"] == "problem" and one["plugin"] in read.points]
        for one in problems:
            context.note(one["sentence"])
        if problems or not names:
            if not problems:
                context.note(context.text(NOT_LOADED))
            raise _Stop
        for name in names:
            _run(context, [*words, "check", "--strict", name], home, environ)


def _what_is_left(context: CommandContext, project: Project, read: Wheel, files: Sequence[Path]) -> None:
    from tavolata._engine.match.game_info import as_text

    said = {
        "name": project.name, "version": project.version, "folder": project.folder, "workflow": WORKFLOW.name,
        "files": ", ".join(map(str, files)),
    }  # fmt: skip
    context.out(context.text(READY, said))
    for game in read.games():
        context.out(context.text(CODE, {"game": game.name, "code": as_text(read.code_of(game))}))
    context.out(context.text(LEFT))
    for message in (PUSH, TRUST, TAG):
        context.out("  " + context.text(message, said))


def _run(
    context: CommandContext,
    words: Sequence[str],
    folder: Path,
    environ: Mapping[str, str] | None = None,
    *,
    quiet: bool = False,
) -> list[str]:
    """Run a program, with its output as notes unless `quiet`; return the lines, or stop if it fails."""
    running = subprocess.Popen(  # noqa: S603 - the words are ours
        words, cwd=folder, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace",
    )  # fmt: skip
    lines: list[str] = []
    with running:
        assert running.stdout is not None
        for line in running.stdout:
            lines.append(line.rstrip("\n"))
            if not quiet:
                context.note(lines[-1])
    if running.returncode:
        for line in lines if quiet else ():
            context.note(line)
        raise _Stop
    return lines
