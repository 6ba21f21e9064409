"""The offers: what people may do unasked: out of turn, in the lobby, after a match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Final

from tavolata._engine.sessions.next_step import next_step
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._text import Verbatim
from tavolata._ui.standing import standing_here
from tavolata._ui.tui.model.prompt import PromptQuestion, Rows, chosen, interject, nothing
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.after_match import GO_AWAY, Act, AfterMatch
from tavolata._ui.tui.screens.frame import Frame
from tavolata._ui.tui.screens.pages import Pages
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._ui.tui.screens.hosting import Hosting

WHAT_NOW = N_("What now?")
RENAME = N_("change your name")
INVITING = N_("Here's how others can join.")
BACK = N_("back")
ARE_READY = N_("Ready: {names}.")
NOT_YET = N_("We're waiting for {names}.")
BESIDE: Final = 76
"""The columns from which a lobby has the newest words beside its QR code."""
TALL: Final = 26
"""The rows from which a lobby asks in words what to do."""


class Offers:
    def __init__(
        self,
        frame: Frame,
        model: TableModel,
        pages: Pages,
        after: AfterMatch,
        ask: Callable[[PromptQuestion], object],
    ) -> None:
        self._frame, self._say = frame, frame.say
        self._model, self._session = model, model.session
        self._pages = pages
        self._after = after
        self._ask = ask
        self._hosting: Hosting | None = None
        self._seen: dict[str, None] = {}
        self._menu: PromptQuestion | None = None
        if (commands := self._session.commands) is not None:
            from tavolata._ui.tui.screens.hosting import Hosting  # noqa: PLC0415 - a match here starts faster without it

            self._hosting = Hosting(
                frame.translator.text, lambda text: model.words().text(text), commands, ask, self.invite
            )

    # -- out of turn ------------------------------------------------------------------------------

    def standing(self) -> Rows:
        model, session = self._model, self._session
        if model.curtain() is not None:
            return []
        facts = session.table()
        rows: Rows = [
            (row.label, partial(interject, session, row, self._ask))
            for row in standing_here(model.match, session.people, model.seat(), model.words())
        ]
        if facts is not None and facts.running and self._hosting is not None and model.ended is None:
            rows += self._in_match(facts, self._hosting)
        return self._steady(rows)

    def _in_match(self, facts: TableFacts, hosting: Hosting) -> Rows:
        """Return what can be done about the next step, about players who are gone and about knocks."""
        absent = hosting.absent(facts)[1:]  # without waiting, which needs no key
        known = {label for label, _ in absent}
        deeds = hosting.deeds(facts, next_step(facts, asked=bool(self._model.asks)))
        rest = [(label, do) for label, do in deeds if label not in known]
        return [*absent, *rest, *((act.label, act.do) for act in hosting.comers(facts))]

    def comer(self) -> Act | None:
        """Return what lets in the first one that knocks in a match; None if nobody does."""
        facts = self._session.table()
        if facts is None or self._hosting is None or not facts.running:
            return None
        return next((act for act in self._hosting.comers(facts) if act.key), None)

    def _steady(self, rows: Rows) -> Rows:
        """Return the rows in the order in which they appeared, so that a later one moves none of them."""
        labels = {label for label, _ in rows}
        self._seen = {label: None for label in self._seen if label in labels}
        self._seen.update(dict.fromkeys(label for label, _ in rows))
        places = {label: at for at, label in enumerate(self._seen)}
        return sorted(rows, key=lambda row: places[row[0]])

    def choose(self) -> None:
        """Let the person choose what to do out of turn; raise `Refused` if there's nothing."""
        rows = self.standing()
        if not rows:
            raise Refused(N_("There's nothing you can do out of turn right now."))
        facts = self._session.table()
        known = [] if facts is None or self._hosting is None else self._hosting.comers(facts)
        cursor = len(rows) if rows[0][0] in [act.label for act in known] else 0  # Enter lets nobody in
        rows.append((self._say(N_("nothing")), nothing))
        self._menu = chosen(self._say(N_("What would you like to do?")), rows, cursor)
        self._ask(self._menu)

    def _close_menu(self) -> None:
        """Close the menu once nothing in it can be done; until then its rows keep their numbers."""
        if self._menu is None or self._model.own is not self._menu:
            self._menu = None
        elif not {label for label, _ in self.standing()} & {*self._menu.labels}:
            self._menu = self._model.own = None

    # -- while nothing is asked -------------------------------------------------------------------

    @property
    def on_podium(self) -> bool:
        """Return True if the end of a match is on view, and not the lobby of its table."""
        facts = self._session.table()
        if self._model.ended is None or self._pages.inviting or self._after.in_lobby:
            return False
        return facts is None or not (facts.running or facts.orphaned)

    def renew(self) -> None:
        """Offer the possible actions while nothing is asked; the cursor stays on its own."""
        self._close_menu()
        before, fresh = self._model.idle, self._idle()
        if before is not None and fresh is not None:
            fresh.follow(before)
        self._model.idle = fresh

    def _idle(self) -> PromptQuestion | None:
        model, hosting, facts, say = self._model, self._hosting, self._session.table(), self._say
        if self.on_podium:
            return self._afterwards(facts)
        if facts is None or hosting is None or not facts.seats:
            return None
        if facts.running:
            wait = hosting.absent(facts)[:1]
            return chosen(hosting.absence(facts), [*wait, *self.standing()]) if wait else None
        if model.match is not None and model.ended is None:
            return None  # the match is over, but not all of it has been shown
        if self._pages.inviting:
            acts = [Act(say(BACK), nothing), *hosting.comers(facts)]  # whatever is answered closes it
            return _of_acts([hosting.knocking(facts), say(INVITING)], acts)
        leave = (say(GO_AWAY), self._frame.action_ask_to_leave)
        width, height = self._frame.size
        crowded = not facts.played and width >= BESIDE and height < TALL  # the QR code needs the room
        rows = [*hosting.rows(facts), (say(RENAME), self.rename), leave]
        step = next_step(facts)
        told = f"{say(step.text.message, step.text.params)} {step.clock}".strip()
        told = "" if crowded and not (step.urgent or facts.ready) else told
        return _of_acts([hosting.knocking(facts), told], [*starmap(Act, rows), *hosting.comers(facts)])

    def _afterwards(self, facts: TableFacts | None) -> PromptQuestion:
        prompt, knocking, acts = self._say(WHAT_NOW), "", self._after.acts()
        if facts is not None:
            first = self._hosting.rows(facts) if self._hosting is not None and facts.seated else []
            step = next_step(facts)
            told = f"{self._say(step.text.message, step.text.params)} {step.clock}".strip()
            prompt = told if step.urgent else self._who_is_ready(facts) or prompt
            acts = self._after.acts_at_table(first, self._frame.action_ask_to_leave)
            if self._hosting is not None:
                knocking = self._hosting.knocking(facts)
                acts += self._hosting.comers(facts)
        return _of_acts([knocking, prompt], acts)

    def _who_is_ready(self, facts: TableFacts) -> str:
        others = [one for one in facts.taken if not one.mine and not one.level]
        told = {ARE_READY: "ready", NOT_YET: "waits"}
        names = {said: [one.name for one in others if one.state == state] for said, state in told.items()}
        return " ".join(
            self._model.words().text(said, {"names": tuple(map(Verbatim, who))})
            for said, who in names.items() if who
        )  # fmt: skip

    # -- in the lobby -----------------------------------------------------------------------------

    @property
    def may_add_bot(self) -> bool:
        facts = self._model.lobby()
        return facts is not None and self._hosting is not None and self._hosting.may_add_bot(facts)

    def add_bot(self) -> None:
        facts = self._model.lobby()
        if facts is not None and self._hosting is not None:
            self._hosting.add_bot(facts)

    def rename(self) -> None:
        from tavolata._engine.sessions.commands import TableCommands  # noqa: PLC0415 - a match here starts faster without it

        self._frame.action_talk(f"/{self._say(TableCommands.rename.word)} ")

    def invite(self) -> None:
        self._pages.inviting, self._pages.view = True, "table"


def _of_acts(prompts: list[str], acts: list[Act]) -> PromptQuestion:
    rows = [(one.label, one.do) for one in acts]
    return chosen("\n".join(filter(None, prompts)), rows, keys=[one.key for one in acts])
