"""The report about an experiment: which numbers stand in it, in which order, in a person's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tavolata._lab.blocks import Bar, Bars, Block, Chapter, Curves, Paragraph, Tabulation, number
from tavolata._lab.crew import Experiment
from tavolata._lab.measures import Measures, PairedChange, Ranking, Wins
from tavolata._lab.numbers import Estimate
from tavolata._lab.trial import Trial
from tavolata._ui.match_plan import level_text
from tavolata.messages import N_, NN_

NAMES = {
    "turns": N_("turns"), "answers": N_("questions"), "decisions": N_("decisions"),
    "entries": N_("log entries"),
    "minutes": N_("minutes, estimated"), "magnitude": N_("size of the game tree, as a power of 10"),
    "interjections": N_("interjections"), "words": N_("bot messages"),
    "windows": N_("reaction windows"),
    "reactions": N_("reactions"), "lead_changes": N_("lead changes"),
    "drama": N_("drama: turns with the winner behind"),
    "lead_for_good": N_("point at which the winner takes the lead for good"),
    "decisiveness": N_("decisiveness: share of the match left once decided"),
    "comeback": N_("comebacks: behind at half-time, but won"),
    "last_to_first": N_("last at half-time, but won"),
    "completion": N_("completion: someone wins"), "drawishness": N_("drawishness: no winner, or several"),
    "forced": N_("questions with only one answer"),
}  # fmt: skip
"""The names of the measures for people."""
SHARES = (
    "drama",
    "lead_for_good",
    "decisiveness",
    "comeback",
    "last_to_first",
    "completion",
    "drawishness",
    "forced",
)
"""The measures that are shares, which people read in percent."""
SURE = 0.05
"""What chance does more seldom than this isn't taken for chance."""
TITLE = N_("{game} in the lab")
PLAYED = NN_("{n} match between bots.", "{n} matches between bots.")
STOPPED = N_("Stopped after {n} of {all} matches; the report covers only the ones played.")
SEATS = N_("Bots at the table: {levels}.")
MADE = N_(
    "Made on {date} by {command}, with Tavolata {version} and {game} {game_version} (rules {rules_id}). "
    "Seeds start at {seed}."
)
INTERVALS = N_("Numbers in brackets are 95% confidence intervals.")
WINS, BY_LEVEL, BY_SEAT = N_("Wins"), N_("Wins by bot level"), N_("Wins by seat")
BY_PLACE, PLACE = N_("Wins by place, counted from the first seat drawn"), N_("place {n}")
SEAT, FAIR = N_("seat {n}"), N_("fair share")
PLACE_BETTER = N_(
    "At least one place has an advantage. Chance alone would make wins this uneven in {share} of experiments."
)
NO_PLACE_BETTER = N_(
    "There's no evidence that any place has an advantage. Chance alone would make wins "
    "this uneven in {share} of experiments."
)
LENGTH, DECIDING, COURSE = N_("Length"), N_("Decisions"), N_("Game flow")
POINTS, PLACES = N_("Points"), N_("Rank")
MEASURE, VALUE, LEVEL = N_("Measure"), N_("Value"), N_("Level")
BRANCHING = N_("answers per question (branching factor)")
CHOICE, WIDEST = N_("answers per decision (decision factor)"), N_("most answers to a question")
WHO_LEADS = N_('The player with the most "{count}" counts as leading.')
WHO_LEADS_LESS = N_('The player with the lowest "{count}" counts as leading.')
NOBODY_LEADS = N_("None of this game's per-seat counts shows who is leading.")
RESULTS, SERIES = N_("Points, ranks and statistics"), N_("{title}, over the course of a match")
WINNERS, OTHERS = N_("winners"), N_("others")
COMPARED = N_("Compared")
AGAINST = NN_(
    "{arm} against {first}, in {n} pair of matches", "{arm} against {first}, in {n} pairs of matches"
)
CHANGE = N_("Change")
FAIRER, LESS_FAIR = N_("{arm} is fairer than {first}."), N_("{arm} is less fair than {first}.")
NO_TELLING = N_("There are too few matches to show whether {arm} or {first} is fairer.")
RATINGS, RATING = N_("Ratings"), N_("Points on the Elo scale, 1000 on average (Bradley–Terry)")
BEATS = N_("How often the row's level beats the column's, in %")


Say = Callable[..., str]
"""Puts a message id into words, with its parameters; `domain` is the package that defines it."""


