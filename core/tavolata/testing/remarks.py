"""Remarks: what is odd in a game and may be meant. They fail nothing, except `tt check --strict`.

A comment `# tt: ok REASON` at the line, or on the line above, silences the remarks about it.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

from tavolata._blame import short
from tavolata._engine.match.game_info import DEV
from tavolata._engine.plugins.catalogue import sound_bots
from tavolata._engine.plugins.loader import Plugin
from tavolata._engine.plugins.manifest import EntryPoint
from tavolata._engine.plugins.rulebooks import UNTOUCHED, place_of_rulebook, rulebook
from tavolata.bots import Bot, RandomBot
from tavolata.errors import TavolataError
from tavolata.game import Game
from tavolata.testing.cases import Case, seats_of, usual_teams
from tavolata.testing.checks.source_text import modules_of, tables_of, unmarked
from tavolata.testing.watched_matches import (
    Oddities,
    Place,
    all_pass,
    beyond_chance,
    idle_questions,
    watch,
)

MATCHES: Final = 30
"""The matches that are watched."""
OFTEN: Final = 8
"""How often something has to be seen before it's odd."""
ENDLESS: Final = 5_000
"""The entries after which a match of those who pass counts as endless."""
_OK = re.compile(r"#\s*tt: ok\b\s*(\S.*)")


@dataclass(frozen=True)
class Remark:
    """Something odd in a game.

    Attributes:
        name: a word for it.
        seed: of a match in which it shows; None for what is read from the source.
    """

    name: str
    sentence: str
    file: str
    line: int
    seed: int | None = None

    def __str__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"note  {self.name}: {self.sentence} ({short(self.file)}:{self.line}{seed})"


def remarks(game: type[Game[Any]], *, matches: int = MATCHES, seed: int = 0) -> list[Remark]:
    """Return what is odd in a game, without what its source says is meant.

    Args:
        game: its rules.
        matches: the number of matches that are watched.
        seed: the seed of the first match; the others get the following numbers.
    """
    possible = seats_of(game)
    seats = min(possible, key=lambda one: abs(one - 3))
    teams = usual_teams(game, seats) if game.teams is not None and game.teams.required else 0
    played = [
        Case(game, seats, seed=seed + number, bots=(RandomBot,), teams=teams) for number in range(matches)
    ]
    found = [*_read(game), *_unmarked(game), *_of_package(game)]
    with suppress(TavolataError):  # the checks say what is wrong
        found += _watched(game, watch(played), played, seed)
    return [one for one in dict.fromkeys(found) if not _is_meant(one)]


def _is_meant(remark: Remark) -> bool:
    """Return True if a comment at the statement, or above it, says that it is meant."""
    lines, spans = _source(remark.file)
    around = [span for span in spans if span[0] <= remark.line <= span[1]]
    first, last = min(around, key=lambda span: span[1] - span[0], default=(remark.line, remark.line))
    return any(_OK.search(line) for line in lines[max(0, first - 2) : last])


@cache
def _source(file: str) -> tuple[list[str], list[tuple[int, int]]]:
    text = Path(file).read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    spans = [
        (
            node.lineno,
            node.body[0].lineno - 1 if isinstance(node, _Blocks) else node.end_lineno or node.lineno,
        )
        for node in nodes
    ]
    return text.splitlines(), spans


_Blocks = (
    ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.For | ast.While | ast.With | ast.Try
)


# -- read from the source ------------------------------------------------------------------------------


