"""The keys of reaction windows on the full screen; `window_input` measures time in the plain frontend."""

from __future__ import annotations

from collections.abc import Mapping

from tavolata._engine.match.updates import WindowOpened
from tavolata._ui.window_input import ENTER_GOES
from tavolata._ui.words import Words
from tavolata.kinds.question import choices_of
from tavolata.messages import N_
from tavolata.ring import SEATS

KEY = N_("{key} = {what}")
KEY_OF = N_("{key} = {what} ({seat})")


def race_lines(opened: WindowOpened, keys: Mapping[str, int], words: Words) -> list[str]:
    window = opened.window
    lines = []
    prompt = window.you if any(seat in window.questions for seat in opened.mine) else window.others
    if prompt:
        lines.append(words.text(prompt, window.params))
    if window.go is not None and window.go in opened.mine:
        what = words.text(window.goes, window.params)
        lines.append(words.text(ENTER_GOES, {"seat": window.go, "what": what}))
    for key, seat in keys.items():
        question = window.questions.get(SEATS[seat])
        if seat in opened.mine and question is not None:
            for number, choice in enumerate(choices_of(question), 1):
                pressed = key if number == 1 else f"{key}{number}"
                said = {"key": pressed, "what": words.choice(choice), "seat": SEATS[seat]}
                lines.append(words.text(KEY if len(keys) == 1 else KEY_OF, said))
    return lines
