"""What the documentation says is so: hooks, commands, settings, exit codes, links, snippets."""

from __future__ import annotations

import configparser
import importlib
import importlib.util
import inspect
import operator
import posixpath
import re
import runpy
import shlex
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from tests import drawn
from tests.author_words import kit, members, names, used
from tests.proofs import API, CHECKS, FAULTS, STAGE
from tests.protocol.drawn import section

import tavolata
from tavolata import hookspecs
from tavolata._cli import main
from tavolata._cli.commands import COMMANDS
from tavolata._cli.failures import EXIT_CODES, INTERRUPT
from tavolata._cli.settings import FLAGS, VARIABLES
from tavolata.testing import check_game

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
HOOKS = [name for name in vars(hookspecs) if name.startswith("tavolata_")]


def blocks(kind: str) -> list[tuple[str, str]]:
    """The fenced blocks of this kind in all pages: (page and line, content)."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.finditer(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, block.start()) + 1
            found.append((f"{page.relative_to(ROOT).as_posix()}:{line}", block[1]))
    return found


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented_with_its_real_signature(hook: str) -> None:
    """Each hook has a heading in docs/hooks.md and, below it, the signature that the code has."""
    text = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
    _, _, section = text.partition(f"\n## `{hook}`\n")
    signature = str(inspect.signature(getattr(hookspecs, hook))).replace("'", "")
    assert f"\n{hook}{signature}\n" in section.partition("\n## ")[0]
    assert inspect.getdoc(getattr(hookspecs, hook))


def test_no_hook_is_documented_that_is_not_there() -> None:
    """docs/hooks.md has no section for a hook that nobody calls."""
    text = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
    assert re.findall(r"^## `(\w+)`$", text, re.MULTILINE) == HOOKS


@pytest.mark.parametrize("page", sorted({where.partition(":")[0] for where, _ in blocks("python")}))
def test_python_in_the_docs_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page run one after the other, each with what those before it defined."""
    module = ModuleType("docs_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look their module up
    for where, code in blocks("python"):
        if where.partition(":")[0] == page:
            exec(compile(code, where, "exec"), vars(module))


@pytest.mark.parametrize("name", ["Draw", "Words"])
def test_a_game_of_the_reference_ends_well_in_teams(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Authors copy it: however it ends, a team wins whole, as the kit asks of every game."""
    page = ModuleType("docs_page")
    monkeypatch.setitem(sys.modules, page.__name__, page)
    for where, code in blocks("python"):
        if where.partition(":")[0] == "docs/reference/game.md":
            exec(compile(code, where, "exec"), vars(page))
    found = check_game(vars(page)[name], matches=2, seats=4, teams=2, only=["outcomes"])
    assert found.passed, str(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_fence_is_one_for_the_site(page: Path) -> None:
    """With a second bare word after ``` it is none for the site, which takes headings below it for code."""
    fences = re.findall(r"^ *```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert [fence for fence in fences if not re.fullmatch(r'([a-z]+( title="[^"]+")?)?', fence)] == []


@pytest.mark.parametrize(("where", "code"), blocks('python title="A sketch"'))
def test_sketches_in_the_docs_are_python(where: str, code: str) -> None:
    """A block that shows a shape, with names that are not there, is at least Python."""
    compile(code, where, "exec")


def commands() -> list[tuple[str, list[str]]]:
    """Each command line of the sh blocks, cut at `&&`."""
    return [
        (where, shlex.split(command))
        for where, text in blocks("sh")
        for line in text.replace("\\\n", " ").splitlines()
        for command in line.split("&&")
    ]


@pytest.mark.parametrize(("where", "words"), commands())
def test_commands_in_the_docs_are_there(where: str, words: list[str]) -> None:
    """Each command of a sh block exists, down to the options of `tt` and the names of environments."""
    program, *rest = words
    match program.removeprefix(".venv/bin/"):
        case "tt":
            known = rest[0] in COMMANDS
            assert known or rest[0] in FLAGS, where
            options = [word for word in rest if word.startswith("--") and word not in FLAGS]
            if known and options:
                assert knows(rest[0], options), where
        case "tox":
            config = configparser.ConfigParser()
            config.read(ROOT / "tox.ini", encoding="utf-8")
            names = {after for word, after in pairwise(rest) if word == "-e"}
            assert {f"testenv:{name}" for name in names} <= set(config.sections()), where
            assert set(rest) - names <= {"-e", "-p", "2"}, where
        case "python" | "python3":
            assert importlib.util.find_spec(rest[1]) if rest[0] == "-m" else (ROOT / rest[0]).exists(), where
        case ".":
            assert rest == [".venv/bin/activate"], where
        case "pip" | "pytest":
            assert not [word for word in rest if "/" in word and not (ROOT / word).exists()], where
        case "ruff" | "mypy" | "lint-imports" as tool:
            groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
            package = "import-linter" if tool == "lint-imports" else tool
            assert any(str(one).startswith(f"{package}>") for group in groups.values() for one in group), (
                where
            )
        case "uv":
            assert rest[0] in {"sync", "lock"}, where
        case other:
            pytest.fail(f"{where}: nobody checks that {other} is there")


def knows(command: str, options: list[str]) -> bool:
    """Whether this command's help lists these options."""
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as page:
        assert main([command, "--help"]) == 0
    return all(option.partition("=")[0] in page.getvalue() for option in options)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_a_page_mentions_are_there(page: Path) -> None:
    """Where a page says `tt something`, that is a command of the core."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    mentioned = set(re.findall(r"`tt ([a-z]+)", text))
    assert mentioned - set(COMMANDS) == set()


TREE = [
    path.relative_to(ROOT).as_posix()
    for top in (".ci", ".github", "benchmarks", "core", "docs", "examples", "plugins", "protocol", "tests")
    for path in [ROOT / top, *(ROOT / top).rglob("*")]
    if "__pycache__" not in path.parts
]
TOPS = {path.split("/")[0] for path in TREE}


def mentioned(page: Path) -> tuple[set[str], set[str]]:
    """Outside of fenced blocks: paths of this repository in backticks, and modules run with `-m`."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    paths, modules = set(), set()
    for code in re.findall(r"`([^`\n\"]+)`", text):
        modules.update(re.findall(r"python3? -m ([\w.]+)", code))
        for word in code.split():
            if re.fullmatch(r"(?!\./)[\w.-]+(/[\w.-]+)*/?", word) and (  # ./game.py is the reader's own
                word.partition("/")[0] in TOPS or word.endswith(".py")
            ):
                paths.add(word.rstrip("/"))
    return paths, modules


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent.name != "decisions"], ids=lambda page: page.name
)
def test_paths_that_a_page_mentions_are_there(page: Path) -> None:
    """A path in backticks, whole or from some folder on, is in the tree; a module that is run can be run.

    Decisions are left out: they tell of the tree as it was then.
    """
    paths, modules = mentioned(page)
    ends = {f"/{path}" for path in TREE}
    assert [path for path in sorted(paths) if not any(end.endswith(f"/{path}") for end in ends)] == []
    assert [module for module in sorted(modules) if importlib.util.find_spec(module) is None] == []


