"""The state of the table screen: the log, the questions and the curtain. No widgets, no colours.

`take` receives the updates, and the screen reads the resulting state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tavolata._engine.match.entries import ANSWER, SAY, SEALED, MatchEntry
from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import (
    Asked,
    Began,
    Closed,
    Ended,
    Hinted,
    LobbyChanged,
    Said,
    Saying,
    Telling,
    Told,
    Update,
    WindowClosed,
    WindowOpened,
    spoken,
)  # fmt: skip
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._ui.answers import prompt_of, reason_lines
from tavolata._ui.curtain import Curtain
from tavolata._ui.endings import charges, result_lines
from tavolata._ui.i18n import Translator
from tavolata._ui.opening import CardRows
from tavolata._ui.plain import AGAIN, HINTED, LATE, YOUR_TURN
from tavolata._ui.previews import Details, details, previews
from tavolata._ui.scene.cast import Cast
from tavolata._ui.scene.cue import Verdicts
from tavolata._ui.scene.faces import letters_of
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.scene.items import shown_order
from tavolata._ui.scene.make import key_of, make_scene
from tavolata._ui.scene.rehearsal import rehearse
from tavolata._ui.scene.say import SceneWords, in_ascii
from tavolata._ui.scene.scene import RESULT, Guide, Scene, StoryLine
from tavolata._ui.scene.viewpoint import Viewpoint, lies
from tavolata._ui.tui.model.prompt import PromptQuestion
from tavolata._ui.words import Words
from tavolata._ui.wrapping import paged
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.messages import N_, Mark
from tavolata.ring import Seat
from tavolata.view import View
from tavolata.zones import Zone

if TYPE_CHECKING:
    from tavolata._engine.review.replay import Replay

STORY = 60
"""The newest lines of the log that a scene holds."""
RECALLED = 60
"""The most events since the last answer that can be shown again."""
AGAIN_OF = N_("event {n} of {all}")
NEXT = N_("Next")
KEPT = 2000
"""The most lines of the log that the screen keeps; the match's file has all of them."""


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the log: its words, its role, the only seats that may read it, and the seat that acted.

    A notice has its message, too: a newer one may take its place.
    """

    text: str
    role: str = ""
    to: tuple[int, ...] | None = None
    seat: int | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Glance:
    """A snapshot of the table at an event, because the match continues before the event is shown.

    `turn` counts as players do. `line` is the event in words, without anything that became known later.
    `awaits` says how often the script had continued. `marks` are pointed out with the event. `entry` is the
    number of the entry that led to it, in a match that follows entries.
    """

    zones: Mapping[str, Zone]
    turn: int
    line: str
    awaits: int = 0
    marks: tuple[Mark, ...] = ()
    entry: int = 0


class Recalled(NamedTuple):
    """An event since the last answer: its number among all of these, the zones before, the table with its
    sentence, the line in the log.
    """

    number: int
    before: Mapping[str, Zone]
    seen: Glance
    note: Note | None = None


class TableModel:
    """The state of the screen for one session.

    Attributes:
        asks: the open questions to people here, the oldest first; `others` are those to others.
        own: a question of the program itself, which comes before the game's questions.
        idle: the possible actions while nothing is asked: in the lobby and after a match.
        veil: the curtain between several people at one keyboard.
        ended: the result of the last match; None if there isn't one or it still runs.
        seen: the snapshot of the table for the event that is shown; None for the current table.
        before: the zones before what is shown now, so that changes can be marked.
        hushed: the seats whose words aren't shown here; at a table their people count, see `TableCommands`.
        says: by seat, the emote beside its name.
        hint: the place in `hints` that is in view.
        hint_room: the columns and rows for a hint, which is shown in parts if it's longer; None for any.
        folded: the hint is folded to one line.
        card: the game in three sentences, until somebody here has read it or answered; () for none.
        verdicts: the verdicts of this match; the last one is on the board until its hero changes.
        recalled: what happened since the last answer of someone here, the newest last.
        recall: the one that is shown again, even if newer ones have pushed it out of `recalled`; None while
            the present is shown.
    """

    _rehearsed: Match | None = None
    _begun: Match | None = None
    """The match that began last, as far as that is shown; `_package` has its translations."""
    _package: str = ""
    plain: bool = False
    """The screen draws only ASCII."""
    _remembers: bool = False
    """The screen has taken what was told before the match was resumed."""

    def __init__(self, session: TableSession, translator: Translator) -> None:
        self.session = session
        self.translator = translator
        self.notes: list[Note] = []
        self.asks: list[Ask] = []
        self.others: list[Ask] = []
        self.own: PromptQuestion | None = None
        self.idle: PromptQuestion | None = None
        self._question: PromptQuestion | None = None
        self.veil = Curtain(session)
        self.window: WindowOpened | None = None
        self.ended: Ended | None = None
        self.seen: Glance | None = None
        self.cast = Cast()
        self.verdicts = Verdicts()
        self.before: Mapping[str, Zone] | None = None
        self.marks: tuple[Mark, ...] = ()
        self.hushed: set[int] = set()
        self.says: dict[int, Said] = {}
        self.hints: list[str] = []
        self.hint = 0
        self.folded = False
        self._passed = False
        self.hint_room: tuple[int, int] | None = None
        self.card: CardRows = ()
        self.recalled: list[Recalled] = []
        self.recall: Recalled | None = None
        self._zones_before: Mapping[str, Zone] = {}

    # -- what commands and drawings need --------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The match on view: the one that began last as far as that is shown, even if the next has begun."""
        now = self.session.match
        return now if self._begun is None or (now is None and self.ended is None) else self._begun

    def lobby(self) -> TableFacts | None:
        """The state of the table between matches; None in a match or without a table."""
        facts = self.session.table()
        return None if facts is None or facts.running else facts

    def words(self) -> Words:
        """The words of the match on the table, or of the table itself."""
        return self._words_of(self.match)

    def _words_of(self, match: Match | None) -> Words:
        package = self.session.package if match is None or match is not self._begun else self._package
        if match is None:
            return Words(self.translator, package, ())
        hidden = match.texts_of(self.session.hidden | self.hushed)
        return Words(self.translator, package, match.terms.names, hidden)

    def _marks(self, match: Match | None) -> list[str]:
        """Return the mark of each seat of a match."""
        seats = 0 if match is None else len(match.terms.names)
        return [MARKS[mark] for _, mark in looks_of([*self.session.looks, *[None] * seats][:seats])]

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, the names on view: those of the match, whoever sits at the table now."""
        return self.session.names if self.match is None else self.match.terms.names

    def seat(self) -> int | None:
        """The seat of the player who looks at the screen now; None for a spectator."""
        return self.veil.seat()

    def view(self) -> View | None:
        match = self.match
        if match is None:
            return None
        has_gone_on = match.over and self.session.match is not match  # so its seats are other people's now
        return match.view(None if has_gone_on else self.seat())

    def named_here(self) -> Sequence[int]:
        """Return the places of the people here in `session.names`, which may have changed since the match."""
        facts = self.lobby()
        if facts is None:
            return self.session.people
        return [seat for seat, one in enumerate(facts.taken) if one.mine and not one.level]

    def looking(self) -> tuple[int, ...]:
        if not self.veil.several:
            return self.session.people
        return () if self.veil.unveiled is None else (self.veil.unveiled,)

    def asked(self) -> frozenset[int]:
        go = None if self.window is None else self.window.window.go
        asked = {int(ask.seat) for ask in [*self.asks, *self.others]}
        return frozenset(asked if go is None else {*asked, int(go)})

    def zones(self) -> Mapping[str, Zone]:
        again, view, verdict = self.shown_again(), self.view(), self.verdicts.now
        if again is not None:
            return again.zones
        zones = self.seen.zones if self.seen is not None else {} if view is None else view.zones()
        if verdict is None or verdict.held is None or lies(zones.get(verdict.hero)):
            return zones
        return {**zones, verdict.hero: verdict.held}  # until something new is there

    def turn(self) -> int:
        now = self.shown_again() or self.seen
        if now is not None:
            return now.turn
        return 0 if self.match is None else self.match.game.turns_begun(self.match.table)

    def shown_again(self) -> Glance | None:
        """The table of the moment that is shown again; None while the present is shown."""
        return None if self.recall is None else self.recall.seen

    def recall_next(self) -> bool:
        """Show what happened since the last answer again, or its next moment; return True if there is one."""
        before = 0 if self.recall is None else self.recall.number
        self.recall = next((one for one in self.recalled if one.number > before), None)
        return self.recall is not None

    def news(self) -> list[str]:
        return [one.seen.line for one in self.recalled]

    def reasons(self) -> list[str]:
        ask, view = self.open_question(), self.view()
        return [] if ask is None or view is None else reason_lines(ask.question, self.words(), view, ask)

    def details(self) -> Details | None:
        ask, match = self.open_question(), self.match
        return None if ask is None or match is None else details(match, ask, ask.question, (), self.words())

    def look(self) -> Glance:
        match = self.session.match  # in which something has just happened; an older one may still be shown
        assert match is not None
        return self._glance(match)

    def _glance(self, match: Match) -> Glance:
        event = match.events[-1]
        zones = match.view(None if self.veil.several else self.seat()).zones()
        words = in_story(self._words_of(match), self._marks(match), zones)
        line = words.event(event, self._view_for(event.to, match))
        return Glance(
            zones, match.game.turns_begun(match.table), line, match.awaits, event.marks, match.source.at
        )

    def scene(self, viewpoint: Viewpoint, question: PromptQuestion | None) -> Scene:
        view = self.view()
        say = SceneWords(self.words(), view, plain=viewpoint.ascii)
        several = self.veil.several
        told = [note for note in self._until_shown()[-STORY:] if several or note.role != "hint"]
        if self.verdicts.now is not None and self.verdicts.now.counted is not None:
            # The newest event has the result of what is still being counted; talk and notices are messages.
            newest = max((at for at, note in enumerate(told) if not note.message), default=0)
            told = [*told[:newest], *told[newest + 1 :]]
        story = tuple(StoryLine(say.plainly(note.text), note.role, note.seat) for note in told)
        zones, verdict = self.zones(), self.verdicts.now
        outcome = None if self.ended is None else self.ended.outcome
        whole = replace(
            viewpoint, names=self.names, looks=self.session.looks, people=self.session.people,
            looking=self.looking(), asked=self.asked(), turn=self.turn(),
            question=None if question is None else question.begun(), story=story, before=self.before,
            guide=self._guide(),
            series={seat: tuple(by.values()) for seat, by in self.verdicts.series.items()},
            end=self.ended, marks=self.marks,
            says={seat: self.words().text(one.text) for seat, one in self.says.items()},
            verdict=None if verdict is None or not verdict.lasts(zones) else verdict,
            decisive=None if outcome is None else self.verdicts.decisive(outcome.winners, outcome.scores),
        )  # fmt: skip
        if self.recall is not None:
            one = self.recall
            title = say(AGAIN_OF, {"n": one.number, "all": self.recalled[-1].number})
            waiting = title, say.plainly(one.seen.line), say(NEXT)
            whole = replace(
                whole, question=None, before=one.before, guide=None, end=None, waiting=waiting,
                marks=one.seen.marks, verdict=None,
            )  # fmt: skip
        elif question is not None and question.ask is not None and self.match is not None:
            view = self.match.view(question.ask.seat)
            say = SceneWords(self.words(), view, plain=viewpoint.ascii)
            would = previews(self.match, question.ask, question.draft.values())
            whole = replace(whole, preview=[self.words().describe(one, view) for one in would])
        return make_scene(view, zones.values(), whole, say, self.cast)

    def rehearse(self, *, plain: bool = False) -> None:
        """Give everything its place before the first frame of a match; do nothing later."""
        match = self.match
        if match is not None and self._rehearsed is not match:
            point = Viewpoint(self.translator.lang, "", match.terms.names, self.session.people, ascii=plain)
            self._rehearsed, self.cast = match, rehearse(match, self.seat(), self.words(), point)

    def take_places(self, other: TableModel) -> None:
        """Take the places of another model of the same match and viewer."""
        self._rehearsed, self.cast = other._rehearsed, other.cast

    def visible(self) -> list[Note]:
        if not self.veil.several:
            return self.notes
        seat = self.seat()
        return [note for note in self.notes if note.to is None or seat in note.to]

    def _until_shown(self) -> list[Note]:
        notes = self.visible()
        shown = None if self.recall is None else self.recall.note
        at = next((at for at, note in enumerate(notes) if note is shown), None)
        return notes if at is None else notes[: at + 1]

    def open_question(self) -> Ask | None:
        """The game's question to answer now; None behind a curtain."""
        if not self.asks or self.curtain() is not None:
            return None
        return self.asks[0]

    @property
    def owes(self) -> bool:
        """Return True if a window waits for a move of someone here, who has to press Enter."""
        window = None if self.window is None else self.window.window
        return window is not None and window.go in self.session.people and window.may(int(window.go))

    def question(self) -> PromptQuestion | None:
        """The question in the prompt: the program's, else the game's, else the choice of an action."""
        if self.own is not None:
            return self.own
        ask = self.open_question()
        if ask is None:
            return None if self.curtain() is not None or self.owes else self.idle
        if self._question is None or self._question.ask is not ask:
            match = self.match
            assert match is not None
            prompt = prompt_of(ask, self.words(), match.view(ask.seat))
            if self.veil.several:
                prompt = self.words().text(YOUR_TURN, {"seat": ask.seat, "prompt": prompt})
            view = match.view(ask.seat)
            allows = None if ask.claim is None else partial(_allows, view, ask)
            self._question = PromptQuestion(
                prompt, ask.question, lambda answer: self._answer(ask, answer), ask,
                allows=allows, order=partial(shown_order, view),
            )  # fmt: skip
        return self._question

    def _answer(self, ask: Ask, answer: Answer) -> None:
        self.session.answer(ask, answer)
        self.forget_hints()
        self.recalled, self.recall = [], None
        self.drop(ask)

    def show_question(self, ask: Ask) -> None:
        """Do nothing, because the screen always shows the question."""

    # -- curtains ---------------------------------------------------------------------------------

    def curtain(self) -> int | None:
        """The seat of the player who may look next, after the others have looked away."""
        if not self.asks:
            return None
        ask = self.asks[0]
        told = any(note.to is not None and ask.seat in note.to for note in self.notes)
        return int(ask.seat) if self.veil.hides(ask, told=told) else None

    def unveil(self) -> None:
        """Let only the player of the first question look at the screen."""
        self.veil.lift(int(self.asks[0].seat))

    # -- what happens -----------------------------------------------------------------------------

    def write(
        self, text: str, role: str = "", to: tuple[int, ...] | None = None, seat: int | None = None,
        message: str = "",
    ) -> None:  # fmt: skip
        self.notes.append(Note(text, role, to, seat, message))
        del self.notes[:-KEPT]

    def reply(self, text: str) -> None:
        """Add the reply to a command to the log; only the person who typed the command may read it."""
        seat = self.seat()
        self.write(text, "dim", (seat,) if self.veil.several and seat is not None else None)

    def take(self, update: Update) -> None:
        words = self.words()
        match update:
            case Told(again=True) | Said(again=True) if self._remembers:
                pass
            case Told(event, seen):
                is_open = event.to is None or not self.veil.several
                self._count(seen)
                if isinstance(seen, Glance) and is_open:
                    number = self.recalled[-1].number + 1 if self.recalled else 1
                    self.recalled.append(Recalled(number, self._zones_before or seen.zones, seen))
                    del self.recalled[:-RECALLED]
                    self._zones_before = seen.zones
                    self.verdicts.declared |= self.cast.stamps
                    self.verdicts.note(event, seen.zones, self._seats, self.cast.hero, seen.turn, seen.line)
                if event.to is None or any(seat in event.to for seat in self.session.people):
                    if is_open:
                        self.marks += event.marks
                    actor, marks = actor_of(event.params), self._marks(self.match)
                    line = (
                        seen.line if isinstance(seen, Glance)
                        else words.in_brief(marks).event(event, self._view_for(event.to, self.match))
                    )  # fmt: skip
                    role = "" if event.to is None else "private"
                    if actor is not None and actor < len(marks):  # the whole line has its mark
                        line = line.removeprefix(f"{marks[actor]} ")
                    self.write(line, role, event.to, actor)
                    if self.recalled and self.recalled[-1].seen is seen:
                        self.recalled[-1] = self.recalled[-1]._replace(note=self.notes[-1])
            case Asked(ask, mine):
                (self.asks if mine else self.others).append(ask)
                self.card = self.card if ask.seconds is None else ()
                self.veil.asked(ask, mine=mine)
            case Closed(ask, late):
                self.drop(ask)
                if late:
                    self.write(words.text(LATE), "wrong", (int(ask.seat),))
            case Said(name) if not update.mine and self._is_hushed(name):
                pass
            case Said(name) if update.is_emote and name in self.names and self.window is None:
                self.says[self.names.index(name)] = update
                self._tell(update.saying())
            case Said(name, to=to) if to:
                seats = enumerate(self.session.names)
                self._tell(update.saying(), tuple(seat for seat, one in seats if one in (name, *to)))
            case Hinted(seat=int(seat)):
                self._tell(update.saying(), (seat,))
                self.hint = len(self._parts(self.hints[:-1]))  # somebody waits for advice
            case Telling():
                self._tell(update.saying())
            case Began(match, again):
                self._begun, self._package = match, self.session.package
                self.window = None
                self.asks, self.others, self.own, self.ended = [], [], None, None
                self.veil = Curtain(self.session)
                self.before, self.marks, self.card = None, (), ()
                self.verdicts = Verdicts()
                if self._rehearsed is not self._begun:
                    self.cast = Cast()
                self.recalled, self.recall, self._zones_before = [], None, {}
                self.forget_hints()
                self._remembers = False
                if again:
                    self.write(words.text(AGAIN), "notice", message=AGAIN)
            case Ended():
                self.ended, self.asks, self.others, self.card = update, [], [], ()
                if update.outcome is not None:
                    self.verdicts.end(tuple(map(int, update.outcome.winners)))
                self.veil.fall()
                self.forget_hints()
                for text in charges(update, words):
                    self.write(text, "wrong")
                for text in result_lines(update._replace(statistics=None), words):
                    self.write(text, RESULT)
            case WindowOpened():
                self.window, self.recall, self._passed, self.card = update, None, True, ()
                self.before, self.marks = None, ()  # nothing else changes while hands are quick
            case WindowClosed():
                self.window = None
            case LobbyChanged():
                pass
        self._forget_answered()

    def _tell(self, said: Saying, to: tuple[int, ...] | None = None) -> None:
        words = self.words()
        if said.role == "hint":
            told = {"line": words.text(said.message, said.params, self.view())}
            self.write(words.text(HINTED, told), "hint", to)
            if not self.veil.several:
                if self.folded or self._passed:
                    self.forget_hints()  # what was read, or is about a card that is gone, does not come back
                self.hints.append(in_ascii(told["line"]) if self.plain else told["line"])
                if self._question is not None:
                    self._question.aims = False
        else:
            if said.renews:
                self.notes = [note for note in self.notes if note.message != said.message]
            self.write(words.text(said.message, said.params), said.role, to, message=said.message)

    def _is_hushed(self, name: str) -> bool:
        return name in self.names and self.names.index(name) in self.hushed

    def fade(self, emote: Said) -> None:
        """Take an emote away; do nothing if a newer one stands in its place, even with the same words."""
        self.says = {seat: one for seat, one in self.says.items() if one is not emote}

    def forget_hints(self) -> None:
        """Take the hints away; the log keeps them."""
        self.hints, self.hint, self.folded, self._passed = [], 0, False, False

    @property
    def reads_hint(self) -> bool:
        """Return True if a hint is in view, and the person hasn't pointed at an answer since it came."""
        question = self.question()
        return bool(self.hints) and not self.folded and (question is None or not question.aims)

    def next_hint(self) -> bool:
        """Show the next hint, or fold the last one; return True if there was one."""
        if not self.hints or self.folded:
            return False
        if self.hint + 1 < len(self._parts(self.hints)):
            self.hint += 1
        else:
            self.folded = True
        return True

    def _guide(self) -> Guide | None:
        if not self.hints:
            return None
        parts = self._parts(self.hints)
        at = min(self.hint, len(parts) - 1)
        place = f"{at + 1}/{len(parts)}" if len(parts) > 1 else ""
        return Guide(parts[at], place, self.folded)

    def _parts(self, hints: Sequence[str]) -> list[str]:
        """Split long hints into the parts that are shown one after the other."""
        if self.hint_room is None:
            return [*hints]
        return [part for hint in hints for part in paged(hint, *self.hint_room)]

    def past_of(self, replay: Replay) -> tuple[list[Update], Mapping[str, Zone]]:
        """Return the events and words in the file of a match, and the table at the last answer here."""
        past: list[Update] = []
        table: Mapping[str, Zone] = {}
        replay.on_event = lambda event: past.append(Told(event, self._glance(replay.match)))
        own = {replay.header.names[seat] for seat in self.session.people}
        for number, entry in enumerate(replay.kept.entries):
            mine = entry[1] in self.session.people
            if entry[0] == SAY:
                said = spoken(entry, replay.header.names, lambda *_: None, mine=mine)
                past += [] if said is None else [said.as_heard(own)]
            elif entry[0] == ANSWER and mine:
                table = replay.match.view(None if self.veil.several else self.seat()).zones()
            replay.feed(number + 1)
        return past, table

    def remember(
        self, past: Iterable[Update], table: Mapping[str, Zone], entries: Sequence[MatchEntry], *, still: bool
    ) -> None:
        """Take what happened in a match before it was resumed, as if this screen had been there.

        Events that the session repeats are left out then. `still`: without a pace the changes since the last
        answer here, when the `table` was like that, stay marked.
        """
        self._remembers = True
        self.notes = [note for note in self.notes if note.message != AGAIN]
        own = (ANSWER, SEALED)
        answers = (at for at, one in enumerate(entries) if one[0] in own and one[1] in self.session.people)
        last = max(answers, default=-1)
        for update in past:
            self.marks = () if isinstance(update, Told) else self.marks
            self.take(update)
            if self.recalled and self.recalled[-1].seen.entry <= last:
                self.recalled = []
        self.marks = self.marks if still else ()
        early = self.recalled[0].before if self.recalled and last >= 0 else None
        self.before = (table or early) if still else None

    def _count(self, seen: Any) -> None:
        zones, turn = (seen.zones, seen.turn) if isinstance(seen, Glance) else (self.zones(), self.turn())
        self.verdicts.count(zones.values(), self._seats, turn)

    @property
    def _seats(self) -> int:
        """The seats of the match on view; at its end people may have left the table already."""
        return 0 if self.match is None else len(self.match.terms.names)

    def _view_for(self, to: tuple[int, ...] | None, match: Match | None) -> Any:
        """Return the view for the text of an event; a secret event for one person here uses that person's
        view.
        """
        if match is None:
            return None
        if self.veil.several:
            mine = [seat for seat in self.session.people if to is not None and seat in to]
            return match.view(mine[0] if mine else None)
        return match.view(self.seat())

    def _forget_answered(self) -> None:
        match = self.match
        open_now = [] if match is None or match.over else match.source.open
        self.others = [ask for ask in self.others if any(ask is one for one in open_now)]

    def drop(self, ask: Ask) -> None:
        """Remove a question that no one here has to answer."""
        first = bool(self.asks) and self.asks[0] is ask
        self.asks = [one for one in self.asks if one is not ask]
        if first:
            self.veil.fall()


def actor_of(params: Mapping[str, Any]) -> int | None:
    """Return the seat that acted in an event, as far as its fields say so."""
    seat = params.get("seat")
    return int(seat) if isinstance(seat, Seat) else None


def in_story(words: Words, marks: Sequence[str], zones: Mapping[str, Zone]) -> Words:
    """Return the words of a story: seats have their marks, and tokens the letters on their lanes."""
    tracks = (zone.params.get("tokens", ()) for zone in zones.values() if zone.kind == "track")
    tokens = (token for track in tracks for token in track)
    names = {key: words.describe(key) for key in map(key_of, tokens)}
    letters = zip(names.items(), letters_of([*names.values()]), strict=True)
    return words.in_brief(marks, {key: letter for (key, name), letter in letters if f"({letter})" in name})


def _allows(view: View, ask: Ask, answer: Answer) -> bool:
    return view.holds(ask, ask.question.value_of(answer))
