"""The home of `tt` without a command, as a screen or in lines; what is chosen there is run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tavolata._cli.choosing import OUT_OF_REACH, choose_number, line_after, own_name, typed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.commands import COMMANDS
from tavolata._cli.failures import FINISHED, UsageError, report
from tavolata._cli.keeping import keep_setting
from tavolata._cli.looks import looks_of
from tavolata._cli.people_form import keep_plan, last_people, last_plans
from tavolata._cli.resume import line_of, waiting_matches
from tavolata._engine.match.seating import usual_level, usual_seats
from tavolata._text import MAX_NAME, as_typed, is_name, number_within
from tavolata._ui.i18n import languages
from tavolata._ui.match_plan import (
    FREE,
    GUIDED,
    LEVELS,
    MOST_HERE,
    PLACES,
    USUAL,
    GameChoices,
    MatchPlan,
    remembered,
    with_guide,
    with_levels,
    with_people,
    with_rule,
    with_seats,
    with_teams,
)
from tavolata._ui.match_plan import at as at_place
from tavolata._ui.tui.model.home_model import FoundFacts, GameFacts, HomeFacts
from tavolata._ui.wrapping import fitted
from tavolata.errors import MessageError
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.network.finding import FoundTable
    from tavolata.options import OptionSpec

ON_SCREEN = ("play", "host", "resume")
"""Commands that show a screen of their own. After any other command, people need time to read its output."""
BACK = N_("Enter goes back to the home screen. ")
OPEN = N_("{name}: {game}, free seats: {free} ({address})")
CODE = N_("{name}: {game}, free seats: {free}, code required ({address})")
SHORT, SHORT_CODE = (
    N_("{name}: {game}, free seats: {free}"),
    N_("{name}: {game}, free seats: {free}, code required"),
)
ONCE = N_("{name}'s last known table ({address})")
OVERRIDDEN = N_("{name} is set in the environment, so this change takes effect once you unset it.")
OFFERED = ("history", "doctor")


def home(context: CommandContext, run: Callable[[list[str], CommandContext], int]) -> int:
    """Show the home and run the chosen commands until the person leaves."""
    while True:
        if context.frontend == "tui":
            words, setting = _on_screen(context)
        else:
            words, setting = HomeLines(context, home_facts(context)).choose()
        if not words and setting is None:
            return FINISHED
        try:
            if setting is not None:
                keep_setting(context.config_path, *setting)
                variable = f"TT_{setting[0].upper()}"
                if context.environ.get(variable, "") not in ("", setting[1]):
                    raise UsageError(OVERRIDDEN, name=variable)  # noqa: TRY301 - reported as any other
                flags = {name: value for name, value in context.flags.items() if name != setting[0]}
                context = CommandContext(flags, context.environ)
                continue
            context.note(f"tt {' '.join(words)}")
            code = run(words, context)
        except Exception as error:  # noqa: BLE001 - reported as everywhere, and the home screen goes on
            code = report(error, context.text)
        if code != FINISHED or words[0] not in ON_SCREEN:
            try:
                line_after(context.text(BACK))
            except EOFError:
                return code


def _on_screen(context: CommandContext) -> Chosen:
    from tavolata._ui.tui.show import show_home

    left = asyncio.run(
        show_home(context.translator, looks_of(context), home_facts(context), partial(_tables, context))
    )
    return list(left.command), left.setting


def home_facts(context: CommandContext) -> HomeFacts:
    (last, plans), name = last_plans(), own_name(context, None)
    games = [
        GameFacts(
            one.name, context.text(one.title, domain=one.package), one.seats,
            context.text(one.summary, domain=one.package), one.minutes,
        )
        for one in context.catalogue.infos()
    ]  # fmt: skip
    return HomeFacts(
        games=games,
        waiting=[(kept.path.stem, line_of(context, kept)) for kept in waiting_matches()],
        choices=partial(_choices, context),
        records=_records,
        name=name,
        others=[one.name for one in last_people() if one.name != name],
        lang=context.lang,
        langs=languages(),
        commands=[(name, COMMANDS[name][1]) for name in OFFERED if name in COMMANDS],
        plans=plans,
        last=last,
        keep=keep_plan,
    )


def _choices(context: CommandContext, name: str) -> GameChoices:
    from tavolata._engine.diagnostics.web_extra import can_serve

    loaded, known = context.catalogue.game(name), context.catalogue.bots(name)
    first, info = usual_level(known), loaded.info
    return GameChoices(
        name, info.seats, usual_seats(loaded.game),
        levels=[first, *(level for level in known if level not in (first, "random"))],
        guided=loaded.game.has_hints(), teams=loaded.game.teams,
        options=loaded.game.options, alone=loaded.game.local, first=loaded.game.first_match,
        package=info.package,
        places=[place for place in PLACES if place != "telephones" or can_serve()],
    )  # fmt: skip


def _records() -> dict[str, tuple[int, int]]:
    """Return, by game, how many matches the person here has finished and won."""
    from tavolata._engine.storage.history import history

    found: dict[str, tuple[int, int]] = {}
    with history() as one:
        for match in one.matches():
            if match.finished and match.mine is not None:
                n, won = found.get(match.game, (0, 0))
                found[match.game] = n + 1, won + match.mine.won
    return found


async def _tables(context: CommandContext) -> AsyncGenerator[Sequence[FoundFacts], None]:
    from tavolata._engine.network.finding import finder

    async with finder() as looking:
        async for now in looking.tables(None):
            yield [_found(context, one) for one in now]


def _found(context: CommandContext, one: FoundTable) -> FoundFacts:
    said = {**one.params(), "game": context.catalogue.title(one.game, context.text) if one.game else ""}
    line, short = (ONCE, ONCE) if one.free is None else (CODE, SHORT_CODE) if one.private else (OPEN, SHORT)
    return FoundFacts(context.text(line, said), context.text(short, said), one.address)


Chosen = tuple[list[str], tuple[str, str] | None]
"""The words of the chosen command, and the name and the value of a setting to keep."""
WHAT = N_("What shall we play, {name}?")
GAME = N_("{title} ({low} to {high} players): {summary}")
RESUME = N_("Resume: {match}")
JOIN, NAME, LANGUAGE, LEAVE = (
    N_("Join a table on the network."), N_("Change your name."), N_("Change the language."), N_("Quit."),
)  # fmt: skip
NUMBERED = N_("{n}. {what}")
FIELD = N_("{name}: {value}")
PLAN = N_("{title}: Enter to start, or a number to change a line.")
BEGIN = N_("Start or change? ")
SEATS, BOTS, AS, TEAMS, WHERE, PEOPLE, RULES = (
    N_("seats"), N_("bots"), N_("as"), N_("teams"), N_("where"), N_("people here"), N_("house rules"),
)  # fmt: skip
SEAT, ALL, ONE_BY_ONE = N_("seat {n}"), N_("all {level}"), N_("one by one")
READ, ANOTHER = N_("Read the rules of the game."), N_("Another game.")
HOW_MANY, VALUE = N_("How many? [{n}] "), N_("{help} [{value}] ")
FREE_SEAT, NO_TEAMS, AS_USUAL = N_("free"), N_("none"), N_("default")
CALLED = N_("What's your name? [{name}] ")


class HomeLines:
    def __init__(self, context: CommandContext, facts: HomeFacts, ask: Callable[[str], str] = typed) -> None:
        self._context = context
        self._say = context.text
        self._facts = facts
        self._ask = ask

    def _out(self, line: str) -> None:
        self._context.out(line if self._context.screen_reader else fitted(line, self._context.stdout))

    def choose(self) -> Chosen:
        """Ask what the person wants to do; return no words for leaving.

        Raise KeyboardInterrupt if the input has ended, so nobody can answer.
        """
        say, facts = self._say, self._facts
        rows: list[tuple[str, Callable[[], Chosen | None]]] = [
            (say(RESUME, {"match": said}), partial(_command, "resume", match))
            for match, said in facts.waiting
        ]
        first = len(rows)
        for at, game in enumerate(facts.games):
            low, high = game.seats
            told = {"title": game.title, "low": low, "high": high, "summary": game.summary}
            first = len(rows) if game.name == facts.last or at == 0 else first
            rows.append((say(GAME, told), partial(self._plan, game.name, game.title)))
        rows += [
            (say(JOIN), partial(_command, "join")),
            *((say(what), partial(_command, name)) for name, what in facts.commands),
            (say(NAME), self._name),
            (say(LANGUAGE), self._language),
            (say(LEAVE), _command),
        ]
        while True:
            at = self._number(say(WHAT, {"name": facts.name}), [what for what, _ in rows], first)
            chosen = rows[at][1]()
            if chosen is not None:
                return chosen

    def _number(self, question: str, rows: Sequence[str], usual: int) -> int:
        """Ask for one of some rows; Enter means the default one."""
        self._out(question)
        for n, what in enumerate(rows, 1):
            self._out(self._say(NUMBERED, {"n": n, "what": what}))
        return choose_number(self._context, len(rows), usual + 1, self._ask) - 1

    def _name(self) -> Chosen | None:
        from tavolata._engine.table.roster import NO_NAME

        name = self._ask(self._say(CALLED, {"name": self._facts.name}))
        if name and not is_name(name):
            self._context.note(self._say(NO_NAME, {"n": MAX_NAME}))
            return self._name()
        return ([], ("name", name)) if name else None

    def _language(self) -> Chosen:
        langs = list(self._facts.langs)
        return [], ("lang", langs[self._number(self._say(LANGUAGE), langs, langs.index(self._facts.lang))])

    # -- the plan ---------------------------------------------------------------------------------

    def _plan(self, game: str, title: str) -> Chosen | None:
        """Change the plan of a game until it begins; None for another game."""
        can = self._facts.choices(game)
        plan = remembered(self._facts.plans.get(game), can)
        while True:
            fields = self._fields(plan, can)
            self._out(self._say(PLAN, {"title": title}))
            rows = [self._say(FIELD, {"name": self._say(name), "value": value}) for name, value, _ in fields]
            rows += [self._say(READ), self._say(ANOTHER)]
            for n, what in enumerate(rows, 1):
                self._out(self._say(NUMBERED, {"n": n, "what": what}))
            for problem in can.problems(plan):
                self._out(self._context.text(problem.message, problem.params, can.package))
            word = self._ask(self._say(BEGIN))
            if not word:
                self._facts.keep(plan)
                return plan.words(), None
            number = number_within(word, 1, len(rows))
            if number is None:
                self._context.note(self._say(OUT_OF_REACH, {"n": len(rows)}))
            elif number == len(rows):
                return None
            elif number == len(rows) - 1:
                return ["rules", game], None
            else:
                plan = fields[number - 1][2](plan, can)

    def _fields(
        self, plan: MatchPlan, can: GameChoices
    ) -> list[tuple[str, str, Callable[[MatchPlan, GameChoices], MatchPlan]]]:
        """Return the lines of the plan: the name, the value, and what asks for another value."""
        say = self._say
        levels = ", ".join(self._level(level) for level in plan.others) or say(NO_TEAMS)
        guided = say(GUIDED if plan.guided else USUAL)
        rules = ", ".join(f"{name} {value}" for name, value in plan.rules.items()) or say(AS_USUAL)
        fields: list[tuple[str, str, Callable[[MatchPlan, GameChoices], MatchPlan]]] = [
            (SEATS, str(plan.seats), self._seats),
            (BOTS, levels, self._bots),
        ]
        if can.guided:
            fields.append((AS, guided, self._guided))
        if can.teams is not None:
            fields.append((TEAMS, str(plan.teams) if plan.teams else say(NO_TEAMS), with_teams))
        if can.offered(plan):
            fields.append((RULES, rules, self._rules))
        fields += [(WHERE, say(PLACES[plan.where]), self._where), (PEOPLE, str(plan.people), self._people)]
        return fields

    def _level(self, level: str) -> str:
        return self._say(FREE_SEAT) if not level else self._say(LEVELS.get(level, level))

    def _count(self, low: int, high: int, now: int) -> int:
        while True:
            word = self._ask(self._say(HOW_MANY, {"n": now})) or str(now)
            number = number_within(word, low, high)
            if number is not None:
                return number
            self._context.note(self._say(N_("A number from {low} to {high}."), {"low": low, "high": high}))

    def _seats(self, plan: MatchPlan, can: GameChoices) -> MatchPlan:
        return with_seats(plan, can, self._count(*can.seats, plan.seats))

    def _people(self, plan: MatchPlan, can: GameChoices) -> MatchPlan:
        return with_people(plan, can, self._count(1, min(MOST_HERE, can.seats[1]), plan.people))

    def _bots(self, plan: MatchPlan, can: GameChoices) -> MatchPlan:
        levels = [*can.levels, *([] if plan.where == "here" else [FREE])]
        said = [self._level(one) for one in levels]
        if len(plan.others) > 1:
            rows = [*(self._say(ALL, {"level": one}) for one in said), self._say(ONE_BY_ONE)]
            same = levels.index(plan.others[0]) if len(set(plan.others)) == 1 else len(levels)
            chosen = self._number(self._say(BOTS), rows, same)
            if chosen < len(levels):
                return with_levels(plan, can, [levels[chosen]] * len(plan.others))
        for at, now in enumerate(plan.others):
            seat = self._say(SEAT, {"n": plan.people + at + 1})
            level = levels[self._number(seat, said, levels.index(now))]
            plan = with_levels(plan, can, (*plan.others[:at], level, *plan.others[at + 1 :]))
        return plan

    def _guided(self, plan: MatchPlan, can: GameChoices) -> MatchPlan:
        return with_guide(plan, can, guided=not plan.guided)

    def _where(self, plan: MatchPlan, can: GameChoices) -> MatchPlan:
        places = [place for place in PLACES if place in can.places]
        said = [self._say(PLACES[place]) for place in places]
        return at_place(plan, can, places[self._number(self._say(WHERE), said, places.index(plan.where))])

    def _rules(self, plan: MatchPlan, can: GameChoices) -> MatchPlan:
        specs, values = can.offered(plan), can.settings(plan).plain()
        said = [_word(spec, values[spec.name]) for spec in specs]
        rows = [
            self._say(FIELD, {"name": spec.name, "value": now}) for spec, now in zip(specs, said, strict=True)
        ]
        at = self._number(self._say(RULES), rows, 0)
        spec, now = specs[at], said[at]
        words, help_text = spec.choices(), self._context.text(spec.help, None, can.package)
        if words:
            return with_rule(plan, can, spec.name, words[self._number(help_text, words, words.index(now))])
        while True:
            value = self._ask(self._say(VALUE, {"help": help_text, "value": now})) or now
            try:
                return with_rule(plan, can, spec.name, value)
            except MessageError as error:
                self._context.note(self._say(error.message, error.params))


def _word(spec: OptionSpec, value: Any) -> str:
    return "off" if spec.off and value == 0 else as_typed(value)


def _command(*words: str) -> Chosen:
    return list(words), None
