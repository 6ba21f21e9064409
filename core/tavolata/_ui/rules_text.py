"""Chapters of a text of rules in Markdown, by their headings. Pure."""

from __future__ import annotations

from tavolata.errors import Refused
from tavolata.messages import N_


def chapter(text: str, topic: str) -> str:
    """The chapter of a text whose heading is, begins with or contains the topic, in this order.

    Raises:
        Refused: no heading does; the sentence lists them all.
    """
    lines = text.splitlines()
    headings = [(at, *_heading(line)) for at, line in enumerate(lines) if _heading(line)[0]]
    wanted = topic.casefold().strip()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        for at, level, title in headings:
            if fits(title.casefold(), wanted):
                ends = [later for later, depth, _ in headings if later > at and depth <= level]
                return "\n".join(lines[at : ends[0] if ends else None])
    raise Refused(
        N_("There is no chapter {topic}; there are: {known}."), topic=topic, known=", ".join(topics(text))
    )


def topics(text: str) -> list[str]:
    """The headings of a text."""
    return [title for level, title in map(_heading, text.splitlines()) if level]


def _heading(line: str) -> tuple[int, str]:
    marks = len(line) - len(line.lstrip("#"))
    return (marks, line[marks:].strip()) if 1 <= marks <= 6 and line[marks : marks + 1] == " " else (0, "")
