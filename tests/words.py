"""The gate of the language: phrases that a reader has to translate back, counted over every text of the tree.

`words.toml` holds the rules and their exceptions, `words_baseline.json` the count of each rule in each scope.
A count may fall, never rise, and commit subjects since the gate have none at all.

    python -m tests.words                       print the counts
    python -m tests.words --show tell:pages     print the places of a rule, in all scopes or in one
    python -m tests.words --update              lower the baseline to today's counts
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
WORDS: Final = Path("tests/words.toml")
BASELINE: Final = Path("tests/words_baseline.json")
UPDATE: Final = "python -m tests.words --update"
ENGLISH: Final = ("texts", "pages", "decisions", "rulebooks", "docstrings", "comments", "commits")
SCOPES: Final = (*ENGLISH, "it")
SHOWN: Final = 12
"""How many places a failure names for one rule."""

Counts = dict[str, dict[str, int]]
"""By rule and scope."""


class Text(NamedTuple):
    """A paragraph, message, comment or subject, without its markup, and the lines it comes from."""

    scope: str
    file: str
    first: int
    last: int
    words: str

    @property
    def lines(self) -> set[tuple[str, int]]:
        """File and number of each line."""
        return {(self.file, line) for line in range(self.first, self.last + 1)}


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what to write instead; `bad` is caught by it, `ok` is not."""

    id: str
    pattern: re.Pattern[str]
    use: str
    bad: str
    ok: str
    scopes: tuple[str, ...]


class Hit(NamedTuple):
    """A phrase that a rule refuses, by its place in the text."""

    rule: Rule
    text: Text
    start: int
    end: int

    def __str__(self) -> str:
        """Return where it is, the phrase among its neighbours, and what to write instead."""
        text, rule = self.text, self.rule
        where = f"{text.file}:{text.first}" if text.first else text.file
        phrase = text.words[self.start : self.end] or f"{len(text.words)} characters"
        begin, end = max(0, self.start - 60), self.end + 60
        around = f"{'…' * (begin > 0)}{text.words[begin:end]}{'…' * (end < len(text.words))}"
        return f"{where}: {rule.id}: “{phrase}” in “{around}”; write: {rule.use}"


class WordList(NamedTuple):
    """The rules, and whole phrases that none of them refuses."""

    rules: tuple[Rule, ...]
    exceptions: tuple[str, ...]

    @classmethod
    def read(cls) -> WordList:
        """Return the list of `words.toml`."""
        found = tomllib.loads((ROOT / WORDS).read_text(encoding="utf-8"))
        return cls(
            tuple(
                Rule(
                    **{**row, "pattern": re.compile(row["pattern"]), "scopes": (*row.get("scopes", ENGLISH),)}
                )
                for row in found["rule"]
            ),
            tuple(row["phrase"] for row in found["exception"]),
        )

    def hits(self, text: Text) -> Iterator[Hit]:
        """Yield each phrase of a text that a rule of its scope refuses."""
        for rule in self.rules:
            if text.scope in rule.scopes:
                for found in rule.pattern.finditer(text.words):
                    start = found.end() - len(found[0].lstrip(" .:;!"))  # what ends the sentence before it
                    end = start + len(found[0].strip(" .:;!"))
                    if not self._excepted(text.words, start, end):
                        yield Hit(rule, text, start, end)

    def _excepted(self, words: str, start: int, end: int) -> bool:
        return any(
            words.startswith(phrase, at)
            for phrase in self.exceptions
            for at in range(max(0, end - len(phrase)), start + 1)
        )


# -- the texts of the tree ------------------------------------------------------------------------------


def texts(root: Path = ROOT) -> Iterator[Text]:
    """Yield every text under the gate: catalogues, pages, rulebooks, docstrings, comments, new subjects."""
    readers = (
        (_catalogue, "texts", ("core/**/*.po", "plugins/**/*.po", "examples/**/*.po")),
        (
            _page,
            "pages",
            (
                "*.md",
                "docs/*.md",
                "docs/games/*.md",
                "docs/reference/*.md",
                "benchmarks/*.md",
                "examples/*/*.md",
            ),
        ),
        (_page, "decisions", ("docs/decisions/*.md",)),
        (_page, "rulebooks", ("plugins/**/rules.md", "examples/games/*/rules.md")),
        (_page, "it", ("plugins/**/rules.it.md", "examples/games/*/rules.it.md", "docs/*.it.md")),
        (_code, "docstrings", ("core/**/*.py", "protocol/**/*.py", "plugins/**/*.py")),
    )
    for read, scope, patterns in readers:
        for path in sorted(chain.from_iterable(map(root.glob, patterns))):
            if path.name.endswith(".it.md") and scope != "it":
                continue
            file, content = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
            yield from read(scope, file, content)
    for subject in new_subjects(root):
        yield Text("commits", "commit", 0, 0, subject)


