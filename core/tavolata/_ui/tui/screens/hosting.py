"""The questions of a lobby: ready, start, house rules, bots, the invitation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tavolata._engine.sessions.commands import NAME_AND_VALUE, TableCommands, told_apart
from tavolata._engine.sessions.next_step import Deed, NextStep
from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._engine.table.log_bodies import Light
from tavolata._text import Verbatim, as_typed
from tavolata._ui.match_plan import level_to_choose, rule_line, rule_name, rule_value
from tavolata._ui.table_lines import NOT_THEIRS, REALLY, THEIRS
from tavolata._ui.tui.model.prompt import PromptQuestion, Rows, Say, chosen, nothing
from tavolata._ui.tui.screens.after_match import ANOTHER, BEGIN_AGAIN, DONE, WHICH_GAME, Act
from tavolata.choices import Choice
from tavolata.errors import Refused
from tavolata.kinds.amount import Amount
from tavolata.kinds.one_of import OneOf
from tavolata.kinds.question import Question
from tavolata.messages import N_
from tavolata.options import OptionSpec
from tavolata.teams import NAMES

BEGIN = N_("start the match")
READY = N_("ready to play")
NOT_READY = N_("wait for me")
RULES = N_("change a house rule")
TEAMS = N_("choose teams")
TEAM = N_("join a team")
HOW_MANY = N_("How many teams?")
NO_TEAMS = N_("no teams: everyone for themselves")
SO_MANY = N_("{n} teams")
WHICH_TEAM = N_("Which team?")
ANY_TEAM = N_("any team")
DRAW = N_("draw teams by lot")
BOTS = N_("choose bots")
GAME = N_("{title}, {low} to {high} players")
NEW_KEY = N_("check that it's really {name}: the key has changed")
LET_SCREEN_IN = N_("{letters}: let in the television")
LET_IN = N_("{letters}: let in {name}")
LET_BACK = N_("{letters}: give {name} the seat back")
TURN_AWAY = N_("{letters}: turn away")
"""The letters come first, so that whatever is cut, they aren't."""
KNOCKING = N_("Knocking: {knocks}")
KNOCKS, SCREEN_KNOCKS = N_("{letters} ({name})"), N_("{letters} (a television)")
INVITE = N_("invite players")
PEOPLE = N_("manage players and access")
WHAT = N_("What do you want to do?")
LOCK = N_("lock the table")
UNLOCK = N_("let newcomers in again")
NEW_CODE = N_("change the code for newcomers")
KICK = N_("remove {name}")
BAN = N_("ban {name}")
UNBAN = N_("let {name} come back")
MUTE = N_("mute {name} for everyone")
UNMUTE = N_("unmute {name} for everyone")
HEIR = N_("make {name} the host")
WHICH = N_("Which house rule?")
VALUE = N_("{name}: {help}")
WHICH_BOTS = N_("Which bots should sit here?")
ONE_MORE = N_("add a bot: {level}")
NONE = N_("no bots")
ABSENT, AWAY = N_("Someone is away. What now?"), N_("Away: {names}. What now?")
WAIT = N_("wait for {name}")
BLIND = N_("let the game answer for {name}")
END = N_("end the match")
SUSPEND = N_("stop for today and continue another day; no one loses")
WITHOUT = N_("continue without the absent players, if everyone agrees")
BACK = N_("go back to the end of turn {turn}, if everyone agrees")
NUDGE = N_("nudge {name}")
LONGER = N_("wait another minute for {name}")
PLAY_ON = N_("play on")
BOT_NOW = N_("let a bot play for {name} now")
WAIT_FOR_ALL = N_("wait for the absent players")
ALONE = N_("continue without the absent players")


