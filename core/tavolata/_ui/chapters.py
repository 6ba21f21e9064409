"""The chapters of a Markdown text, found by their headings. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tavolata.errors import Refused
from tavolata.messages import N_


class Heading(NamedTuple):
    line: int
    level: int
    title: str


def chapter(text: str, topic: str) -> str:
    """Return the chapter whose heading equals, begins with or contains the topic, tried in this order.

    Of a chapter and the whole, which can have the same name, the chapter is meant. Raise `Refused`, which
    lists all headings, if none matches.
    """
    headings = list(_headings(text))
    wanted = topic.casefold().strip()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        for one in sorted(headings, key=lambda heading: heading.level == 1):
            if fits(one.title.casefold(), wanted):
                ends = [
                    later.line for later in headings if later.line > one.line and later.level <= one.level
                ]
                return "\n".join(text.splitlines()[one.line : ends[0] if ends else None])
    raise Refused(
        N_("There is no chapter {topic}; there are: {known}."), topic=topic, known=", ".join(topics(text))
    )


def topics(text: str) -> list[str]:
    """Return the headings of a text, each once: a chapter can have the name of the whole."""
    return list(dict.fromkeys(one.title for one in _headings(text)))


def _headings(text: str) -> Iterator[Heading]:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most matches don't show the rules

    tokens = MarkdownIt("commonmark").parse(text)
    for opened, inline in pairwise(tokens):
        if opened.type == "heading_open" and opened.map is not None:
            yield Heading(opened.map[0], int(opened.tag[1:]), inline.content)
