"""In matches of all games for six, what happens next is a sentence on every face and in both languages."""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict

import pytest
from tests.commit import a_part
from tests.rehearsals.family import NAMES, Evening
from tests.rehearsals.laptops import Power
from tests.rehearsals.plan import GAMES, Act, Deed, Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.sessions.next_step import STARTING, next_step
from tavolata._ui.i18n import Translator

HOST, ANN, BOB, CY = NAMES[:4]
ITALIAN = frozenset({HOST, BOB, f"{ANN}'s 0"})
"""The others read English."""
COUNTED = re.compile(r" \d+:\d\d$")
"""The end of a plain line that counts: only the next step does."""
SENTENCE = re.compile(r"[^\W\d_][^\n{}]*[^\s.{}]\.")
SIX = ["zompa", "jumpy-jack", "conto", "bang", "horse-fever", "bazaar", "heirs", "liars"]
"""The bundled games, and those of `examples/games` that seat as many as play here."""
FACES = ("plain lines", "ndjson", "page", "full screen")


class Read(Evening):
    """People sleep, phones and laptops too.

    Attributes:
        said: by face and language, the next steps that people read there, without their counts.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.said: dict[tuple[str, str], set[str]] = defaultdict(set)

    @override
    def _language(self, who: str) -> str:
        return "it" if who in ITALIAN else "en"

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        lang = self._language(who)
        if who == computer and self.plan.seats[NAMES.index(who)].face is Face.PLAIN:
            if COUNTED.search(text):
                self.said["plain lines", lang].add(COUNTED.sub("", text))
            return
        shown = json.loads(text)
        if shown["type"] == "state" and shown["next"] is not None:
            self.said["page", lang].add(shown["next"]["text"])
        elif shown["type"] == "next" and shown["message"]:
            self.said["ndjson", lang].add(shown["text"])

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.at_once = False
        return settings

    @override
    async def _main(self) -> None:
        watching = asyncio.get_running_loop().create_task(self._watch())
        self._code = ""
        for name in NAMES[:4]:
            self.world.computer(name)
        self._begin(HOST, self._host)
        for index in (1, 2, 3):
            await asyncio.sleep(0.5)
            self._join(index)
        await asyncio.sleep(3.0)
        for name, session in self._sessions.items():
            for one in (session, *session._company.people):
                assert one.commands is not None
                self.world.computers[name].within(one.commands.ready)
        await asyncio.sleep(15.0)
        assert self._sessions[HOST].state.matches.last is not None
        for act in self.plan.acts:
            self._later(act.at, self._act, act)
        await asyncio.sleep(60.0)
        watching.cancel()

    async def _watch(self) -> None:
        """Look each second at the step as the full screen of each laptop has it."""
        words = {lang: Translator(lang) for lang in ("en", "it")}
        while True:
            await asyncio.sleep(1.0)
            for name, session in self._sessions.items():
                if self.world.computers[name].power is Power.ON and not self._tasks[name].done():
                    facts = self.world.computers[name].within(session.table)
                    for asked in (False, True):
                        step = next_step(facts, asked=asked)
                        for lang, into in words.items():
                            told = into.text(step.text.message, step.text.params)
                            self.said["full screen", lang].add(told)

    @override
    def _check_files(self) -> None:
        """Some matches aren't over."""


def evening_of(game: str) -> Plan:
    return Plan(
        13, game,
        (Seat(Face.JSON, phones=1), Seat(Face.PLAIN, phones=1), Seat(Face.PLAIN), Seat(Face.JSON)),
        dict(GAMES[game][3]), away="blind", stand_after=30,
        acts=(
            Act(1.0, Deed.PHONE_SLEEPS, 0, 40.0), Act(2.0, Deed.PHONE_SLEEPS, 1, 40.0),
            Act(4.0, Deed.CUT, 3, 20.0),
        ),
    )  # fmt: skip


@pytest.mark.battery
@pytest.mark.parametrize("game", a_part(SIX, 3))
def test_what_happens_next_is_a_sentence_on_every_face_in_both_languages(game: str) -> None:
    """One line that ends with a full stop; the count before the start is on every face in every game."""
    evening = Read(evening_of(game))
    report = evening.play()
    told = {lang: Translator(lang).text(STARTING) for lang in ("en", "it")}
    for face in FACES:
        for lang in ("en", "it"):
            said = evening.said[face, lang]
            assert told[lang] in said, (face, lang)
            wrong = [text for text in said if not SENTENCE.fullmatch(text)]
            assert not wrong, (face, lang)
        assert evening.said[face, "en"].isdisjoint(evening.said[face, "it"])
    assert not report.broken, report.broken
