"""The gate of the language: no text gets phrases that a reader has to translate back (CONTRIBUTING.md)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.words import (
    BASELINE,
    SCOPES,
    UPDATE,
    WORDS,
    Hit,
    Rule,
    Text,
    WordList,
    baseline,
    changed_lines,
    counted,
    gate,
    last_update,
    lowered,
    new_subjects,
    over,
    report,
    texts,
)

LIST = WordList.read()


def test_the_language_of_the_tree_gets_no_worse(capsys: pytest.CaptureFixture[str]) -> None:
    """No rule is broken more often than the baseline allows, and no new commit subject breaks one.

    A count that fell doesn't fail the test; it prints the command that tightens the baseline.
    """
    read = list(texts())
    sizes = Counter(text.scope for text in read if text.scope != "commits")
    assert set(sizes) == {*SCOPES} - {"commits"}
    assert min(sizes.values()) > 100
    hits = [hit for text in read for hit in LIST.hits(text)]
    found = report(hits, baseline())
    assert not found, "\n".join(found)
    if fallen := over(baseline(), counted(hits)):
        better = ", ".join(
            f"{rule} in {scope} {then} → {now}" for (rule, scope), (then, now) in fallen.items()
        )
        with capsys.disabled():
            print(f"\nThe language got better: {better}. Keep it so: {UPDATE}", file=sys.stderr)


# -- the list -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", LIST.rules, ids=lambda rule: rule.id)
def test_a_rule_finds_its_fault_and_nothing_in_its_counterexample(rule: Rule) -> None:
    """Each rule refuses `bad` and accepts `ok`."""
    assert rule.pattern.search(rule.bad)
    assert not rule.pattern.search(rule.ok)


@pytest.mark.parametrize("phrase", LIST.exceptions)
def test_an_exception_accepts_its_phrase_and_no_other(phrase: str) -> None:
    """Each exception is needed, and excuses its phrase alone."""
    there = Text("rulebooks", "rules.md", 1, 1, f"So. {phrase} and so on.")
    refused = list(WordList(LIST.rules, ()).hits(there))
    assert refused
    assert list(LIST.hits(there)) == []
    rule = refused[0].rule
    more = there._replace(words=f"{there.words} {rule.bad}")
    assert rule in [hit.rule for hit in LIST.hits(more)]


# -- what is read ---------------------------------------------------------------------------------------

CATALOGUE = """\
#. A comment that tells.
msgid ""
msgstr "Language: it\\n"

#: somewhere.py:1
msgid ""
"It tells "
"all."
msgstr "Dice tutto."

msgid "{n} tells"
msgid_plural "{n} tell"
msgstr[0] "{n} dice"
msgstr[1] "{n} dicono"
"""

PAGE = """\
# It tells

One paragraph
tells.

```sh
tt tells
```

- `tt join` tells
- `code that tells` is left out

| a row | that tells |
"""

MODULE = '''\
"""It tells.

More: `tells`.
"""
# one comment
# that tells
X = 1  # noqa: tells
Y = 2  # tells
'''


@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        (
            "core/x.po",
            CATALOGUE,
            [
                ("texts", 6, 9, "It tells all."),
                ("it", 6, 9, "Dice tutto."),
                ("texts", 11, 14, "{n} tell"),
                ("texts", 11, 14, "{n} tells"),
                ("it", 11, 14, "{n} dice"),
                ("it", 11, 14, "{n} dicono"),
            ],
        ),
        (
            "README.md",
            PAGE,
            [
                ("pages", 1, 1, "It tells"),
                ("pages", 3, 4, "One paragraph tells."),
                ("pages", 10, 10, "`tt join` tells"),
                ("pages", 11, 11, "X is left out"),
                ("pages", 13, 14, "a row"),
                ("pages", 13, 14, "that tells"),
            ],
        ),
        (
            "core/x.py",
            MODULE,
            [
                ("docstrings", 1, 1, "It tells."),
                ("docstrings", 3, 4, "More: X."),
                ("comments", 5, 6, "one comment that tells"),
                ("comments", 8, 8, "tells"),
            ],
        ),
        ("docs/decisions/0001.md", "It tells\n", [("decisions", 1, 2, "It tells")]),
        ("plugins/x/rules.md", "It tells\n", [("rulebooks", 1, 2, "It tells")]),
        ("plugins/x/rules.it.md", "Dice che\n", [("it", 1, 2, "Dice che")]),
    ],
)
def test_texts_are_read_with_their_lines(
    tmp_path: Path, file: str, content: str, expected: list[tuple[str, int, int, str]]
) -> None:
    """Catalogues, pages, rulebooks, docstrings and comments are read without their code and markup."""
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(content, encoding="utf-8")
    found = list(texts(tmp_path))
    assert [(text.scope, text.first, text.last, text.words) for text in found] == expected
    assert {text.file for text in found} == {file}


def git(folder: Path, *command: str) -> None:
    """Run git in a folder, as somebody."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *command], check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")