def _read(game: type[Game[Any]]) -> Iterator[Remark]:
    modules = modules_of(game)
    read = {node.attr for module in modules for node in module.nodes if isinstance(node, ast.Attribute)}
    known = {name for name in dir(Game) if not name.startswith("_")}
    unread = {spec.name for spec in game.options.describe()} - read
    classes = {cls.__name__ for cls in game.__mro__ if issubclass(cls, Game)}
    for module in modules:
        file = str(module.file)
        for node in module.nodes:
            match node:
                case ast.ClassDef(name=name, body=body) if name in classes:
                    for line, word in _given_names(body):
                        meant = [] if word in known | read else get_close_matches(word, known, 1, 0.8)
                        if meant:
                            said = f"Nothing reads `{word}`; do you mean `{meant[0]}`?"
                            yield Remark("unread_name", said, file, line)
                case ast.Call(func=ast.Name(id=maker)) if maker.endswith("_zone") and _draws_a_row(node):
                    said = '`draw="row"` has no effect here: only the `row=` of a text zone is drawn so.'
                    yield Remark("idle_draw", said, file, node.lineno)
                case ast.AnnAssign(target=ast.Name(id=name)) if name in unread:
                    yield Remark("unread_option", f"Nothing reads the option {name}.", file, node.lineno)
                case ast.Attribute(value=ast.Name(id=whose), attr="names") if (
                    game.legacy is None and whose in tables_of(node, module)
                ):
                    yield Remark(
                        "names_read",
                        "The rules read who the players are, though nothing is left from match to match.",
                        file, node.lineno,
                    )  # fmt: skip
                case _:
                    pass


def _unmarked(game: type[Game[Any]]) -> Iterator[Remark]:
    for module, node in unmarked(game):
        said = f"{node.value!r} can't be translated: write N_({node.value!r})."
        yield Remark("unmarked", said, str(module.file), node.lineno)


def _of_package(game: type[Game[Any]]) -> Iterator[Remark]:
    """Remark on what the package of a game lacks; a lone file needs neither hooks nor a rulebook."""
    top = game.__module__.partition(".")[0]
    hooks = [name for name, module in sys.modules.items() if hasattr(module, "tavolata_games")]
    plugins = [Plugin(EntryPoint(name, name, "", DEV, "")) for name in hooks if name.partition(".")[0] == top]
    plugins = [one for one in plugins if game in one.offers("tavolata_games")]
    if not plugins:
        return
    text = rulebook(game, plugins[0].package)
    if text is None or UNTOUCHED in text:
        path = short(place_of_rulebook(game, plugins[0].package))
        sentence = f"It has no rulebook yet: write in {path} how it's played."
        yield Remark("no_rulebook", sentence, *_class_place(game))
    named = [bot for one in plugins for _, bot in sound_bots(one)]
    for bot in vars(sys.modules[game.__module__]).values():
        here = isinstance(bot, type) and issubclass(bot, Bot) and bot.__module__ == game.__module__
        if here and not any(issubclass(one, bot) for one in named):
            yield Remark(
                "unnamed_bot", f"The hook `tavolata_bots` leaves out {bot.__name__}, so nobody can seat it.",
                *_class_place(bot),
            )  # fmt: skip


