"""The front door: what contributors and GitHub get is whole, and agrees with the rest of the project."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
LOCKED = {package["name"]: package for package in LOCK["package"]}
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(
    {*(ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")} - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"}
)
ADDRESS = "https://github.com/tavolata/tavolata"


def parsed(path: Path) -> dict[Any, Any]:
    """A YAML file that holds a mapping."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict), path
    return found


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    """All steps of all jobs."""
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


def test_tests_run_on_three_systems_and_on_every_python_that_we_name() -> None:
    """The matrix holds three systems, the Pythons of the classifiers and the next; tox looks for each."""
    matrix = parsed(ROOT / ".github/workflows/tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PYPROJECT["project"]["classifiers"]))
    assert named == ["3.11", "3.12", "3.13"]  # the next is named once all tests have run on it
    assert matrix["python"] == [*named, "3.14"]
    tox = configparser.ConfigParser()
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    pythons = [f"py{python.replace('.', '')}" for python in matrix["python"]]
    assert tox["testenv:oldest"]["base_python"].split(", ") == pythons
    assert tox["testenv:newest"]["base_python"].split(", ") == pythons[::-1]


def test_every_environment_of_tox_is_run() -> None:
    """What `tox` runs before a merge runs in a workflow, too: none is forgotten there."""
    tox = configparser.ConfigParser()
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    wanted = {*re.split(r",\s*", tox["tox"]["env_list"])} - {"oldest", "newest"}  # workflows have a matrix
    workflow = parsed(ROOT / ".github/workflows/tests.yml")
    run = " ".join(step.get("run", "") for step in steps(workflow))
    called = {
        *re.findall(r"tox run -e (\w+)", run),
        *workflow["jobs"]["checks"]["strategy"]["matrix"]["check"],
    }
    assert wanted <= called <= {*wanted, *(name.removeprefix("testenv:") for name in tox.sections())}


def test_every_long_test_is_run_at_night() -> None:
    """Each file with a test marked long is below one of the paths that the nightly workflow runs."""
    jobs = parsed(ROOT / ".github/workflows/nightly.yml")["jobs"]
    three = ("long", "packaging", "network")
    parts = [part for job in three for part in jobs[job]["strategy"]["matrix"]["part"]]
    paths = [ROOT / word for part in parts for word in part.split() if word.startswith("tests/")]
    marked = re.compile(r"mark\.long|a_part\(")
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if marked.search(path.read_text("utf-8"))]
    long = [path for path in files if path.parent != ROOT / "tests"]  # which speak of the mark alone
    assert len(long) > 30
    assert [path for path in long if not {path, *path.parents} & {*paths}] == []
    assert [path for path in paths if not path.exists()] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_do_no_more_than_read(path: Path) -> None:
    """A workflow reads the repository; only jobs that publish may do more, and only that."""
    workflow = parsed(path)
    assert workflow["permissions"] == {"contents": "read"}
    more = {name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job}
    may = {
        "release": {"publish": {"id-token": "write"}},
        "games": {"write": {"contents": "write"}},
        "site": {"publish": {"pages": "write", "id-token": "write"}},
    }
    assert more == may.get(path.stem, {})
    assert not re.search(r"secrets\.", path.read_text(encoding="utf-8"))


def test_a_release_is_tested_first_and_published_by_trust() -> None:
    """Publishing waits for the tests and the build, in an environment of its own, by PyPI's own action."""
    jobs = parsed(ROOT / ".github/workflows/release.yml")["jobs"]
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert (ROOT / jobs["tests"]["uses"]).exists()
    assert set(jobs["publish"]["needs"]) == {"tests", "build"}
    assert jobs["publish"]["environment"]["name"] == "pypi"
    assert any(
        step.get("uses", "").startswith("pypa/gh-action-pypi-publish@") for step in jobs["publish"]["steps"]
    )
    assert any(step.get("run") == "python -m build" for step in jobs["build"]["steps"])


def test_the_site_is_published_as_it_is_built() -> None:
    """What is published is what `tox -e site` builds; nothing else is done in the job that may publish."""
    jobs = parsed(ROOT / ".github/workflows/site.yml")["jobs"]
    built = [step.get("run") or step["uses"].partition("@")[0] for step in jobs["build"]["steps"]]
    assert built[-2:] == ["python -m tox run -e site", "actions/upload-pages-artifact"]
    assert jobs["publish"]["needs"] == "build"
    assert [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]] == ["actions/deploy-pages"]