class ReportWriter:
    """Writes the report on an experiment; `made` has the fields of `MADE`."""

    def __init__(self, say: Say, domain: str, experiment: Experiment, made: Mapping[str, object]) -> None:
        self._say, self._domain, self._experiment, self._made = say, domain, experiment, made
        self._scale = 1e-9

    def chapters(
        self,
        measures: Mapping[int, Measures],
        differences: Sequence[PairedChange],
        ranking: Ranking | None,
        *,
        whole: bool,
    ) -> list[Chapter]:
        """Return all chapters, by arm, with other arms' differences from the first, and any ranking.

        `whole`: all matches were played.
        """
        say, arms = self._say, self._experiment.arms
        self._scale = max(
            100 * won.share.high
            for one in measures.values()
            for won in (*one.levels.values(), *one.seats, *one.places)
        )
        played = sum(one.matches for one in measures.values())
        opening = [say(PLAYED, {"n": played})]
        if not whole:
            of = self._experiment.matches * len(arms)
            opening = [say(STOPPED, {"n": played, "all": of})]
        if ranking is None:
            levels = ", ".join(map(self._level, arms[0].levels))
            opening.append(say(SEATS, {"levels": levels}))
        opening.append(say(INTERVALS))
        blocks: list[Block] = [Paragraph(" ".join(opening)), Paragraph(say(MADE, self._made))]
        chapters = [Chapter(say(RATINGS if ranking else COMPARED if len(arms) > 1 else WINS), blocks)]
        if ranking is not None:
            blocks += self._ranking(ranking)
            return chapters
        for one in differences:
            blocks += self._difference(one, measures)
        for number_, one_arm in measures.items():
            if len(arms) > 1:
                name = arms[number_].name
                chapters += [
                    Chapter(f"{name}: {chapter.title}", chapter.blocks) for chapter in self._arm(one_arm)
                ]
            else:
                first, *rest = self._arm(one_arm)
                blocks += first.blocks
                chapters += rest
        return chapters

    def _arm(self, one: Measures) -> list[Chapter]:
        say = self._say
        levels = [(self._level(level), won) for level, won in one.levels.items()]
        seldom = f"{max(0.1, 100 * one.by_chance):.1f}%"
        rivals: list[Block] = [
            self._wins(BY_SEAT, [(say(SEAT, {"n": n}), won) for n, won in enumerate(one.seats, 1)]),
            self._wins(BY_PLACE, [(say(PLACE, {"n": n}), won) for n, won in enumerate(one.places, 1)]),
            Paragraph(say(PLACE_BETTER if one.by_chance < SURE else NO_PLACE_BETTER, {"share": seldom})),
        ]
        wins: list[Block] = [
            *([self._wins(BY_LEVEL, levels)] if len(levels) > 1 else []),  # one level wins whatever happens
            *(rivals if len(one.seats) > 1 else []),
            self._grid({"completion": one.completion, "drawishness": one.drawishness}),
        ]
        length = {
            name: one.means[name] for name in ("turns", "answers", "decisions", "minutes", "interjections",
                                               "words", "windows", "reactions", "entries")
            if one.means[name].high or name == "decisions"
        }  # fmt: skip
        extra = [
            (say(BRANCHING), number(one.branching)),
            (say(CHOICE), number(one.choice)),
            (say(WIDEST), str(one.widest)),
            (say(NAMES["forced"]), self._shown("forced", Estimate(one.forced, one.forced, one.forced))),
        ]
        deciding: list[Block] = [self._grid({"magnitude": one.means["magnitude"]}, extra)]
        if one.leader is None:
            course: list[Block] = [Paragraph(say(NOBODY_LEADS))]
        else:
            counted = say(one.leader.removeprefix("-"), domain=self._domain)
            sentence = WHO_LEADS_LESS if one.leader.startswith("-") else WHO_LEADS
            course = [Paragraph(say(sentence, {"count": counted})), self._grid(one.course)]
        chapters = [Chapter(say(WINS), wins), Chapter(say(LENGTH), [self._grid(length)])]
        if one.widest:
            chapters.append(Chapter(say(DECIDING), deciding))
        chapters.append(Chapter(say(COURSE), course))
        for title, (winners, others) in one.series.items():
            told = say(SERIES, {"title": say(title, domain=self._domain)})
            both = ((say(WINNERS), winners), (say(OTHERS), others))
            course.append(Curves(told, [one for one in both if one[1]]))
        results = self._results(one)
        return [*chapters, Chapter(say(RESULTS), [results])] if results else chapters

    def _results(self, one: Measures) -> Tabulation | None:
        columns = {
            **({self._say(POINTS): one.scores} if one.scores else {}),
            **({self._say(PLACES): one.ranks} if one.ranks else {}),
            **{self._say(title, domain=self._domain): means for title, means in one.statistics.items()},
        }
        if not columns:
            return None
        rows = [
            [
                self._level(level),
                *(_bare(means[level]) if level in means else "" for means in columns.values()),
            ]
            for level in one.levels
        ]
        return Tabulation("", [self._say(LEVEL), *columns], rows)

    def _wins(self, title: str, those: Sequence[tuple[str, Wins]]) -> Bars:
        fair = {won.fair for _, won in those}
        mark = 100 * fair.pop() if len(fair) == 1 else None
        if mark is None:  # each its own fair share: it is beside the name
            those = [(f"{name} ({self._say(FAIR)} {100 * won.fair:.0f}%)", won) for name, won in those]
        bars = [Bar(name, *(100 * one for one in won.share)) for name, won in those]
        return Bars(self._say(title), bars, "%", mark, self._say(FAIR), self._scale)

    def _difference(self, one: PairedChange, measures: Mapping[int, Measures]) -> list[Block]:
        arms = self._experiment.arms
        names = {"arm": arms[one.arm].name, "first": arms[0].name}
        verdict = NO_TELLING if one.fairer is None else FAIRER if one.fairer else LESS_FAIR
        rows = [
            [
                self._say(NAMES[name]),
                number(measures[0].means[name].value),
                number(measures[one.arm].means[name].value),
                _changed(change),
            ]
            for name, change in one.means.items()
            if change.low or change.high
        ]
        headings = [self._say(MEASURE), arms[0].name, arms[one.arm].name, self._say(CHANGE)]
        return [
            Tabulation(self._say(AGAINST, {**names, "n": one.pairs}), headings, rows),
            *([Paragraph(self._say(verdict, names))] if len(measures[0].seats) > 1 else []),
        ]

    def _ranking(self, ranking: Ranking) -> list[Block]:
        levels = list(ranking.ratings)
        bars = [Bar(self._level(level), *ranking.ratings[level]) for level in levels]
        rows = [
            [
                self._level(one),
                *(
                    f"{100 * ranking.beaten[one, other].value:.1f}" if (one, other) in ranking.beaten else ""
                    for other in levels
                ),
            ]
            for one in levels
        ]
        return [
            Bars(self._say(RATING), bars),
            Tabulation(self._say(BEATS), ["", *map(self._level, levels)], rows),
        ]

    def _grid(self, those: Mapping[str, Estimate], extra: Sequence[tuple[str, str]] = ()) -> Tabulation:
        rows = [[self._say(NAMES[name]), self._shown(name, one)] for name, one in those.items()]
        return Tabulation("", [self._say(MEASURE), self._say(VALUE)], [*rows, *map(list, extra)])

    def _shown(self, name: str, one: Estimate) -> str:
        if name not in SHARES:
            return _bare(one)
        value, low, high = (100 * part for part in one)
        return f"{value:.1f} %" if low == high else f"{value:.1f} % ({low:.1f}–{high:.1f})"

    def _level(self, level: str) -> str:
        known = level_text(level)
        return known if isinstance(known, str) else self._say(known.message)


