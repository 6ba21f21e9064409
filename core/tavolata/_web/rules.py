"""The rules of a game as data for a page: headings, paragraphs, items and rows of runs. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

Json = dict[str, Any]
_PART = {"strong": "b", "em": "em", "code_inline": "b"}


def rules_data(text: str) -> list[Json]:
    """Return the blocks of a text in Markdown, in order.

    A block has `tag` ("h1" to "h6", "p", "li", "pre", "th" or "td") and `cells`, each a list of runs `[tag,
    text]`, with "", "b" or "em" as tag. An item also has `mark`, and `deep`, its depth from 0.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most tables never show the rules
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - as above

    return list(_blocks(SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text))))


def _blocks(node: SyntaxTreeNode, mark: str = "", deep: int = 0) -> Iterator[Json]:
    for child in node.children:
        match child.type:
            case "heading":
                yield {"tag": child.tag, "cells": [_runs(child)]}
            case "paragraph" if mark:
                yield {"tag": "li", "cells": [_runs(child)], "mark": mark, "deep": deep}
                mark = "\N{NO-BREAK SPACE}"  # a second paragraph of the same item
            case "paragraph":
                yield {"tag": "p", "cells": [_runs(child)]}
            case "bullet_list" | "ordered_list":
                for number, item in enumerate(child.children, int(child.attrs.get("start", 1))):
                    sign = "•" if child.type == "bullet_list" else f"{number}."
                    yield from _blocks(item, sign, deep + bool(mark))
            case "table":
                for row in (row for part in child.children for row in part.children):
                    yield {"tag": row.children[0].tag, "cells": [_runs(cell) for cell in row.children]}
            case "fence" | "code_block":
                yield {"tag": "pre", "cells": [[["", child.content.rstrip()]]]}
            case "hr" | "html_block":
                pass
            case _:  # a quotation
                yield from _blocks(child, mark, deep)


def _runs(node: SyntaxTreeNode, tag: str = "") -> list[list[str]]:
    runs: list[list[str]] = []
    for child in node.children:
        if child.type in ("softbreak", "hardbreak"):
            runs.append([tag, " "])
        elif child.type in ("text", "code_inline"):
            runs.append([_PART.get(child.type, tag), child.content])
        else:
            runs += _runs(child, _PART.get(child.type, tag))
    return [run for run in runs if run[1]]