def test_only_subjects_since_the_gate_are_read(tmp_path: Path) -> None:
    """Commits before the one that added the list, and merges, keep the subjects they have."""
    git(tmp_path, "init", "--initial-branch=main")
    git(tmp_path, "commit", "--allow-empty", "-m", "Tell all")
    assert new_subjects(tmp_path) == []
    for file in (WORDS, BASELINE):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "The gate, told")
    assert new_subjects(tmp_path) == []
    git(tmp_path, "switch", "-c", "side")
    git(tmp_path, "commit", "--allow-empty", "-m", "x" * 73, "-m", "A body that tells")
    git(tmp_path, "switch", "main")
    git(tmp_path, "commit", "--allow-empty", "-m", "Good news")
    git(tmp_path, "merge", "--no-ff", "-m", "Merge: it tells all", "side")
    assert sorted(new_subjects(tmp_path)) == ["Good news", "x" * 73]
    assert [str(hit) for text in texts(tmp_path) for hit in LIST.hits(text)] == [
        f"commit: commit-length: “73 characters” in “{'x' * 60}…”; write: at most 72 characters"
    ]
    (tmp_path / "README.md").write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "docs: add one")
    (tmp_path / "README.md").write_text("one\ntwo\nthree\n")
    (tmp_path / "new.md").write_text("one\ntwo\n")
    assert changed_lines(tmp_path, last_update(tmp_path)) == {
        ("README.md", 1), ("README.md", 2), ("README.md", 3), ("new.md", 1), ("new.md", 2)
    }  # fmt: skip


def test_a_tree_without_history_has_no_subjects(tmp_path: Path) -> None:
    """A source archive passes: nothing is known of its commits or of what changed."""
    assert new_subjects(tmp_path) == []
    assert (gate(tmp_path), last_update(tmp_path)) == ("", "")
    assert changed_lines(tmp_path, "") == set()


# -- the baseline ---------------------------------------------------------------------------------------


def told(count: int, file: str = "a.md") -> list[Hit]:
    """Return so many hits of the rule `tell` on lines of a page."""
    return [
        hit
        for line in range(count)
        for hit in LIST.hits(Text("pages", file, line + 1, line + 1, f"Line {line} tells all."))
    ]


def test_a_failure_names_phrases_with_file_line_and_replacement(tmp_path: Path) -> None:
    """Without git, some phrases are listed, and the command for all."""
    assert report(told(3), {"tell": {"pages": 3}}, tmp_path) == []
    found = report(told(20), {}, tmp_path)
    assert found[0] == "tell in pages: 20, at most 0:"
    assert found[2] == (
        "  a.md:2: tell: “tells” in “Line 1 tells all.”; write: say, list, show, report, name, describe"
    )
    assert len(found) == 14
    assert found[-1] == "  … and more: python -m tests.words --show tell:pages"


@pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")
@pytest.mark.parametrize("later", ["nothing", "the baseline"])
def test_a_failure_names_only_new_phrases_where_git_knows_them(later: str, tmp_path: Path) -> None:
    """New is what changed since the baseline; where that was written again, since the gate."""
    git(tmp_path, "init")
    for file in (WORDS, BASELINE):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("")
    (tmp_path / "a.md").write_text("one\ntwo\nthree\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "gate")
    (tmp_path / "a.md").write_text("one\nchanged\nthree\n")
    if later == "the baseline":
        (tmp_path / BASELINE).write_text("{}")
        git(tmp_path, "commit", "-am", "update")
    found = report(told(3), {"tell": {"pages": 2}}, tmp_path)
    assert [line.partition(": tell:")[0] for line in found] == [
        "tell in pages: 3, at most 2, new:",
        "  a.md:2",
    ]


def test_a_subject_fails_whatever_the_baseline() -> None:
    """New subjects have no baseline: one phrase is one too many."""
    hits = list(LIST.hits(Text("commits", "commit", 0, 0, "screen: tell all")))
    assert counted(hits) == {}
    assert report(hits, {"tell": {"commits": 9}}) == [
        "commit: tell: “tell” in “screen: tell all”; write: say, list, show, report, name, describe"
    ]


def test_an_update_lowers_and_never_raises() -> None:
    """Counts that fell are written, those that rose are not; a rule without a row takes today's counts."""
    tell, mend = (rule for rule in LIST.rules if rule.id in {"tell", "mend"})
    now = {"tell": {"pages": 3, "texts": 7, "comments": 1}, "mend": {"pages": 2}}
    then = {"tell": {"pages": 5, "texts": 6, "docstrings": 4}, "gone": {"pages": 1}}
    assert lowered(then, now, (tell, mend)) == {"tell": {"pages": 3, "texts": 6}, "mend": {"pages": 2}}
    assert over(now, then) == {
        ("tell", "texts"): (7, 6),
        ("tell", "comments"): (1, 0),
        ("mend", "pages"): (2, 0),
    }
