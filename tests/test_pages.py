"""The pages of docs/ stay short: each has a budget of words, and none grows beyond it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

DOCS: Final = Path(__file__).parents[1] / "docs"
NEW: Final = 700
"""The words of a page without a row below; of a decision, `DECISION`."""
DECISION: Final = 260
LONGEST: Final = 80
"""The words of a paragraph, on a page that has been rewritten."""

BUDGETS: Final = {
    # as the structure of the documentation has them
    "index.md": 150,
    "install.md": 500,
    "first-evening.md": 600,
    "host-a-table.md": 750,
    "phones.md": 550,
    "internet.md": 650,
    "replay-and-review.md": 500,
    "away-and-back.md": 550,
    "fairness.md": 780,
    "command-line.md": 950,
    "architecture.md": 1200,
    "protocol.md": 3425,
    "testing.md": 1395,
    "writing-games.md": 800,
    "recipes.md": 1580,
    "zones.md": 860,
    "testing-games.md": 753,
    "screen.md": 550,
    "simulating.md": 770,
    "decisions/README.md": 60,
    # longer than meant: a proof, a format or an example has to be whole, in sentences that can be read
    "security-argument.md": 5015,
    "fair-dealing-wire.md": 4040,
    "agreed-log.md": 3600,
    "reference/game.md": 1080,
    "reference/pieces.md": 990,
    "reference/questions.md": 920,
}
"""By page, the most words outside of the parts that are drawn from code, and of front matter.

A page that says more leaves something out, or another page takes it. Raise a number only with a reason.
"""


TOTAL: Final = 49_900
"""The most words of all English pages together; the plan of the documentation allows 50,000."""


def words(page: str) -> int:
    """Return the number of words in the text of a page that people write."""
    text = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
    text = re.sub(r"<!-- ([\w.-]+) -->\n.*?<!-- end of \1 -->", "", text, flags=re.DOTALL)
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


def budget(page: str) -> int:
    """Return the most words that a page of docs/ may have."""
    return BUDGETS.get(page, DECISION if page.startswith("decisions/0") else NEW)


PAGES: Final = sorted(
    path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if not path.name.endswith(".it.md")
)


@pytest.mark.parametrize("page", PAGES)
def test_no_page_grows_beyond_its_budget(page: str) -> None:
    """A page has at most as many words as its budget, parts that are drawn from code left out."""
    found = words((DOCS / page).read_text(encoding="utf-8"))
    assert found <= budget(page), f"{page} has {found} words, at most {budget(page)}: say less, or elsewhere"


def test_all_pages_together_do_not_grow() -> None:
    """What one page gives up, no other one takes."""
    found = sum(words((DOCS / page).read_text(encoding="utf-8")) for page in PAGES)
    assert found <= TOTAL, f"docs/ has {found} words, at most {TOTAL}"


def test_words_are_counted_without_front_matter_signs_and_drawn_parts() -> None:
    """Only words of people count: not the bars of a table, nor what code has drawn."""
    page = (
        "---\nreader: player\n---\n\n# One\n\n| two | - |\n<!-- x -->\nno more\n<!-- end of x -->\nthree.\n"
    )
    assert words(page) == 3
    assert set(BUDGETS) <= set(PAGES)


def paragraphs(page: str) -> list[str]:
    """Return the paragraphs and items of a page, without code, tables and parts that are drawn."""
    text = re.sub(r"\A---\n.*?\n---\n", "", page, flags=re.DOTALL)
    text = re.sub(r"<!-- ([\w.-]+) -->\n.*?<!-- end of \1 -->", "", text, flags=re.DOTALL)
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    items = (
        item for block in re.split(r"\n\s*\n", text) for item in re.split(r"\n(?=\s*(?:[-*]|\d+\.) )", block)
    )
    return [item for item in items if not re.match(r"\s*\||    ", item)]


REWRITTEN: Final = (
    "agreed-log.md", "architecture.md", "command-line.md", "fair-dealing-wire.md", "fairness.md",
    "laboratory.md", "measures.md", "ndjson.md", "protocol.md", "security-argument.md", "simulating.md",
    "testing.md", "training.md",
)  # fmt: skip


@pytest.mark.parametrize("page", REWRITTEN)
def test_a_paragraph_has_one_idea(page: str) -> None:
    """No paragraph of a rewritten page has more words than anyone reads at once."""
    found = paragraphs((DOCS / page).read_text(encoding="utf-8"))
    assert len(found) > 5
    assert [" ".join(one.split()[:8]) for one in found if len(one.split()) > LONGEST] == []


ITALIAN: Final = sorted(DOCS.glob("*.it.md"))
TWINS: Final = {
    "away-and-back", "fairness", "first-evening", "host-a-table", "install", "internet", "phones", "playing",
    "replay-and-review", "troubleshooting",
}  # fmt: skip
"""The pages for players that tell a story; the keys, words and commands are drawn in English alone."""


def shape(path: Path) -> dict[str, list[object]]:
    """Return all of a page that doesn't depend on its language, in the order in which it's there."""
    text = path.read_text(encoding="utf-8")
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)", prose)
    return {
        "front matter": re.findall(r"\A---\n.*?\n---\n", text, flags=re.DOTALL),
        "headings": [len(marks) for marks in re.findall(r"^(#+) ", prose, flags=re.MULTILINE)],
        "steps": [len(re.findall(r"^\d+\. ", prose, flags=re.MULTILINE))],
        "items": [len(re.findall(r"^- ", prose, flags=re.MULTILINE))],
        "rows": [len(re.findall(r"^\|", prose, flags=re.MULTILINE))],
        "commands": [
            *re.findall(r"^ *```(?:sh|console)\n(.*?)^ *```$", text, flags=re.MULTILINE | re.DOTALL)
        ],
        "pages": sorted(page.replace(".it.md", ".md") for page, _ in links),
        "parts": sorted(_part(path, page, part) for page, part in links if part),
        "pictures": re.findall(r"pictures/[\w.-]+", text),
    }


def _part(path: Path, page: str, part: str) -> tuple[str, int]:
    """Return the page and the number of the heading that a link leads to, which is the same in its twin."""
    target = path.parent / page if page else path
    lines = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in lines]
    return target.name.replace(".it.md", ".md"), slugs.index(part)


def test_the_pages_for_players_exist_in_italian() -> None:
    """Each page of the list has a twin, and no twin has lost its page."""
    assert {path.name.removesuffix(".it.md") for path in ITALIAN} == TWINS


@pytest.mark.parametrize("twin", ITALIAN, ids=lambda path: path.name)
def test_an_italian_page_follows_its_english_one(twin: Path) -> None:
    """Headings, steps, rows, commands, links and pictures are the same, so that neither lags behind."""
    english, italian = shape(twin.with_name(twin.name.replace(".it.md", ".md"))), shape(twin)
    assert {key: italian[key] for key in english} == english