def _given_names(body: Iterable[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield the public names in lower case that a class body gives to values and plain methods, by line."""
    for statement in body:
        match statement:
            case ast.Assign(targets):
                named = [one for target in targets for one in ast.walk(target)]
            case ast.AnnAssign(target):
                named = [target]
            case (
                ast.FunctionDef(name=name, decorator_list=[])
                | ast.AsyncFunctionDef(name=name, decorator_list=[])
            ):
                named = [ast.Name(name)]
            case _:
                continue
        names = [one.id for one in named if isinstance(one, ast.Name)]
        yield from ((statement.lineno, one) for one in names if one.islower() and not one.startswith("_"))


def _draws_a_row(call: ast.Call) -> bool:
    """Return True if a zone, but not a text with parts, asks to be drawn as a row."""
    for keyword in call.keywords:
        match keyword.value:
            case ast.Call(func=ast.Name("Show"), keywords=said) if keyword.arg == "show":
                asked = {one.arg: one.value for one in said}
                row = isinstance(draw := asked.get("draw"), ast.Constant) and draw.value == "row"
                return row and ("row" not in asked or ast.unparse(call.func) != "text_zone")
            case _:
                pass
    return False


# -- watched in matches ----------------------------------------------------------------------------------


def _watched(game: type[Game[Any]], seen: Oddities, played: list[Case], seed: int) -> Iterator[Remark]:
    file, line = _class_place(game)

    def at_class(name: str, sentence: str, seed: int) -> Remark:
        return Remark(name, sentence, file, line, seed)

    yield from _ends(game, seen, at_class)
    yield from _of_lines(seen)
    for place, signs in seen.signs.items():
        for sign, things in signs.items():
            if len(things) > 1:
                one, other = sorted(things)[:2]
                sentence = (
                    f"{one!r} and {other!r} have the same sign on {place!r}: {sign}. "
                    'Give one another letter, as in "red (R)", or a `Look` with another `short`.'
                )
                yield at_class("same_sign", sentence, things[other])
    seats = played[0].seats
    if not played[0].teams:
        for prompt in idle_questions(game, seats, seed):
            if prompt in seen.lines:
                yield Remark(
                    "idle_answer", "Whatever is answered here, it makes no difference.",
                    *seen.lines[prompt], seed,
                )  # fmt: skip
    if not all_pass(played[0], ENDLESS):
        yield at_class("endless_passing", "If everybody passes, it has no end.", played[0].seed)


def _ends(game: type[Game[Any]], seen: Oddities, at_class: Any) -> Iterator[Remark]:
    if not seen.outcomes:
        return
    first, seats = seen.outcomes[0][0], len(seen.asked[0])
    ties = [
        outcome.winners[0] == min(tied)
        for _, outcome in seen.outcomes
        if len(outcome.winners) == 1 and len(tied := _tied(outcome.winners[0], outcome.scores)) > 1
    ]
    if len(ties) >= OFTEN and all(ties):
        yield at_class("ties_to_lowest", f"All {len(ties)} ties went to the lowest seat.", first)
    scored = [
        (outcome.winners, outcome.scores)
        for _, outcome in seen.outcomes
        if outcome.scores is not None and outcome.winners and len(set(outcome.scores)) > 1
    ]
    lowest = [all(scores[seat] == min(scores) for seat in winners) for winners, scores in scored]
    if len(lowest) >= OFTEN and all(lowest) and not _says_lowest(game):
        yield at_class("lowest_wins", "The lowest score always wins, and nothing says `lowest=True`.", first)
    wins = Counter(
        int(one) for _, outcome in seen.outcomes if len(outcome.winners) == 1 for one in outcome.winners
    )
    if (seat := beyond_chance(wins, seats)) is not None:
        yield at_class(
            "favoured_seat", f"Seat {seat} wins {wins[seat]} of {sum(wins.values())} matches.", first
        )
    most = Counter(asked.index(max(asked)) for asked in seen.asked if asked.count(max(asked)) == 1)
    if (seat := beyond_chance(most, seats)) is not None:
        times = f"{most[seat]} of {sum(most.values())} matches"
        yield at_class("favoured_seat", f"Seat {seat} is asked most often in {times}.", first)
    for seat in range(seats):
        if (
            len(seen.asked) >= OFTEN
            and any(map(sum, seen.asked))
            and not any(one[seat] for one in seen.asked)
        ):
            yield at_class("favoured_seat", f"Seat {seat} is never asked.", first)


def _tied(winner: int, scores: tuple[int, ...] | None) -> list[int]:
    return [] if scores is None else [seat for seat, score in enumerate(scores) if score == scores[winner]]


def _says_lowest(game: type[Game[Any]]) -> bool:
    return any(
        isinstance(node, ast.keyword) and node.arg == "lowest"
        for module in modules_of(game)
        for node in module.nodes
    )


def _of_lines(seen: Oddities) -> Iterator[Remark]:
    for place, seeds in seen.empty.items():
        if len(seeds) >= OFTEN:
            said = "A seat is asked here again and again while its hand is empty and others hold cards."
            yield Remark("asks_the_empty", said, *place, seeds[0])
    for name, sentence, places in (
        (
            "unshuffled",
            "A hand has cards here that were never shuffled: everybody knows them.",
            seen.unshuffled,
        ),
        ("shown_hand", "Cards of a hand are shown to another seat here.", seen.shown),
    ):
        for place, seed in list(places.items())[:1]:  # the other lines show the same
            yield Remark(name, sentence, *place, seed)
    for place, named in seen.places.items():
        always = [name for name, lengths in named.items() if len(lengths) > 1]
        if always and place not in seen.others:
            yield Remark(
                "values_as_places",
                f"The values are places in {always[0]}, so they mean something else once it changes.",
                *place,
            )  # fmt: skip


def _class_place(cls: type) -> Place:
    return str(inspect.getsourcefile(cls)), inspect.getsourcelines(cls)[1]