def first_looks() -> list[tuple[str, str, list[str]]]:
    """The rows of "Where to look first" in docs/architecture.md: what, the file, names in it."""
    text = (
        (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Where to look first")[2]
    )
    rows = re.findall(r"^\| (.+?) \| `(.+?)` \| (.+?) \|$", text, re.MULTILINE)
    return [(what, file, re.findall(r"`([\w.]+)`", names)) for what, file, names in rows]


@pytest.mark.parametrize(("what", "file", "names"), first_looks(), ids=lambda value: str(value)[:50])
def test_where_to_look_first_is_there(what: str, file: str, names: list[str]) -> None:
    """Each row of the map leads to a file that is there, and each name beside it is in that module."""
    assert (ROOT / file).exists(), what
    dotted = re.sub(r"^(core|protocol|plugins)/|(/__init__)?\.py$", "", file).replace("/", ".")
    module = importlib.import_module(dotted)
    assert names, what
    for name in names:
        assert operator.attrgetter(name)(module) is not None, name


def test_the_map_lists_the_packages_of_the_engine_in_their_order() -> None:
    """The table of the engine has all its packages, in the order in which they may import each other."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = (one["layers"] for one in contracts["contracts"] if one["id"] == "engine-layers")
    assert re.findall(r"^\| `_engine/(\w+)` \|", text, re.MULTILINE) == layers[::-1]


def test_paths_are_found_in_pages() -> None:
    """The searches above find what they look for: paths and modules of a page, rows of the map."""
    assert len(first_looks()) > 15
    paths, modules = mentioned(ROOT / "docs" / "testing.md")
    assert "tests/network" in paths
    assert len(paths) > 9
    assert modules


WORDS = {**names(), **kit()}


REFERENCE = [(page.name, name) for page in drawn.REFERENCE for name in drawn.referred(page)]


@pytest.mark.parametrize(("page", "name"), REFERENCE)
def test_what_the_reference_names_is_there(page: str, name: str) -> None:
    """Each module, class or function that a page of the reference is made from can be imported."""
    module, _, rest = name.rpartition(".")
    home = importlib.import_module(module)
    assert hasattr(home, rest) or importlib.util.find_spec(name) is not None, page


def test_the_reference_has_all_that_is_public() -> None:
    """Each name of `tavolata`, and each public module beside it, is on a page of the reference."""
    there = {name for _, name in REFERENCE}
    public = {f"{module}.{name}" for module, names in tavolata._HOMES.items() for name in names.split()}
    missing = [name for name in public if not {name, name.rpartition(".")[0]} & there]
    assert sorted(missing) == ["tavolata._version.API", "tavolata._version.__version__"]
    assert {f"tavolata.{one}" for one in ("bots", "decks", "errors", "sim", "tricks", "zones")} <= there


def test_the_reference_shows_every_word_of_authors() -> None:
    """On the repository's own pages stand all names, and each member of a class, with their signatures."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in drawn.REFERENCE)
    blocks = "\n".join(re.findall(r"^```pyi\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    shown = re.findall(r"\b(?:class|def) (\w+)|^(\w+)(?:: | = )", blocks, re.MULTILINE)
    there = {name for found in shown for name in found}
    missing = [name for name, value in WORDS.items() if not {name, getattr(value, "__name__", name)} & there]
    assert sorted(missing) == ["API", "ItalianRank", "Rank", "USUAL_BOTS", "__version__", "hookimpl"]
    said = set(re.findall(r"\w+", blocks))
    assert [(of, member) for of, member in members(WORDS) if member not in said] == []
    assert "async def ask(" in blocks


def test_the_site_has_fuller_signatures_in_their_place() -> None:
    """The hook puts the site's directive where the repository's page has signatures, and leaves the rest."""
    hook = runpy.run_path(str(ROOT / "tools" / "site_links.py"))["on_page_markdown"]
    for page in drawn.REFERENCE:
        at = SimpleNamespace(file=SimpleNamespace(src_uri=f"reference/{page.name}"))
        made = hook(page.read_text(encoding="utf-8"), page=at, config={"repo_url": ""})
        assert re.findall(r"^::: (\S+)$", made, re.MULTILINE) == drawn.referred(page)
        assert "```pyi" not in made
        assert made.count("```python") == page.read_text(encoding="utf-8").count("```python")


def test_pictures_of_a_page_are_on_the_site() -> None:
    """On the site a page is a folder; its pictures, which are HTML for their width, are found from there."""
    hook, folder = runpy.run_path(str(ROOT / "tools" / "site_links.py"))["on_page_markdown"], ROOT / "docs"
    found = 0
    for page in folder.rglob("*.md"):
        name = page.relative_to(folder).as_posix()
        url = "" if name == "index.md" else f"{name.removesuffix('.md')}/"
        at = SimpleNamespace(file=SimpleNamespace(src_uri=name), url=url)
        made = hook(page.read_text(encoding="utf-8"), page=at, config={"repo_url": ""})
        for source in re.findall(r'<img src="([^"]*)"', made):
            found += 1
            assert (folder / posixpath.normpath(posixpath.join(url, source))).is_file(), (name, source)
    assert found > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link of a page names a file or folder that is there."""
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


READERS = {"player", "author", "researcher", "engineer"}
KINDS = {"tutorial", "how-to", "reference", "explanation"}


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent != ROOT and not page.name.startswith("0")],
    ids=lambda page: page.name,
)
def test_a_page_serves_one_reader_and_is_one_kind(page: Path) -> None:
    """The front matter of a page names one of four readers and one of four kinds of page."""
    head = re.match(r"---\nreader: (\S+)\nkind: (\S+)\n---\n\n# ", page.read_text(encoding="utf-8"))
    assert head
    assert head[1] in READERS
    assert head[2] in KINDS


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_anchors_lead_to_headings(page: Path) -> None:
    """A link to a part of a page, this one or another, names a heading of that page."""
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    lost = [
        f"{file}#{anchor}"
        for file, anchor in links
        if (target := page.parent / file if file else page).suffix == ".md" and anchor not in anchors(target)
    ]
    assert lost == []


@pytest.mark.parametrize(("page", "part"), [
    ("install.md", "windows"),
    ("troubleshooting.md", "a-phone-cant-open-the-page"),
    ("troubleshooting.md", "a-laptop-died-in-the-middle-of-a-match"),
    ("fairness.md", "no-single-machine-can"),
    ("games/tricks.md", "tricks"),
])  # fmt: skip
def test_a_question_is_answered_two_clicks_from_the_landing_page(page: str, part: str) -> None:
    """Installing on Windows, a phone, a dead laptop, a cheating host, a card game: none is further away."""
    folder = ROOT / "docs"

    def reached(pages: set[Path]) -> set[Path]:
        texts = {one: one.read_text(encoding="utf-8") for one in pages}
        return {
            (one.parent / link).resolve()
            for one, text in texts.items()
            for link in re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", text)
        }

    first = reached({folder / "index.md"})
    assert (folder / page).resolve() in first | reached(first)
    assert part in anchors(folder / page)


def test_old_addresses_lead_to_pages_that_exist(tmp_path: Path) -> None:
    """A page that is gone has an heir, down to the heading, and the site a page there that leads to it."""
    folder, hook = ROOT / "docs", runpy.run_path(str(ROOT / "tools" / "site_links.py"))
    for old, new in hook["moved"](folder).items():
        page, _, part = new.partition("#")
        assert not (folder / old).exists(), old
        assert (folder / page).exists(), new
        assert not part or part in anchors(folder / page), new
    hook["on_post_build"](config={"docs_dir": str(folder), "site_dir": str(tmp_path)})
    there = (tmp_path / "testing-protocol" / "index.html").read_text(encoding="utf-8")
    assert "url=../testing/#test-the-agreed-log" in there
    there = (tmp_path / "decisions" / "0043-same-code-convicts" / "index.html").read_text(encoding="utf-8")
    assert "url=../../decisions/0038-judge-facts-when-faces-are-known/" in there


def unsaid(source: str) -> list[str]:
    """The names and members for authors that some Python does not use."""
    said = used(source)
    return [name for name in WORDS if name not in said] + [
        f"{name}.{member}" for name, member in members(WORDS) if member not in said
    ]


def test_the_words_of_authors_are_found() -> None:
    """The list has names of each module, and members of their classes; a word that is not said is missed."""
    assert len(WORDS) > 120
    assert {("Table", "declare"), ("View", "imagine"), ("Grid", "lines"), ("Show", "goal")} <= set(
        members(WORDS)
    )
    assert "Table.declare" in unsaid("from tavolata import Table")


def test_every_word_of_authors_stands_in_an_example_that_runs() -> None:
    """Nobody has to open a module: each name and each member is used in a Python block of the documents."""
    assert unsaid("\n".join(code for _, code in blocks("python"))) == []


def test_a_package_outside_uses_every_word_of_authors() -> None:
    """The package that mypy and pyright check strictly leaves nothing out."""
    package = ROOT / "tests" / "packaging" / "every_word" / "tavolata_every_word"
    assert unsaid("\n".join(file.read_text(encoding="utf-8") for file in package.glob("*.py"))) == []


def test_every_setting_and_every_exit_code_is_documented() -> None:
    """docs/command-line.md has each flag, variable and exit code that the program knows."""
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    missing = [name for name in [*FLAGS, *VARIABLES] if f"`{name}" not in text]
    assert set(missing) <= {"--quiet", "--verbose"}  # the long names of -q and -v
    for code in {*EXIT_CODES.values(), *range(9), INTERRUPT}:
        assert f"\n| {code} | " in text


@pytest.mark.parametrize(
    ("page", "name"), [(page, name) for page, parts in drawn.PAGES.items() for name in parts]
)
def test_a_drawn_part_of_a_page_is_what_the_code_says(page: Path, name: str) -> None:
    """Whoever changes a command or a line of JSON draws its page again: `python -m tests.drawn`."""
    assert section(page.read_text(encoding="utf-8"), name)[1] == drawn.PAGES[page][name]()


def test_every_decision_is_listed() -> None:
    """The index of docs/decisions names each page."""
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in folder.glob("0*.md") if page.name not in index] == []


def _names_of_tests() -> set[str]:
    return {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }


def test_every_fault_of_the_log_and_the_wire_has_tests_that_exist() -> None:
    """All ten faults have at least one test, none that is gone."""
    assert set(FAULTS) == set(range(1, 11))
    assert all(FAULTS.values())
    assert set().union(*FAULTS.values()) - _names_of_tests() == set()


@pytest.mark.parametrize(("rows", "prefix", "numbers"), [
    (CHECKS, "test_checks?_", {*range(1, 28)}),
    (STAGE, "test_stage_checks?_", {1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19, 22, 23}),
    (API, "test_api_checks?_", {*range(1, 15)} - {8}),
])  # fmt: skip
def test_every_acceptance_check_is_proved_by_tests_that_exist(
    rows: dict[str, tuple[str, ...]], prefix: str, numbers: set[int]
) -> None:
    """Each check has tests that exist; a test that bears a number is in its row."""
    tests = _names_of_tests()
    of = {int(number): set(names) for key, names in rows.items() for number in key.split(",")}
    assert set(of) == numbers
    assert set().union(*of.values()) <= tests
    numbered = {name for name in tests if re.match(rf"{prefix}\d", name)}
    assert {name for name in numbered if name not in of[int(re.findall(r"\d+", name)[0])]} == set()
