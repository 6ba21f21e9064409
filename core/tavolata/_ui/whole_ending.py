"""The end of a match in lines, with all that the screen shows: the order of all, every award, the course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tavolata._engine.match.match import Match
from tavolata._engine.match.statistics import time_awards
from tavolata._engine.match.updates import Ended
from tavolata._ui.endings import AWARD, AWARD_WHY, PLACES, ending_lines, of_one
from tavolata._ui.words import Words
from tavolata.messages import N_
from tavolata.ring import SEATS

COURSE = N_("{title} for {seat} during the match: {numbers}.")
MOST = 8
"""The most numbers of a course that are said, at equal distances; a screen draws all."""


def whole_ending(
    ended: Ended, match: Match | None, words: Words, series: Mapping[int, Mapping[int, int]]
) -> list[str]:
    """Return the lines of a result with what the table adds to it.

    `match` is None if it's gone; `series` has, by seat, the main number by turn.
    """
    if match is None or ended.outcome is None:
        return ending_lines(ended, words)
    from tavolata._ui.scene.cast import Cast  # noqa: PLC0415
    from tavolata._ui.scene.make import make_scene  # noqa: PLC0415
    from tavolata._ui.scene.say import SceneWords  # noqa: PLC0415
    from tavolata._ui.scene.viewpoint import Viewpoint  # noqa: PLC0415 - at the end only, to begin sooner

    view = match.view(None)
    viewpoint = Viewpoint(
        words.lang, "", match.terms.names, phase="end", end=ended, turn=match.turns,
        series={seat: tuple(by.values()) for seat, by in series.items()},
    )  # fmt: skip
    scene = make_scene(view, view.zones().values(), viewpoint, SceneWords(words, view), Cast())
    assert scene.end is not None
    lines = []
    if ended.outcome.scores is None and ended.outcome.ranks is None:
        rows = (
            f"{one.place} {words.describe(SEATS[one.seat])}" + (f" ({one.text})" if one.text else "")
            for one in scene.end.order
        )
        lines.append(words.text(PLACES, {"places": ", ".join(rows)}))
    own = {
        (int(award.seat), words.text(award.message, award.params))
        for award in (*of_one(ended.outcome.awards), *time_awards(ended.statistics))
    }
    for award in scene.end.awards:
        if (award.seat, award.title) not in own:
            told = {"title": award.title, "seat": SEATS[award.seat], "why": award.why}
            lines.append(words.text(AWARD_WHY if award.why else AWARD, told))
    for panel in scene.panels:
        if scene.end.course and len(set(panel.series)) > 1:
            told = {"title": scene.end.course, "seat": SEATS[panel.seat]}
            lines.append(words.text(COURSE, {**told, "numbers": ", ".join(map(str, thinned(panel.series)))}))
    return ending_lines(ended, words, lines)


def thinned(numbers: Sequence[int]) -> list[int]:
    """Return at most `MOST` of these numbers at equal distances, the first and the last among them."""
    if len(numbers) <= MOST:
        return list(numbers)
    return [numbers[at * (len(numbers) - 1) // (MOST - 1)] for at in range(MOST)]
