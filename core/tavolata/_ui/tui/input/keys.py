"""The keys of the full screen: of reaction windows, of the home screen, and those that people can change.

[keys]
talk = "f5"
log = "l,f3"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from tavolata._engine.match.updates import WindowOpened
from tavolata._ui.window_input import ALONE
from tavolata._ui.words import Words
from tavolata.errors import MessageError
from tavolata.kinds.question import choices_of
from tavolata.messages import N_
from tavolata.ring import SEATS


class UnknownKey(MessageError):
    """The config file names a key or an action that does not exist."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key binding: the default keys, separated by commas, and two message ids.

    `what` is the action in a word or two, `why` a sentence for the help page.
    """

    keys: str
    what: str
    why: str


KEYS: Final[dict[str, Key]] = {
    "answer": Key("enter", N_("answer"), N_("Do what the button says.")),
    "take": Key("space", N_("pick"), N_("Select or deselect a choice; react when speed counts.")),
    "skip": Key(
        "tab",
        N_("skip"),
        N_("Skip to the next event that matters to you; press again for your next question or the end."),
    ),
    "undo": Key("backspace", N_("back"), N_("Undo an answer you haven't sent yet.")),
    "take_back": Key("u", N_("undo"), N_("Undo your last answer; at a table, everyone else has to agree.")),
    "why": Key("x", N_("why not"), N_("Show why some choices aren't possible now.")),
    "advice": Key("h", N_("advice"), N_("Ask a thinker for advice.")),
    "what": Key("w", N_("what happened"), N_("Recap what's happened since your last answer.")),
    "slower": Key("comma", N_("slower"), N_("Slow down.")),
    "faster": Key("full_stop", N_("faster"), N_("Speed up, or show everything at once.")),
    "talk": Key("t", N_("talk"), N_("Talk to everyone; /to NAME for one player, /help for commands.")),
    "emote": Key("e", N_("emote"), N_("Send an emote; everyone reads it in their own language.")),
    "bravo": Key("asterisk", N_("bravo"), N_("Emote: Bravo!")),
    "wow": Key("exclamation_mark", N_("wow"), N_("Emote: Wow!")),
    "ha": Key("right_parenthesis", N_("ha"), N_("Emote: Ha!")),
    "ouch": Key("left_parenthesis", N_("ouch"), N_("Emote: Ouch!")),
    "repeat": Key("E", N_("once more"), N_("Repeat your last emote.")),
    "mute": Key("m", N_("mute"), N_("Mute or unmute someone on this screen.")),
    "colour": Key("c", N_("colour"), N_("Change your colour.")),
    "mark": Key("C", N_("mark"), N_("Change your mark.")),
    "name": Key("n", N_("name"), N_("Change your name (only before a match).")),
    "do": Key("d", N_("do"), N_("Do something the game allows at any time.")),
    "log": Key("l", N_("log"), N_("Switch between the story and the table.")),
    "rules": Key("r", N_("rules"), N_("Show the rules beside the table, or hide them.")),
    "seats": Key("s", N_("seats"), N_("Show who's at the table and how others can join.")),
    "commands": Key(
        "ctrl+p,colon", N_("find"), N_("Find a choice, a command, a rule or a player by typing.")
    ),
    "help": Key("question_mark,f1", N_("help"), N_("Show this page.")),
    "quit": Key("q", N_("quit"), N_("Quit for now; nothing is lost.")),
    "bot": Key("b", N_("a bot"), N_("Put a bot in a free seat (only before a match).")),
    "again": Key("a", N_("play again"), N_("Play again once the match is over.")),
}
"""The key bindings by the name that the config file uses."""


def keymap(config: object) -> dict[str, str]:
    """Return the person's key bindings from `[keys]` in the config file; any value but a table counts as
    empty.

    Raise `UnknownKey` if it names an action or a key that doesn't exist.
    """
    wanted = {name: key.keys for name, key in KEYS.items()}
    for name, keys in config.items() if isinstance(config, Mapping) else ():
        if name not in KEYS:
            raise UnknownKey(
                N_("[keys]: there's nothing called {name}. Try: {known}."),
                name=name, known=", ".join(KEYS),
            )  # fmt: skip
        if not isinstance(keys, str) or not keys.strip():
            raise UnknownKey(N_("[keys]: {name} needs the name of a key, such as f5 or ctrl+t."), name=name)
        wanted[name] = ",".join(key.strip() for key in keys.split(","))
    return wanted


ESCAPE: Final = "Esc"
NAMED: Final = {
    "enter": N_("Enter"),
    "space": N_("Space"),
    "backspace": N_("Bksp"),
    "tab": "Tab",
    "question_mark": "?",
    "asterisk": "*",
    "exclamation_mark": "!",
    "right_parenthesis": ")",
    "left_parenthesis": "(",
    "colon": ":",
    "comma": ",",
    "full_stop": ".",
}
"""Names of keys for people, where they differ from Textual's; message ids."""


