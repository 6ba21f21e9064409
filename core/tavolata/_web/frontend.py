"""The table as one browser shows it: the state as JSON data, and the acts of the person. No sockets, no HTML.

It has the same parts as the full screen: a model, a director that shows what happens at a pace, and drafts of
answers. Drafts live here, not on the page, so a page that is loaded again finds them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from tavolata._engine.match.take_back import may as may_take_back
from tavolata._engine.match.take_back import standing as standing_request
from tavolata._engine.match.updates import Began, Said, Told, Update, WindowOpened
from tavolata._engine.review.replay import Replay
from tavolata._engine.sessions.next_step import (
    NEXT_MATCH,
    NUDGE_AFTER,
    PLAYING,
    THINKS,
    WHEN_FREE,
    NextStep,
    next_step,
)
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_facts import TRUST, TableFacts, said_of_machines
from tavolata._machine import bits
from tavolata._tasks import cancel
from tavolata._text import Verbatim, one_line
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import level_text, rule_line
from tavolata._ui.opening import card_rows
from tavolata._ui.scene.cast import Cast
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.scene.rehearsal import window_data
from tavolata._ui.scene.scene import GameCard, Scene
from tavolata._ui.scene.text import Json, as_data
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.standing import Standing, standing
from tavolata._ui.table_lines import SLOW, seat_notes
from tavolata._ui.talk import NOT_SEATED, mates, whispered
from tavolata._ui.tui.drawing.lobby import IN_TEAMS, STATES
from tavolata._ui.tui.model.director import PACES, Feed
from tavolata._ui.tui.model.marking import EMOTE_SHOWN, Marking
from tavolata._ui.tui.model.prompt import PromptQuestion, Rows, chosen, interject
from tavolata._ui.tui.model.replay_model import ReplayModel
from tavolata._ui.tui.screens.after_match import BEGIN_AGAIN
from tavolata._ui.tui.screens.hosting import READY, Hosting
from tavolata._web.replay import BrowserReplay
from tavolata.choices import Answer
from tavolata.errors import MessageError, Refused
from tavolata.kinds.question import Choices, Number, Writing, choices_of
from tavolata.messages import N_
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS
from tavolata.windows import Window

STORY: Final = 40
"""The newest sentences of the story that a page gets."""
WORDS: Final = 300
"""The most characters that a person says at once."""

YOUR_TABLE = N_("What do you want to do?")
YOU_WATCH = N_("You're watching.")
WOULD_UNDO = N_("{name} would like to undo the last answer.")


class BrowserFrontend:
    """A session as a browser shows it.

    `keeper` is the player whose machine serves the page. `changed` is called when the state has changed;
    `watched` says if a page shows it now. `played` reads the last match of this table, to show it again; None
    where it can't be. `trouble` is why the last act was not possible; "" if it was.
    """

    def __init__(
        self,
        session: TableSession,
        translator: Translator,
        title: Callable[[], str],
        keeper: Callable[[], str],
        changed: Callable[[], object],
        watched: Callable[[], bool],
        played: Callable[[], Replay] | None = None,
    ) -> None:
        self.session = session
        self._feed = Feed(session, translator, PACES["normal"])
        self.model, self._director = self._feed.model, self._feed.director
        self.trouble = ""
        self._say = translator.text
        self._title = title
        self._keeper = keeper
        self._changed = changed
        self._watched = watched
        self._played = played
        self._again: BrowserReplay | None = None
        self._stepped: object = None
        self._marking = Marking(self.model, self._director)
        self._window_number = bits(32)  # from here and below, numbers that a page has of no other frontend
        self._sent_at: float | None = None
        self._drawn_at: tuple[float, ...] = ()  # at first and at last: a page that is reloaded draws again
        self._question: tuple[int, PromptQuestion | None] = (bits(32), None)
        commands = session.commands
        self._hosting = None if commands is None else Hosting(
            self._say, lambda text: self.model.words().text(text), commands, self._ask, self._invite
        )  # fmt: skip
        self._acts: Mapping[str, Callable[[Json], object]] = {
            "point": self._point,
            "number": self._number,
            "write": self._write,
            "send": self._send,
            "undo": self._undo,
            "take_back": lambda _: self.session.take_back(),
            "stop": lambda _: None if session.commands is None else session.commands.suspend(),
            "react": self._react,
            "step": self._do_step,
            "stir": lambda _: None,
            "begun": lambda _: self._put_card_away(),
            "drawn": self._drawn,
            "offer": self._offer,
            "say": self._speak,
            "name": self._rename,
            "look": self._look_so,
            "next": lambda _: self.model.next_hint() or self._director.step(),
            "skip": lambda _: self._director.skip(),
            "pace": self._pace,
            "again": self._show_again,
        }

    # -- the session ------------------------------------------------------------------------------

    async def run(self) -> None:
        """Follow the session to its end; raise `TavolataError` if it failed."""
        follower = asyncio.create_task(self._follow())
        try:
            await self._director.tell(self._show)
        finally:
            self._stop_again()
            await cancel(follower)
        if self._feed.failure is not None:
            raise self._feed.failure

    async def _follow(self) -> None:
        await self._feed.follow()
        self._director.end(ended=True)  # a page needs no last board: it has the match to show again

    async def _show(self, updates: Sequence[Update]) -> None:
        model = self.model
        if isinstance(updates[0], Told) and not self.session.people:
            self._put_card_away()  # nobody there could
        self._marking.take(updates)
        for update in updates:
            if isinstance(update, Began):
                self._stop_again()  # the next match does not wait
                model.rehearse()
                if self.session.people or not update.again:  # a page puts it away if its person knows it
                    model.card = card_rows(update.match.rules, model.words())
            if isinstance(update, WindowOpened):
                # Their own numbers begin again with each match, and where one goes back.
                self._window_number, self._sent_at, self._drawn_at = self._window_number + 1, None, ()
                if not self._watched():
                    self.session.drawn(update.window.id)
            if isinstance(update, Said) and update.is_emote:
                asyncio.get_running_loop().call_later(EMOTE_SHOWN, self._fade, update)
        if self._marking.mark(updates):
            self._offer_acts()
            self._changed()

    def hurry(self) -> None:
        """Show all that has happened, up to the end, without any pause."""
        self._director.pace = 0.0
        self._director.step()

    def _fade(self, emote: Said) -> None:
        self.model.fade(emote)
        self._changed()

    def tick(self) -> None:
        """Let the marks of changes fade and clocks run; called about once a second."""
        model, faded = self.model, self._marking.fade()
        clocked = any(ask.seconds is not None for ask in [*model.asks, *model.others])
        facts = self.session.table()
        step = self._next(facts)
        now = None if step is None else (step.text, step.acts, self._director.tells)
        stepped, self._stepped = now != self._stepped, now
        if stepped and facts is not None and facts.running:
            self._offer_acts()
        if stepped or faded or (clocked and model.window is None):
            self._changed()

    @property
    def given_up(self) -> bool:
        """Return True if everyone has waited for this person for so long that a bot plays."""
        facts = self.session.table()
        people = self.session.people
        return facts is not None and any(one.seat in people and one.left == 0 for one in facts.awaited)

    def _next(self, facts: TableFacts | None) -> NextStep | None:
        """Return the next step at the table; None at the end, until this person is ready again."""
        if facts is None or not facts.seats:
            return None
        if self.model.ended is not None and not facts.ready and facts.starts_in is None:
            return None
        return next_step(facts, asked=bool(self.model.asks) and not self._director.waiting)

    def _step(self, facts: TableFacts | None) -> Json | None:
        """Return the next step for the page, which counts on its own.

        `told`: what happened is still the news, or nobody is waited for.
        """
        step = self._next(facts)
        if step is None or facts is None or self._hosting is None:
            return None
        offered = [] if self.model.idle is None else _labels(self.model.idle)
        thinks = self._thinking() if step.text.message == PLAYING else ""
        told = facts.running and not step.urgent and self._director.tells
        return {
            "text": thinks or self._say(step.text.message, step.text.params),
            "told": told or (step.text.message == PLAYING and not thinks),
            "left": step.left,
            "since": step.since if step.urgent or (not told and (step.since or 0) >= NUDGE_AFTER) else None,
            "urgent": step.urgent,
            "acts": [label for label, _ in self._hosting.deeds(facts, step) if label not in offered],
        }

    def _do_step(self, said: Json) -> None:
        """Do what the next step offers; the act is known by its words, for acts change."""
        facts = self.session.table()
        step = self._next(facts)
        if step is None or facts is None or self._hosting is None:
            raise ValueError
        next(do for label, do in self._hosting.deeds(facts, step) if label == said["label"])()

    # -- what is shown ----------------------------------------------------------------------------

    def state(self) -> Json:
        if self._again is not None and self._again.model is not None:
            return self._state_of(self._again.model)
        model, facts = self.model, self.session.table()
        number, question = self._numbered()
        phase = "play" if model.match is not None else "lobby"
        if model.ended is not None:
            phase = "end"
        elif model.window is not None:
            phase = "window"
        point = Viewpoint(
            self.model.translator.lang, self._title(), (), phase=phase, notes=seat_notes(facts, self._say),
            bots=frozenset() if model.match is None else model.match.terms.bots,
            waiting=self._waiting(facts), clock=self._clock(), link=self._link(facts),
        )  # fmt: skip
        model.rehearse()
        whole = model.scene(point, question)
        scene = _sent(replace(whole, card=GameCard(model.card)) if model.card else whole)
        if phase != "end":
            for panel in scene.get("panels", ()):  # a scene may have none
                panel.pop("series", None)  # they grow with every turn
        return {
            "type": "state",
            "scene": scene,
            "cast": _largest(model.cast),
            "question": number,
            "kind": self._kind(question),
            "draft": question is not None and question.draft.touched,
            "trouble": self.trouble,
            "window": self._window(),
            "takes": may_take_back(model.match, self.session.people),
            "undo": self._undo_of_another(),
            "next": self._step(facts),
            "lights": self._lights(facts),
            "nudged": facts is not None and self._place(facts) in facts.nudged,
            "offers": [row.label for row in self._standing()],
            "waits": len(self._director.waiting),
            "pace": self._director.pace,
            "lobby": None if facts is None else self._lobby(facts),
            "talk": self._talk(facts),
        }

    def _state_of(self, replay: ReplayModel) -> Json:
        """Return a moment of a match that is shown again, in the form of `state`."""
        point = Viewpoint(
            self.model.translator.lang, self._title(), (),
            phase="end" if replay.ended() is not None else "play",
        )  # fmt: skip
        return {
            "type": "state", "scene": _sent(replay.scene(point)), "cast": _largest(replay.table.cast),
            "question": "", "kind": {}, "draft": False,
            "trouble": "", "window": None, "offers": [], "waits": 0, "lobby": None,
            "talk": self._talk(self.session.table()),
        }  # fmt: skip

    def _numbered(self) -> tuple[str, PromptQuestion | None]:
        """Return the question with a number that changes with it and with the field that is asked."""
        number, before = self._question
        question = self.model.question()
        if question is not before:
            number += 1
            self._question = (number, question)
        return ("" if question is None else f"{number}.{len(question.draft.given)}"), question

    def _kind(self, question: PromptQuestion | None) -> Json:
        """Return how the current field is answered, as far as the scene does not say it."""
        if question is None:
            return {}
        match question.draft.shape:
            case Number() | Writing():
                return {}
            case Choices() as shape if shape.several:
                return {"low": shape.low, "high": shape.high, "ordered": shape.ordered}
            case Choices():
                return {"idle": question.prompt == self._say(YOUR_TABLE)}
            case _ as never:
                assert_never(never)

    def _window(self) -> Json | None:
        opened, words = self.model.window, self.model.words()
        if opened is None:
            return None
        seat = next(iter(self.session.people), None)
        self._sent_at = self._sent_at or asyncio.get_running_loop().time()
        return {"id": self._window_number, **window_data(opened.window, seat, words)}

    def _waiting(self, facts: TableFacts | None) -> tuple[str, str, str]:
        model = self.model
        if model.window is not None:
            return self._say(N_("Be quick!")), "", ""
        if facts is not None and facts.waits:
            return "", self._say(NEXT_MATCH if facts.running else WHEN_FREE), ""
        if model.match is None:
            return "", "", ""
        return "", self._thinking() or ("" if self.session.people else self._say(YOU_WATCH)), ""

    def _thinking(self) -> str:
        """Return who the table waits for, bots too; "" for nobody, or while the page shows what happened."""
        model, words = self.model, self.model.words()
        if self._director.tells or not model.others:
            return ""
        ask = model.others[-1]
        if ask.others:
            return words.text(ask.others, {"seat": ask.seat, **ask.params}, model.view())
        return words.text(THINKS, {"name": ask.seat})

    def _undo_of_another(self) -> str:
        """Return what somebody else would take back, as a sentence; "" for nobody."""
        match = self.model.match
        request = None if match is None else standing_request(match)
        mine = frozenset(self.session.people)
        if request is None or request.seat in mine or not mine - request.agreed:
            return ""
        return self._say(WOULD_UNDO, {"name": self.session.names[request.seat]})

    def _lights(self, facts: TableFacts | None) -> list[int]:
        """Return by seat the lights of the people on view; those who have left the table have none."""
        taken = () if facts is None else facts.taken
        lights: dict[str, int] = {one.name: int(one.light) for one in taken}
        return [lights.get(name, 0) for name in self.model.names]

    def _place(self, facts: TableFacts | None) -> int | None:
        """Return this person's place at the table; after a match it may not be the seat there."""
        if facts is None:
            return self.model.seat()
        return next((at for at, one in enumerate(facts.taken) if one.mine and not one.level), None)

    @staticmethod
    def _link(facts: TableFacts | None) -> str:
        trips = [] if facts is None else [one.trip for one in facts.taken if one.trip is not None]
        return f"{max(trips)} ms" if trips and max(trips) >= SLOW else ""

    def _clock(self) -> str:
        left = self._feed.seconds_left()
        return "" if left is None else self._say(N_("{number} s left"), {"number": left})

    def _lobby(self, facts: TableFacts) -> Json:
        dealt, params = facts.dealt
        counted = [self._say(message, told) for message, told in said_of_machines(facts.beside, facts.served)]
        trust = [self._say(dealt, params), *counted, self._say(TRUST, {"host": self._keeper()})]
        looks = looks_of([seat.look for seat in facts.taken])
        say, usual = self.model.words().text, facts.rules.options().plain()
        rules = {spec.name: rule_line(spec, facts.options.get(spec.name), say) for spec in facts.offered}
        return {
            "seats": facts.seats,
            "free": facts.seats > 0 and not facts.full,
            "running": facts.running,
            "seated": facts.seated,
            "taken": [
                {
                    "name": seat.name,
                    "hue": look[0],
                    "mark": MARKS[look[1]],
                    "mine": seat.mine and not seat.level,
                    "light": int(seat.light),
                    "ready": seat.state in ("ready", "bot"),
                    "state": ", ".join(
                        [
                            *([self._say(seat.team)] if seat.team else []),
                            self._say(
                                STATES[seat.state], {"level": level_text(seat.level), "owner": seat.owner}
                            ),
                        ]
                    ),
                }
                for seat, look in zip(facts.taken, looks, strict=True)
            ],
            "marks": MARKS,
            "watchers": list(facts.watchers.values()),
            "teams": [
                *(self._say(*line) for line in facts.campaign),
                *([self._say(IN_TEAMS, {"n": facts.teams})] if facts.teams else []),
                *([self._say(*facts.uneven)] if facts.uneven else []),
            ],
            "rules": [*rules.values()],
            "changed": [line for name, line in rules.items() if facts.options.get(name) != usual[name]],
            "problems": [self._say(problem.message, problem.params) for problem in facts.problems],
            "trust": trust,
        }

    # -- what the person can do without being asked -----------------------------------------------

    def _standing(self) -> list[Standing]:
        seat = self.model.seat()
        if seat not in self.session.people:
            return []
        return standing(self.model.match, seat, self.model.words())

    def _offer_acts(self) -> None:
        facts, hosting, rows, prompt = self.session.table(), self._hosting, [], self._say(YOUR_TABLE)
        if facts is not None and hosting is not None and facts.seats:
            if facts.running:
                rows, prompt = hosting.absent(facts), hosting.absence(facts)
            else:
                rows = [row for row in hosting.rows(facts) if row[1] != self._invite]
                if self.model.ended is not None and rows and rows[0][0] == self._say(READY):
                    rows[0] = self._say(BEGIN_AGAIN), rows[0][1]
                if self.model.ended is not None and self._played is not None:
                    rows.append((self._say(N_("watch the match again")), self._begin_again))
        self.model.idle = self._kept(prompt, rows) if rows else None

    def _kept(self, prompt: str, rows: Rows) -> PromptQuestion:
        fresh, before = chosen(prompt, rows), self.model.idle
        if before is not None and before.prompt == fresh.prompt and _labels(before) == _labels(fresh):
            before.done = fresh.done
            return before
        return fresh

    def _ask(self, question: PromptQuestion) -> None:
        self.model.own = question

    def _invite(self) -> None:
        """Do nothing: the page always has the link and its QR code."""

    # -- acts -------------------------------------------------------------------------------------

    def hear(self, said: Json) -> None:
        """Carry out an act of the person. An act that makes no sense is dropped without a word."""
        act = self._acts.get(said["do"]) if isinstance(said.get("do"), str) else None
        if act is None:
            return
        if said["do"] != "drawn":
            self.session.stirred()
        before, self.trouble = self.trouble, ""
        try:
            act(said)
        except Refused as refusal:
            self.trouble = self.model.words().text(refusal.message, refusal.params)
        except (ValueError, TypeError, LookupError, StopIteration):
            self.trouble = before
            return
        self._offer_acts()
        self._changed()

    def _asked(self, said: Json) -> PromptQuestion:
        """Return the question that the act is about.

        Raise `ValueError` if it's not asked any more; the page will soon know.
        """
        number, question = self._numbered()
        if question is None or said.get("question") != number:
            raise ValueError(number)
        return question

    def _point(self, said: Json) -> None:
        """Point at a choice, or select it if several can be."""
        draft, at = self._asked(said).draft, _whole(said["at"])
        if not 0 <= at < len(draft.choices):
            raise ValueError(at)
        draft.point(at)
        if draft.several:
            draft.mark()

    def _put_card_away(self) -> None:
        self.model.card = ()

    def _number(self, said: Json) -> None:
        draft, number = self._asked(said).draft, _whole(said["number"])
        if draft.number:
            draft.typed = str(max(0, min(number, 10**9)))

    def _write(self, said: Json) -> None:
        draft, text = self._asked(said).draft, said["text"]
        if draft.writing and isinstance(text, str):
            draft.typed = text[:WORDS]

    def _send(self, said: Json) -> None:
        question = self._asked(said)
        if "at" in said:
            draft, at = question.draft, _whole(said["at"])
            if not 0 <= at < len(draft.choices) or draft.several:
                raise ValueError(at)
            draft.point(at)
        if "number" in said:
            self._number(said)
        if "text" in said:
            self._write(said)
        answer = question.draft.enter()
        if answer is None:
            return
        if self.model.own is question:
            self.model.own = None
        self._put_card_away()
        question.done(answer)

    def _undo(self, said: Json) -> None:
        """Take back the last mark or field; without one, put the program's question away."""
        question = self._asked(said)
        if not question.draft.undo() and self.model.own is question:
            self.model.own = None

    def _opened(self, said: Json) -> Window:
        """Return the window that the act is about; raise `ValueError` if it isn't open any more."""
        opened = self.model.window
        if opened is None or _whole(said["window"]) != self._window_number:
            raise ValueError(said["window"])
        return opened.window

    def _drawn(self, said: Json) -> None:
        window = self._opened(said).id
        self._drawn_at = (*self._drawn_at[:1], asyncio.get_running_loop().time())
        self.session.drawn(window)

    def _react(self, said: Json) -> None:
        """React in a window. The page measured the time; it can't be longer than we waited for it.

        A page that was reloaded measured from its second picture of the window.
        """
        window, taken, people = self._opened(said), _whole(said["ms"]), self.session.people
        if not people or taken < 0:
            raise ValueError(taken)
        now = asyncio.get_running_loop().time()
        waited = round(1000 * (now - (self._sent_at or now)))
        taken += round(1000 * (self._drawn_at[-1] - self._drawn_at[0])) if self._drawn_at else 0
        seat, at = people[0], said["at"]
        answer: Answer = GOES
        if at != "go":
            kind = window.questions[SEATS[seat]]
            answer = kind.check(kind.answer_from((_whole(at),)))
        self.session.react(window.id, seat, answer, min(taken, waited))

    def _offer(self, said: Json) -> None:
        """Do what the game allows at any time; the row is known by its words, for rows change."""
        row = next(row for row in self._standing() if row.label == said["label"])
        interject(self.session, row, self._ask)

    def _speak(self, said: Json) -> None:
        """Speak to those who are picked, or named as in "/to NAME words"; otherwise to all."""
        words = one_line(said["words"], WORDS) if isinstance(said["words"], str) else ""
        names, seat = self.session.names, self.model.seat()
        to: Sequence[int] = [_seat_of(one, names) for one in said.get("to", ())]
        for one, meant in zip(to, said.get("of", ()), strict=False):
            if self._persons(self.session.table())[one] != meant:  # another one has that name by now
                raise Refused(NOT_SEATED, name=names[one])
        if words.strip():
            own, gone = mates(self.model.match, seat), self.session.lately_gone
            named = whispered(words, names, own, self._say, gone)
            to, words = (to, words) if named is None else named
            self.session.say(words, to, seat)

    def _talk(self, facts: TableFacts | None) -> Json:
        names, own = self.session.names, self._place(facts)
        return {
            "to": [name for one, name in enumerate(names) if one != own],
            "of": [one for at, one in enumerate(self._persons(facts)) if at != own],
            "team": [names[one] for one in mates(self.model.match, self.model.seat())],
        }

    @staticmethod
    def _persons(facts: TableFacts | None) -> list[str]:
        """Return by place what stays the same of its person under another name."""
        return [] if facts is None else [one.person[-8:].hex() for one in facts.taken]

    def _rename(self, said: Json) -> None:
        if self.session.commands is not None and isinstance(said["name"], str):
            self.session.commands.rename(" ".join(said["name"].split()))

    def _look_so(self, said: Json) -> None:
        if self.session.commands is not None:
            self.session.commands.choose_look(_whole(said["hue"]), _whole(said["mark"]))

    def _begin_again(self) -> None:
        if self._played is not None:
            self._stop_again()  # whoever taps twice watches once
            seat = next(iter(self.session.people), None)
            self._again = BrowserReplay(
                self._played, self.model.translator, self.session.package, seat,
                self._changed, self._not_again,
            )  # fmt: skip

    def _not_again(self, why: MessageError) -> None:
        self._again = None
        self.trouble = self.model.words().text(why.message, why.params)
        self._changed()

    def _show_again(self, said: Json) -> None:
        if self._again is None:
            return
        if said.get("what") == "stop":
            self._stop_again()
        else:
            self._again.do(said)

    def _stop_again(self) -> None:
        if self._again is not None:
            self._again.close()
            self._again = None

    def _pace(self, said: Json) -> None:
        """Show events faster (1) or more slowly (-1)."""
        self._director.faster(1 if _whole(said["by"]) > 0 else -1)