def _catalogue(scope: str, file: str, content: str) -> Iterator[Text]:
    """Yield the messages of a catalogue, and its translations as Italian."""
    first, field = 0, ""
    entry: dict[str, str] = {}
    for number, line in enumerate([*content.split("\n"), ""], 1):
        if line.startswith("#"):
            continue
        if begun := re.match(r'(msgid_plural|msgid|msgctxt|msgstr(?:\[\d\])?) "(.*)"$', line):
            field = begun[1]
            first = first or number
            entry[field] = json.loads(f'"{begun[2]}"')
        elif field and line.startswith('"'):
            entry[field] += json.loads(line)
        elif not line.strip():
            if entry.get("msgid"):
                ids = {words for key, words in entry.items() if key.startswith("msgid")}
                translations = {words for key, words in entry.items() if key.startswith("msgstr") and words}
                yield from (Text(scope, file, first, number - 1, words) for words in sorted(ids))
                yield from (Text("it", file, first, number - 1, words) for words in sorted(translations))
            first, field, entry = 0, "", {}


def _page(scope: str, file: str, content: str) -> Iterator[Text]:
    """Yield paragraphs, list items, table cells and headings, without code and the targets of links."""
    drawn = (
        r"<!-- (?!attacks)([\w.-]+) -->\n.*?<!-- end of \1 -->"  # read where it comes from: docstrings, texts
    )
    for hidden in (drawn, r"^ *```.*?^ *```$", r"<!--.*?-->", r"^\[[^\]]+\]:.*$"):
        content = re.sub(
            hidden, lambda found: "\n" * found[0].count("\n"), content, flags=re.MULTILINE | re.DOTALL
        )
    content = re.sub(r"!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])", r"\1", content)
    content = re.sub(r"`([^`\n]*(?:\n[^`\n]+)?)`", _code_span, content)
    for first, block in _split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|\n(?=#)", content):
        for cell in block.split("|") if block.lstrip().startswith("|") else [block]:
            words = _plain(re.sub(r"^\s*(?:#+|[-*]|\d+\.)\s+|\*\*", "", cell))
            if len(words) > 3:
                yield Text(scope, file, first, first + block.count("\n"), words)


def _code_span(found: re.Match[str]) -> str:
    """Keep the commands that a person runs: "say `tt join`" is a fault; other code is just a noun."""
    is_command = found[1].startswith(("tt ", ".venv", "sudo ", "pip "))
    return found[0] if is_command else "X" + "\n" * found[0].count("\n")


def _code(scope: str, file: str, content: str) -> Iterator[Text]:
    """Yield the paragraphs of docstrings, and comments; those on lines of their own are read together."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            match node.body[0]:
                case ast.Expr(ast.Constant(str(docstring)), lineno=line):
                    for first, part in _split(r"\n\s*\n|\n(?=\s*\w+: )", docstring):
                        if words := _plain(re.sub(r"`[^`]*`", "X", part)):
                            yield Text(
                                scope, file, line + first - 1, line + first - 1 + part.count("\n"), words
                            )
    first, last, words = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(noqa|type:|pragma|!|--)", token.string):
            (row, _), comment = token.start, token.string.lstrip("# ")
            if row == last + 1 and token.line.lstrip().startswith("#"):
                last, words = row, f"{words} {comment}"
                continue
            if words:
                yield Text("comments", file, first, last, words)
            first, last, words = row, row, comment
    if words:
        yield Text("comments", file, first, last, words)


def _split(separator: str, content: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text, each with the number of its first line."""
    line, start = 1, 0
    for found in re.finditer(separator, content):
        yield line, content[start : found.start()]
        line += content.count("\n", start, found.end())
        start = found.end()
    yield line, content[start:]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


# -- what git knows -------------------------------------------------------------------------------------


def _git(root: Path, *command: str) -> str:
    """Return what git prints, or nothing where there's no git or no history."""
    try:
        return subprocess.run(
            ["git", "-C", str(root), *command], capture_output=True, encoding="utf-8", check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def gate(root: Path) -> str:
    """Return the commit that added `words.toml`; "" where git doesn't know it."""
    return "".join(_git(root, "log", "--diff-filter=A", "--format=%H", "--", WORDS.as_posix()).split()[-1:])


def last_update(root: Path) -> str:
    """Return the commit that wrote the baseline last; "" where git doesn't know it."""
    return _git(root, "log", "-1", "--format=%H", "--", BASELINE.as_posix()).strip()


def new_subjects(root: Path) -> list[str]:
    """Return the subjects of the commits since the gate, without those of merges."""
    since = gate(root)
    return _git(root, "log", "--no-merges", "--format=%s", f"{since}..HEAD").splitlines() if since else []


def changed_lines(root: Path, since: str) -> set[tuple[str, int]]:
    """Return file and line of all that changed since a commit, or appeared without being committed."""
    found: set[tuple[str, int]] = set()
    file = ""
    for line in _git(root, "diff", "--unified=0", "--no-ext-diff", since).splitlines() if since else []:
        if line.startswith("+++ "):
            file = line[4:].removeprefix("b/")
        elif hunk := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            found.update((file, int(hunk[1]) + more) for more in range(int(hunk[2] or 1)))
    for file in _git(root, "ls-files", "--others", "--exclude-standard").splitlines():
        found.update((file, line + 1) for line in range((root / file).read_bytes().count(b"\n")))
    return found


# -- the baseline ---------------------------------------------------------------------------------------


def counted(hits: Iterable[Hit]) -> Counts:
    """Return how often each rule was broken in each scope, commits left out: they have no baseline."""
    found = Counter((hit.rule.id, hit.text.scope) for hit in hits if hit.text.scope != "commits")
    counts: Counts = {}
    for (rule, scope), number in sorted(found.items()):
        counts.setdefault(rule, {})[scope] = number
    return counts


def baseline() -> Counts:
    """Return the counts that must not rise."""
    return dict(json.loads((ROOT / BASELINE).read_text(encoding="utf-8")))


def over(now: Mapping[str, Mapping[str, int]], then: Counts) -> dict[tuple[str, str], tuple[int, int]]:
    """Return rule and scope of each count in `now` that is greater than in `then`, with both counts."""
    return {
        (rule, scope): (number, most)
        for rule, row in now.items()
        for scope, number in row.items()
        if number > (most := then.get(rule, {}).get(scope, 0))
    }


def lowered(then: Counts, now: Counts, rules: Iterable[Rule]) -> Counts:
    """Return the new baseline: no count above the old one, but for rules that had no row and take today's."""
    return {
        rule.id: {
            scope: min(number, then[rule.id].get(scope, 0)) if rule.id in then else number
            for scope, number in now.get(rule.id, {}).items()
            if rule.id not in then or scope in then[rule.id]
        }
        for rule in rules
    }


def report(hits: list[Hit], then: Counts, root: Path = ROOT) -> list[str]:
    """Return the lines of a failure: each count that rose, with its new phrases if git knows them.

    New are those on lines that changed since the baseline; if there are none, since the gate.
    """
    lines = [str(hit) for hit in hits if hit.text.scope == "commits"]
    risen = over(counted(hits), then)
    changes = [changed_lines(root, commit) for commit in (last_update(root), gate(root))] if risen else []
    for (rule, scope), (number, most) in risen.items():
        places = [hit for hit in hits if (hit.rule.id, hit.text.scope) == (rule, scope)]
        new = next(filter(None, ([hit for hit in places if hit.text.lines & lines] for lines in changes)), [])
        lines.append(f"{rule} in {scope}: {number}, at most {most}{', new' if new else ''}:")
        lines += [f"  {hit}" for hit in (new or places)[:SHOWN]]
        if len(new or places) > SHOWN:
            lines.append(f"  … and more: python -m tests.words --show {rule}:{scope}")
    return lines


def _table(rules: Iterable[Rule], now: Counts) -> Iterator[str]:
    scopes = [scope for scope in SCOPES if scope != "commits"]
    yield f"{'':20}" + "".join(f"{scope:>11}" for scope in scopes)
    for rule in rules:
        row = now.get(rule.id, {})
        yield f"{rule.id:20}" + "".join(
            f"{row.get(scope, 0) if scope in rule.scopes else '':>11}" for scope in scopes
        )
    totals = [sum(row.get(scope, 0) for row in now.values()) for scope in scopes]
    yield f"{'all':20}" + "".join(f"{total:>11}" for total in totals)


def main() -> int:
    """Print counts or places, or lower the baseline; return 1 if a count is above it."""
    parser = argparse.ArgumentParser(description="Count the phrases that tests/words.toml refuses.")
    parser.add_argument("--show", metavar="RULE[:SCOPE]", help="print the places of a rule")
    parser.add_argument("--update", action="store_true", help="lower the baseline to today's counts")
    options = parser.parse_args()
    words = WordList.read()
    hits = [hit for text in texts() for hit in words.hits(text)]
    if options.show:
        places = [hit for hit in hits if options.show in {hit.rule.id, f"{hit.rule.id}:{hit.text.scope}"}]
        print("\n".join(map(str, places)))
        return 0
    now, then = counted(hits), baseline() if (ROOT / BASELINE).exists() else {}
    if options.update:
        then = lowered(then, now, words.rules)
        (ROOT / BASELINE).write_text(f"{json.dumps(then, indent=1)}\n", encoding="utf-8", newline="\n")
    else:
        print("\n".join(_table(words.rules, now)))
    found = report(hits, then)
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