def shown(keys: str) -> str:
    """Return a message id: the first of some keys, with its name for people."""
    first = keys.partition(",")[0]
    if first in NAMED:
        return NAMED[first]
    return "^" + first[5:] if first.startswith("ctrl+") else first.upper() if first[1:].isdecimal() else first


class HomeKey(NamedTuple):
    """A key: what it does in a word or two, and in a sentence for the help page; message ids."""

    what: str
    why: str


HOME_KEYS: Final[Mapping[str, HomeKey]] = {
    "/": HomeKey(N_("find"), N_("Find a game by name, number of players or length.")),
    "+": HomeKey(N_("seats"), N_("Add a seat.")),
    "-": HomeKey(N_("seats"), N_("Remove a seat.")),
    "b": HomeKey(N_("bots"), N_("Change the level of the bots.")),
    "p": HomeKey(N_("people"), N_("Add a person at this keyboard, or go back to just one.")),
    "w": HomeKey(N_("where"), N_("Switch between playing here and playing on the network.")),
    "h": HomeKey(N_("network"), N_("Open a table on the network, or go back to playing here.")),
    "g": HomeKey(N_("guided"), N_("Short match with hints.")),
    "m": HomeKey(N_("mode"), N_("Switch to the next game in the same box.")),
    "o": HomeKey(N_("house rules"), N_("Change house rules.")),
    "u": HomeKey(N_("normal"), N_("Restore the defaults: no hints, no teams, no rule changes.")),
    "j": HomeKey(N_("join"), N_("Join a table on the network.")),
    "c": HomeKey(N_("continue"), N_("Resume a saved match.")),
    "r": HomeKey(N_("rules"), N_("Read the rules of the game.")),
    "n": HomeKey(N_("name"), N_("Change your name.")),
    "l": HomeKey(N_("language"), N_("Change the language.")),
    "i": HomeKey(N_("more games"), N_("Include games published by others.")),
}
"""By letter."""


KEY = N_("{key} = {what}")
KEY_OF = N_("{key} = {what} ({seat})")


def race_lines(opened: WindowOpened, keys: Mapping[str, int], words: Words) -> list[str]:
    window = opened.window
    lines = []
    prompt = window.you if any(seat in window.questions for seat in opened.mine) else window.others
    if prompt:
        lines.append(words.text(prompt, window.params))
    for key, seat in keys.items():
        question = window.questions.get(SEATS[seat])
        if seat in opened.mine and question is not None:
            for number, choice in enumerate(choices_of(question), 1):
                pressed = key if number == 1 else f"{key}{number}"
                if pressed == ALONE:
                    pressed = f"{words.text(NAMED['space'])}, {key}"
                said = {"key": pressed, "what": words.choice(choice), "seat": SEATS[seat]}
                lines.append(words.text(KEY if len(keys) == 1 else KEY_OF, said))
    return lines