def _signed(value: float) -> str:
    shown = number(value)
    return shown if shown.startswith("-") else f"+{shown}"


def _changed(one: Estimate) -> str:
    shown = _signed(one.value)
    return shown if one.low == one.high else f"{shown} ({_signed(one.low)}, {_signed(one.high)})"


def _bare(one: Estimate) -> str:
    if one.low == one.high:
        return number(one.value)
    return f"{number(one.value)} ({number(one.low)}–{number(one.high)})"


FIELDS = (
    "arm", "number", "seed", "levels", "first", "winners", "scores", "ranks", "turns", "entries", "answers",
    "decisions", "choices", "most", "magnitude", "seconds", "interjections", "words", "windows", "reactions",
)  # fmt: skip
"""The columns of a CSV file, which stand before those of statistics."""


def rows(trials: Sequence[Trial], names: Sequence[str]) -> list[list[object]]:
    """Return the rows of a CSV file, its headings first; seats count from 1 there."""
    titles = [*dict.fromkeys(title for one in trials for title in one.statistics)]
    found: list[list[object]] = [[*FIELDS, *titles]]
    for one in trials:
        row: list[object] = []
        told = {
            "arm": names[one.arm], "first": one.first + 1, "levels": ",".join(one.levels),
            "winners": " ".join(str(winner + 1) for winner in one.winners),
        }  # fmt: skip
        for name in FIELDS:
            value = told.get(name, getattr(one, name))
            if isinstance(value, tuple):
                value = " ".join(map(str, value))
            elif isinstance(value, float):
                value = f"{value:.3f}"
            row.append("" if value is None else value)
        for title in titles:
            numbers = one.statistics.get(title, ())
            row.append(" ".join("-" if part is None else str(part) for part in numbers))
        found.append(row)
    return found
