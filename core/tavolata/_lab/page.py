"""A report as one HTML file: plots are SVG inside it, and it asks for nothing outside. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tavolata._lab.blocks import Bars, Block, Chapter, Curves, Paragraph, Tabulation, number

WIDTH, VALUE, ROW = 640, 90, 26
LETTER = 12
"""The width of a letter on a phone, where a plot is half as wide and its text twice as large."""
HEIGHT = 220
_COLOURS = tuple(f"var(--line-{number})" for number in range(1, 5))
STYLE = """
:root { color-scheme: light dark; --line: #8886;
  --line-1: #00796b; --line-2: #b85c00; --line-3: #3949ab; --line-4: #ad1457; }
@media (prefers-color-scheme: dark) {
  :root { --line-1: #26a69a; --line-2: #ffa040; --line-3: #8c9eff; --line-4: #f48fb1; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .7rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; } td:nth-child(2):last-child { white-space: nowrap; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
svg { max-width: 100%; height: auto; } svg text { fill: currentColor; font: 13px system-ui, sans-serif; }
@media (max-width: 560px) {
  svg text { font-size: 22px; } table { font-size: 14px; } th, td { padding: .2rem .3rem; } }
"""


def page(title: str, chapters: Iterable[Chapter], lang: str) -> str:
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
    label = min(WIDTH // 2, 20 + LETTER * max((len(bar.label) for bar in block.bars), default=0))
    scale = (WIDTH - label - VALUE) / block.top
    parts = []
    for at, bar in enumerate(block.bars):
        y, end = at * ROW + 4, label + max(0.0, bar.high) * scale
        parts.append(_text(label - 8, y + 14, bar.label, "end"))
        parts.append(
            f'<rect x="{label}" y="{y}" width="{max(0.0, bar.value) * scale:.1f}" height="{ROW - 8}" '
            f'style="fill:{_COLOURS[0]}" opacity=".75"/>'
        )
        parts.append(
            _line(
                label + max(0.0, bar.low) * scale, y + 9, end, y + 9,
                'stroke="currentColor" stroke-width="2"',
            )
        )  # fmt: skip
        parts.append(_text(end + 6, y + 14, number(bar.value) + block.unit))
    height = len(block.bars) * ROW + 8
    if block.mark is not None:
        x = label + block.mark * scale
        parts.append(
            _line(x, 0, x, height, f'style="stroke:{_COLOURS[1]}" stroke-dasharray="5 4" stroke-width="2"')
        )
        said = f"{block.marked}: {number(block.mark)}{block.unit}"
        reach = len(said) * LETTER / 2
        parts.append(_text(max(reach, min(x, WIDTH - reach)), height + 18, said, "middle"))
        height += 24
    return _svg(height, block.title, parts)


def _curves(block: Curves) -> str:
    low, high = block.reach
    left, right, top, bottom = 84, 20, 18, 24  # on a phone the number at the top line is 22 px high
    room, tall = WIDTH - left - right, HEIGHT - bottom - top

    def y(value: float) -> float:
        return top + tall * (high - value) / (high - low)

    parts = [
        _line(left, y(value), WIDTH - right, y(value), 'stroke="currentColor" opacity=".3"')
        for value in (low, high)
    ]
    parts += [_text(left - 8, y(value) + 4, number(value), "end") for value in (low, high)]
    parts += [_text(left, HEIGHT - 6, "0%"), _text(WIDTH - right, HEIGHT - 6, "100%", "end")]
    legend, each = list[str](), (WIDTH - left) / max(1, len(block.lines))
    for at, (name, line) in enumerate(block.lines):
        points = " ".join(
            f"{left + room * place / max(1, len(line) - 1):.1f},{y(one):.1f}"
            for place, one in enumerate(line)
        )
        dash = "" if at == 0 else ' stroke-dasharray="7 4"'
        look = f'style="stroke:{_COLOURS[at % len(_COLOURS)]}" stroke-width="2.5"{dash}'
        parts.append(f'<polyline points="{points}" fill="none" {look}/>')
        x = left + at * each
        legend += [_line(x, HEIGHT + 12, x + 24, HEIGHT + 12, look), _text(x + 30, HEIGHT + 18, name)]
    return _svg(HEIGHT + 24, block.title, [*parts, *legend])