def test_newcomers_command_is_tried() -> None:
    """The command by which CONTRIBUTING.md sets everything up is one that a workflow runs, word for word."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    command = re.search(r"<!-- setup -->\n```sh\n(.+)\n```", page)
    assert command
    assert any(step.get("run") == command[1] for step in steps(parsed(ROOT / ".github/workflows/tests.yml")))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_forms_are_what_github_draws(path: Path) -> None:
    """A form has a name, a description and fields of known kinds, each with a label and an id of its own."""
    form = parsed(path)
    assert {"name", "description", "labels", "body"} == form.keys()
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids)) > 0
    for field in form["body"]:
        assert field["type"] in {"input", "textarea", "dropdown"}
        assert field["attributes"]["label"]
        assert (field["type"] == "dropdown") == ("options" in field["attributes"])
    assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_there_is_a_form_for_each_reason_to_write() -> None:
    """Bugs, ideas for games and questions have forms; a security problem is sent where it is private."""
    assert [path.stem for path in FORMS] == ["bug", "game-idea", "question"]
    config = parsed(ROOT / ".github/ISSUE_TEMPLATE/config.yml")
    assert config["blank_issues_enabled"] is False
    assert [link["url"] for link in config["contact_links"]] == [f"{ADDRESS}/security/advisories/new"]
    assert config["contact_links"][0]["url"] in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_the_project_has_one_address() -> None:
    """The links of the package all lead to the one repository that the pages name."""
    urls = PYPROJECT["project"]["urls"]
    assert {"Homepage", "Documentation", "Changelog", "Issues"} == urls.keys()
    assert urls
    assert all(url == ADDRESS or url.startswith(f"{ADDRESS}/") for url in urls.values())


def specified(requirements: list[str]) -> set[str]:
    """Name and versions of each requirement, written as uv writes them."""
    return {re.sub(r"\s", "", requirement) for requirement in requirements}


def locked(requirements: list[dict[str, Any]]) -> set[str]:
    """The same of what the lock says that the project asks for."""
    return {
        one["name"] + (f"[{','.join(one['extras'])}]" if "extras" in one else "") + one.get("specifier", "")
        for one in requirements
    }


def group(name: str) -> list[str]:
    """The requirements of a dependency group, with those of the groups that it includes."""
    found: list[str] = []
    for one in PYPROJECT["dependency-groups"][name]:
        found += [one] if isinstance(one, str) else group(one["include-group"])
    return found


def test_the_lock_is_fresh() -> None:
    """uv.lock was made from the dependencies that pyproject.toml has now: `uv lock` brings it up to date."""
    project = PYPROJECT["project"]
    extras = [one for extra in project["optional-dependencies"].values() for one in extra]
    asked = LOCKED["tavolata"]["metadata"]
    assert locked(asked["requires-dist"]) == specified([*project["dependencies"], *extras])
    assert asked["requires-dev"].keys() == PYPROJECT["dependency-groups"].keys()
    for name, requirements in asked["requires-dev"].items():
        assert locked(requirements) == specified(group(name)), name
    assert LOCK["requires-python"] == project["requires-python"]


def test_the_lock_names_no_machine() -> None:
    """Everything in uv.lock comes from PyPI: no folder and no index of whoever made it."""
    origins = [package["source"] for package in LOCK["package"]]
    assert [
        one for one in origins if one not in ({"registry": "https://pypi.org/simple"}, {"editable": "."})
    ] == []
    files = [
        file["url"]
        for package in LOCK["package"]
        for file in [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
    ]
    assert len(files) > len(LOCKED)
    assert [url for url in files if not url.startswith("https://files.pythonhosted.org/packages/")] == []


def test_checks_before_a_commit_are_those_of_the_lock() -> None:
    """Each tool that a commit's hook installs is pinned, to the version of uv.lock where it has one."""
    hooks = parsed(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    pinned = [one.split("==") for hook in hooks for one in hook.get("additional_dependencies", ())]
    assert {name for name, _ in pinned} == {"ruff", "import-linter", "uv"}
    for name, version in pinned:
        assert LOCKED.get(name, {"version": version})["version"] == version, name
    assert {hook["id"] for hook in hooks} == {"ruff-check", "ruff-format", "lint-imports", "uv-lock", "mypy"}


def test_the_links_of_the_readme_work_on_pypi_and_lead_to_files_that_are_here() -> None:
    """PyPI shows the README without the repository, so each link is a whole address, and its file exists."""
    page = MarkdownIt("commonmark").parse((ROOT / "README.md").read_text(encoding="utf-8"))
    parts = [part for token in page for part in token.children or ()]
    links = [str(part.attrs.get("href") or part.attrs.get("src")) for part in parts if part.attrs]
    bases = (f"{ADDRESS}/blob/main/", f"{ADDRESS.replace('github.com', 'raw.githubusercontent.com')}/main/")
    own = [link.removeprefix(base) for link in links for base in bases if link.startswith(base)]
    assert len(own) == len(links) > 10, links
    assert [path for path in own if not (ROOT / path).is_file()] == []
    assert "][" not in "".join(
        part.content for part in parts if part.type == "text"
    )  # a link without a target


def test_the_readme_works_line_by_line() -> None:
    """The environment is activated before the first bare `tt`, and `.ci/run` runs all up to there."""
    blocks = re.findall(
        r"(?:<!-- (\w+) -->\n)?^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )  # fmt: skip
    assert [mark for mark, _ in blocks if mark] == ["play", "again", "test"]
    assert [mark for mark, _ in blocks[:2]] == ["play", "again"]
    before, *bare = [
        line for _, text in blocks for line in text.splitlines() if not line.startswith("python3")
    ]
    assert before == ". .venv/bin/activate"
    assert bare
    assert [line for line in bare if not re.match(r"(tt|pip) ", line)] == []
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert re.findall(r"^played \w+$", run, re.MULTILINE) == ["played play", "played again"]
    assert "from_readme test" in run