class Hosting:
    def __init__(
        self,
        say: Say,
        help_of: Callable[[str], str],
        commands: TableCommands,
        ask: Callable[[PromptQuestion], object],
        invite: Callable[[], object],
    ) -> None:
        self._say = say
        self._help = help_of
        self._commands = commands
        self._ask = ask
        self._invite = invite

    def rows(self, facts: TableFacts) -> Rows:
        """Return what can be done in the lobby, in a fixed order: what comes and goes isn't in it."""
        rows = self.orphaned(facts)
        if rows:
            return rows  # nobody could order anything else in the log
        ready = NOT_READY if facts.ready else BEGIN_AGAIN if facts.hosts and facts.played else READY
        if self._may_begin(facts):
            rows.append((self._say(BEGIN), self._commands.start))
        elif facts.seated:
            rows.append((self._say(ready), self._commands.ready))
        if facts.hosts and facts.options:
            rows.append((self._say(RULES), lambda: self.ask_rule(facts)))
        if facts.hosts and facts.rules.teams is not None:
            rows.append((self._say(TEAMS), lambda: self.ask_teams(facts)))
        if facts.seated and facts.teams:
            rows.append((self._say(TEAM), lambda: self.ask_team(facts)))
        if facts.hosts:
            rows.append((self._say(BOTS), lambda: self.ask_bots(facts)))
            rows.append((self._say(ANOTHER), lambda: self.ask_game(facts)))
        rows.append((self._say(INVITE), self._invite))
        if facts.hosts:
            rows.append((self._say(PEOPLE), lambda: self.ask_people(facts)))
        return rows

    @staticmethod
    def _may_begin(facts: TableFacts) -> bool:
        return facts.hosts and (not facts.by_itself or facts.played > 0) and (facts.ready or not facts.seated)

    def comers(self, facts: TableFacts) -> list[Act]:
        """Return what comes and goes below all other acts: readiness, new keys and knocks.

        `y` lets the first one in that knocks.
        """
        takes_back = facts.seated and self._may_begin(facts) and not (facts.running or facts.orphaned)
        acts = [Act(self._say(NOT_READY), self._commands.ready)] if takes_back else []
        acts += [
            Act(self._say(NEW_KEY, {"name": seat.name}), partial(self.ask_key, seat))
            for seat in facts.taken if seat.has_new_key and not facts.running
        ]  # fmt: skip
        for number, one in enumerate(facts.knocks):
            said = {"letters": one.letters, "name": one.name}
            form = LET_SCREEN_IN if one.screen else LET_BACK if one.back else LET_IN
            let_in = self._say(form, said)
            acts += [
                Act(let_in, partial(self._commands.admit, one.letters), "" if number else "y"),
                Act(self._say(TURN_AWAY, said), partial(self._commands.reject, one.letters)),
            ]
        return acts

    def knocking(self, facts: TableFacts) -> str:
        """Return who knocks, in a sentence; "" for nobody."""
        if not facts.knocks:
            return ""
        knocks = [
            self._say(SCREEN_KNOCKS if one.screen else KNOCKS, {"letters": one.letters, "name": one.name})
            for one in facts.knocks
        ]
        return self._say(KNOCKING, {"knocks": Verbatim(", ".join(knocks))})

    def orphaned(self, facts: TableFacts) -> Rows:
        """Return the actions if the log has no leader and this player must confirm that it continues."""
        if not facts.orphaned:
            return []
        return [(self._say(WAIT_FOR_ALL), nothing), (self._say(ALONE), self._commands.go_on_alone)]

    def deeds(self, facts: TableFacts, step: NextStep) -> Rows:
        """Return what this person may do about the next step."""
        commands = self._commands
        rows: Rows = []
        for deed, seat in step.acts:
            name: dict[str, Any] = {"name": facts.taken[seat].name} if seat >= 0 else {"turn": facts.back_to}
            acts: dict[Deed, tuple[str, Callable[[], object]]] = {
                Deed.READY: (NOT_READY if facts.ready else READY, commands.ready),
                Deed.NUDGE: (NUDGE, partial(commands.nudge, seat)),
                Deed.BOT: (BOT_NOW, partial(commands.substitute, seat)),
                Deed.STOP: (SUSPEND, commands.suspend),
                Deed.WITHOUT: (WITHOUT, commands.go_on_without),
                Deed.END: (END, commands.end),
                Deed.WAIT: (LONGER, partial(commands.wait, seat)),
                Deed.PLAY_ON: (PLAY_ON, commands.play_on),
                Deed.BACK: (BACK, commands.go_back),
            }
            label, do = acts[deed]
            rows.append((self._say(label, name), do))
        return rows

    def absence(self, facts: TableFacts) -> str:
        """Return the question what to do about those who are away, by name."""
        gone = [
            seat.name for seat in facts.taken
            if not seat.mine and (seat.state == "away" or seat.light is Light.UNHEARD)
        ]  # fmt: skip
        return self._say(AWAY, {"names": Verbatim(", ".join(gone))}) if gone else self._say(ABSENT)

    def absent(self, facts: TableFacts) -> Rows:
        """Return the actions of a seated player about absent players; none while everyone is present.

        The host that deals alone says what becomes of their seats.
        Anyone may want the match to end.
        """
        rows = self.orphaned(facts)
        if rows:
            return rows
        waiting: Rows = [(self._say(WAIT_FOR_ALL), nothing)]
        for at, seat in enumerate(facts.taken if facts.takes_part else ()):
            if seat.state == "away" and seat.helped and not seat.mine:
                rows += [
                    (self._say(WAIT, {"name": seat.name}), partial(self._commands.wait, at)),
                    (self._say(BLIND, {"name": seat.name}), partial(self._commands.blind, at)),
                ]
        if facts.may_suspend:
            rows = [*(rows or waiting), (self._say(SUSPEND), self._commands.suspend)]
        if facts.may_go_on:
            rows = [*(rows or waiting), (self._say(WITHOUT), self._commands.go_on_without)]
        if facts.takes_part and any(seat.state == "away" and not seat.mine for seat in facts.taken):
            rows = [*(rows or waiting), (self._say(END), self._commands.end)]
        return rows

    # -- house rules ------------------------------------------------------------------------------

    def ask_rule(self, facts: TableFacts) -> None:
        rows: Rows = [
            (
                rule_line(spec, facts.options.get(spec.name), self._help),
                partial(self.ask_value, spec, facts.options),
            )
            for spec in facts.offered
        ]
        self._ask(chosen(self._say(WHICH), [*rows, (self._say(DONE), nothing)]))

    def ask_value(self, spec: OptionSpec, options: Mapping[str, Any]) -> None:
        done = partial(self._commands.set_option, spec.name)
        self._ask(question_of(spec, options.get(spec.name), self._say, self._help, done))

    # -- teams ------------------------------------------------------------------------------------

    def ask_teams(self, facts: TableFacts) -> None:
        counts = () if facts.rules.teams is None else facts.rules.teams.counts
        rows: Rows = [(self._say(NO_TEAMS), partial(self._commands.set_teams, 0))]
        rows += [
            (self._say(SO_MANY, {"n": count}), partial(self._commands.set_teams, count)) for count in counts
        ]
        self._ask(chosen(self._say(HOW_MANY), [*rows, (self._say(DONE), nothing)]))

    def ask_team(self, facts: TableFacts) -> None:
        """Ask which team this player joins; the host may have lots drawn for all."""
        rows: Rows = [
            (self._say(name), partial(self._commands.join_team, number))
            for number, name in enumerate(NAMES[: facts.teams])
        ]
        rows.append((self._say(ANY_TEAM), partial(self._commands.join_team, -1)))
        if facts.hosts:
            rows.append((self._say(DRAW), partial(self._commands.join_team, None)))
        self._ask(chosen(self._say(WHICH_TEAM), [*rows, (self._say(DONE), nothing)]))

    # -- people and the door ----------------------------------------------------------------------

    def ask_key(self, seat: SeatFacts) -> None:
        """Ask whether someone who has a different key from before is the same person."""
        said = {"name": seat.name, "key": seat.key}
        take = partial(self._commands.confirm, seat)
        rows: Rows = [(self._say(NOT_THEIRS), nothing), (self._say(THEIRS, said), take)]
        self._ask(chosen(self._say(REALLY, said), rows))

    def ask_people(self, facts: TableFacts) -> None:
        """Ask what to do about the people at the table, and about the door."""
        commands = self._commands
        others = {seat.person: seat.name for seat in facts.taken if not seat.mine and seat.person}
        rows: Rows = [
            (self._say(UNLOCK), commands.unlock) if facts.locked else (self._say(LOCK), commands.lock)
        ]
        if facts.invitation.code:
            rows.append((self._say(NEW_CODE), commands.change_code))
        for person, name in {**others, **facts.watchers}.items():
            loud = person not in facts.muted
            acts: list[tuple[str, Callable[[bytes], object]]] = [
                (MUTE, commands.mute) if loud else (UNMUTE, commands.unmute),
                *(() if facts.running and person in others else ((KICK, commands.kick), (BAN, commands.ban))),
                *(((HEIR, commands.hand_over),) if person in others else ()),
            ]
            rows += [(self._say(said, {"name": Verbatim(name)}), partial(act, person)) for said, act in acts]
        rows += [
            (self._say(UNBAN, {"name": Verbatim(name)}), partial(commands.unban, person))
            for person, name in told_apart(facts.banned).items()
        ]
        self._ask(chosen(self._say(WHAT), [*rows, (self._say(DONE), nothing)]))

    # -- another game -----------------------------------------------------------------------------

    def ask_game(self, facts: TableFacts) -> None:
        rows: Rows = []
        for name, loaded in facts.games().items():
            info, (low, high) = loaded.info, loaded.info.seats
            said = {"title": self._say(info.title, None, info.package), "low": low, "high": high}
            rows.append((self._say(GAME, said), partial(self._commands.choose_game, name)))
        self._ask(chosen(self._say(WHICH_GAME), [*rows, (self._say(DONE), nothing)]))

    # -- bots -------------------------------------------------------------------------------------

    @staticmethod
    def may_add_bot(facts: TableFacts) -> bool:
        free = bool(facts.seats) and len(facts.taken) < facts.seats
        return facts.hosts and bool(facts.levels) and free and not facts.orphaned

    def add_bot(self, facts: TableFacts) -> None:
        seated = further_bots(facts)
        if self.may_add_bot(facts):
            usual = "normal" if "normal" in facts.levels else facts.levels[0]
            self._commands.seat_bots([*seated, usual])

    def ask_bots(self, facts: TableFacts) -> None:
        seated = further_bots(facts)
        rows: Rows = [
            (
                self._say(ONE_MORE, {"level": level_to_choose(level, self._say)}),
                partial(self._commands.seat_bots, [*seated, level]),
            )
            for level in facts.levels
            if len(facts.taken) < facts.seats
        ]
        rows += [(self._say(NONE), partial(self._commands.seat_bots, [])), (self._say(DONE), nothing)]
        self._ask(chosen(self._say(WHICH_BOTS), rows))


