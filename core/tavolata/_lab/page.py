"""A report as one HTML file: plots are SVG inside it, and it asks for nothing outside. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tavolata._lab.blocks import Bars, Block, Chapter, Curves, Paragraph, Tabulation, number

WIDTH, LABEL, ROW = 640, 190, 26
HEIGHT = 220
_COLOURS = ("#00695c", "#b85c00", "#3949ab", "#ad1457")
STYLE = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .7rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
svg { max-width: 100%; height: auto; } svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
"""


def page(title: str, chapters: Iterable[Chapter], lang: str) -> str:
    """The whole file.

    Args:
        title: its title.
        chapters: what stands in it.
        lang: the language of its words.
    """
    body = "\n".join(
        f"<section><h2>{escape(one.title)}</h2>\n{''.join(map(_block, one.blocks))}</section>"
        for one in chapters
    )
    return (
        f'<!doctype html>\n<html lang="{escape(lang)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        f"{body}\n</body></html>\n"
    )


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>\n"
    if isinstance(block, Tabulation):
        head = "".join(f"<th>{escape(one)}</th>" for one in block.headings)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(one)}</td>" for one in row) + "</tr>" for row in block.rows
        )
        caption = f"<caption>{escape(block.title)}</caption>" if block.title else ""
        return f"<table>{caption}<tr>{head}</tr>{rows}</table>\n"
    drawn = _bars(block) if isinstance(block, Bars) else _curves(block)
    return f"<figure><figcaption>{escape(block.title)}</figcaption>{drawn}</figure>\n"


def _svg(height: float, label: str, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, said: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, look: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {look}/>'


def _bars(block: Bars) -> str:
    room = WIDTH - LABEL - 90
    scale = room / block.top
    parts = []
    for at, bar in enumerate(block.bars):
        y = at * ROW + 4
        parts.append(_text(LABEL - 8, y + 14, bar.label, "end"))
        parts.append(
            f'<rect x="{LABEL}" y="{y}" width="{max(0.0, bar.value) * scale:.1f}" height="{ROW - 8}" '
            f'fill="{_COLOURS[0]}" opacity=".75"/>'
        )
        parts.append(
            _line(
                LABEL + max(0.0, bar.low) * scale, y + 9, LABEL + bar.high * scale, y + 9,
                'stroke="currentColor" stroke-width="2"',
            )
        )  # fmt: skip
        parts.append(_text(LABEL + bar.high * scale + 6, y + 14, number(bar.value) + block.unit))
    height = len(block.bars) * ROW + 8
    if block.mark is not None:
        x = LABEL + block.mark * scale
        parts.append(
            _line(x, 0, x, height, f'stroke="{_COLOURS[1]}" stroke-dasharray="5 4" stroke-width="2"')
        )
        parts.append(_text(x, height + 14, f"{block.marked}: {number(block.mark)}{block.unit}", "middle"))
        height += 20
    return _svg(height, block.title, parts)


def _curves(block: Curves) -> str:
    low, high = block.reach
    left, right, bottom = 60, 20, 24
    room, tall = WIDTH - left - right, HEIGHT - bottom - 10

    def y(value: float) -> float:
        return 10 + tall * (high - value) / (high - low)

    parts = [
        _line(left, y(value), WIDTH - right, y(value), 'stroke="currentColor" opacity=".3"')
        for value in (low, high)
    ]
    parts += [_text(left - 8, y(value) + 4, number(value), "end") for value in (low, high)]
    parts += [_text(left, HEIGHT - 6, "0 %"), _text(WIDTH - right, HEIGHT - 6, "100 %", "end")]
    for at, (_, line) in enumerate(block.lines):
        colour = _COLOURS[at % len(_COLOURS)]
        points = " ".join(
            f"{left + room * place / max(1, len(line) - 1):.1f},{y(one):.1f}"
            for place, one in enumerate(line)
        )
        dash = "" if at == 0 else ' stroke-dasharray="7 4"'
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"{dash}/>')
    parts += _legend([name for name, _ in block.lines])
    return _svg(HEIGHT + 20, block.title, parts)


def _legend(names: Sequence[str]) -> list[str]:
    each = (WIDTH - 60) / max(1, len(names))
    parts = []
    for at, name in enumerate(names):
        x, colour = 60 + at * each, _COLOURS[at % len(_COLOURS)]
        dash = "" if at == 0 else ' stroke-dasharray="7 4"'
        parts.append(
            _line(x, HEIGHT + 10, x + 24, HEIGHT + 10, f'stroke="{colour}" stroke-width="2.5"{dash}')
        )
        parts.append(_text(x + 30, HEIGHT + 14, name))
    return parts