def _sent(scene: Scene) -> Json:
    """Return a scene as JSON data, without what a page has no use for."""
    data: Json = as_data(replace(scene, cast=None))
    data["story"] = data.get("story", [])[-STORY:]
    return data


def _largest(cast: Cast) -> Json:
    """Return what a page measures before the first frame of a match: everything at its largest."""
    parts = (
        replace(item, slot=part.slot, role=part.role)
        for part in cast.parts.values() for item in part.largest.values()
    )  # fmt: skip
    rare = [zone for zone in cast.others() if 2 * cast.parts[zone].filled < cast.changes]
    return {
        "parts": [as_data(part) for part in parts], "rare": rare,
        "asks": [as_data(ask) for ask in cast.asks.values()],
        "windows": list(cast.windows.values()), "main": cast.main, "shown": cast.shown,
    }  # fmt: skip


def _seat_of(name: object, names: Sequence[str]) -> int:
    """Return the seat of the player with this name; raise `Refused` if they have left."""
    if not isinstance(name, str):
        raise TypeError(name)
    if name not in names:
        raise Refused(NOT_SEATED, name=Verbatim(one_line(name, 60)))
    return names.index(name)


def _whole(value: object) -> int:
    """Return a whole number; raise `TypeError` if it isn't one."""
    if type(value) is not int:
        raise TypeError(value)
    return value


def _labels(question: PromptQuestion) -> list[object]:
    return [choice.params["what"] for choice in choices_of(question.kind)]