def further_bots(facts: TableFacts) -> list[str]:
    """Return the levels of the bots that aren't a machine's own player, without those unknown here."""
    return [seat.level for seat in facts.taken if seat.level in facts.levels and not seat.person]


def question_of(
    spec: OptionSpec, now: Any, say: Say, of_game: Callable[[str], str], done: Callable[[Any], object]
) -> PromptQuestion:
    """Return the question for a house rule's value, which is `now`; `done` gets the chosen one.

    `of_game` translates the game's own messages. Raise `Refused` if it's a text, which has to be typed.
    """
    kind: Question
    cursor = 0
    if words := spec.choices():
        current = as_typed(now)
        shown = [Verbatim(rule_value(spec, spec.read(word), of_game)) for word in words]
        kind = OneOf([
            Choice(word, "{word}", params={"word": said}) for word, said in zip(words, shown, strict=True)
        ])  # fmt: skip
        cursor = words.index(current) if current in words else 0
    elif spec.type is int:
        low = spec.low if spec.low is not None and not spec.off else 0
        kind = Amount(low, spec.high if spec.high is not None else 9999, spec.step, default=now)
    else:
        raise Refused(NAME_AND_VALUE, words=f"{spec.name} ...")
    prompt = say(VALUE, {"name": rule_name(spec, of_game), "help": of_game(spec.help)})
    return PromptQuestion(prompt, kind, lambda answer: done(kind.value_of(answer)), cursor=cursor)
