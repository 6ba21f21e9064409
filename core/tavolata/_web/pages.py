"""The HTML pages of a table, and the rules as data for them. They load nothing from other servers. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

import segno

from tavolata._engine.sessions.table_facts import FULL_TABLE, TRUST
from tavolata._version import __version__
from tavolata.messages import N_

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


Say = Callable[..., str]

NO_ENTRY = N_("This is a Tavolata table. To sit down, open the full link from the host.")
DOOR = N_("{host}'s table")
SCAN = N_("Scan the code on {host}'s screen to sit down. If you can't, knock.")
TELEVISION = N_("This is the television")
KNOCK = N_("Knock")
FORGOTTEN = N_("{host}'s laptop no longer knows this device.")
NOT_NOW = N_("You can't knock right now. Try again in a few minutes.")
LET_US_IN = N_("{host}, let this screen in if your laptop shows the same letters.")
FULL = N_("There's no room for more browsers. Join with tt join, or ask the host.")
SIT = N_("Sit down at {host}'s table")
NAME = N_("Your name")
SIT_DOWN = N_("sit down")
WATCH = N_("only watch")
TAKEN = N_("{name} is already at this table")
BACK = N_("I'm {name}: give me my seat back")
ASKS = N_("We'll ask {host} first. If you're someone else, use another name.")
NAMELESS = N_("A name needs at least one letter.")
WORDS: Mapping[str, str] = {
    "opening": N_("Opening the table…"),
    "looking": N_("Looking for {host}'s laptop…"),
    "silent": N_("We can't reach {host}'s laptop ({time}). This page reconnects on its own."),
    "wake": N_("Wake {host}'s laptop, or type tt resume on it."),
    "back": N_("back to the table"),
    "elsewhere": N_("Your seat is open in another window."),
    "here": N_("play here"),
    "taken": N_("Your seat has moved to another window."),
    "menu": N_("menu"),
    "close": N_("close"),
    "story": N_("The story so far"),
    "table": N_("the table"),
    "players": N_("players"),
    "yours": N_("your area"),
    "decision": N_("your decision"),
    "say": N_("send"),
    "words": N_("Say something to everyone"),
    "only": N_("Only for"),
    "all": N_("all"),
    "team": N_("my team"),
    "leave": N_("leave the table"),
    "sure": N_("yes, leave"),
    "sit": N_("sit down: a seat is free"),
    "slower": N_("slower"),
    "faster": N_("faster"),
    "sound": N_("sound"),
    "join": N_("Link for others to join"),
    "full": FULL_TABLE,
    "trust": N_("Who could see your cards?"),
    "rules": N_("House rules"),
    "howto": N_("rules of the game"),
    "you": N_("name and colour"),
    "name": N_("Your name"),
    "rename": N_("use this name"),
    "colour": N_("Your colour"),
    "sign": N_("Your mark"),
    "hues": N_("blue orange green pink yellow red violet grey"),
    "course": N_("How it went, turn by turn"),
    "moved": N_(
        "If the computer hosting your seat is gone for good, so is your seat. Play the next match on "
         "another computer:"
    ),
    "goto": N_("continue on {name}'s computer"),
    "free": N_("free"),
    "lookers": N_("Watching"),
    "undo": N_("undo"),
    "takes": N_("undo the last answer"),
    "agree": N_("all right"),
    "stop": N_("stop for today"),
    "less": N_("less"),
    "more": N_("more"),
    "moments": N_("match timeline"),
    "earlier": N_("previous big moment"),
    "later": N_("next big moment"),
    "cannot": N_("unavailable"),
    "why": N_("why not?"),
    "next": N_("continue"),
    "got": N_("got it"),
    "hidden": N_("a card, face down"),
    "cards": N_("cards"),
    "dice": N_("dice"),
    "empty": N_("empty"),
    "turn": N_("your turn"),
    "pick": N_("Tap {n} in the order you want."),
    "choose": N_("Tap {n}."),
    "any": N_("Tap {low} to {high}."),
    "done": N_("take {n}"),
    "none": N_("take none"),
    "hint": N_("hint"),
    "won": N_("winner"),
    "board": N_("see the final board"),
    "result": N_("see the result"),
    "may": N_("You may:"),
    "nudged": N_("The others are waiting for you. Are you there?"),
    "there": N_("I'm here"),
    "begin": N_("Begin"),
    "counted": N_("{n} of {need}"),
    "step": N_("what happens next"),
    "lights": N_("here, asleep, no network, unreachable"),
}  # fmt: skip
"""What the page itself says, by the name under which the script finds it."""


def headers(host: str) -> Mapping[str, str]:
    """Return the headers of every response: no foreign content, caching, frames or referrer to others.

    `host` is the checked `Host` of the request, for browsers whose 'self' does not include websockets.
    """
    rules = {
        "default-src": "'none'", "script-src": "'self'", "img-src": "'self' data:", "style-src": "'self'",
        "connect-src": f"'self' ws://{host}", "manifest-src": "'self'",
        "form-action": "'self'", "base-uri": "'none'", "frame-ancestors": "'none'",
    }  # fmt: skip
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in rules.items()),
        "Referrer-Policy": "same-origin",  # forms send an `Origin` only with a referrer
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }


_HEAD = """<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, \
interactive-widget=resizes-content">
<meta name="color-scheme" content="dark light">
<meta name="apple-mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-title" content="Tavolata">
<link rel="icon" href="/static/icon.svg">
<link rel="manifest" href="/static/table.webmanifest" crossorigin="use-credentials">
<link rel="stylesheet" href="/static/table.css">
"""
_FORM = """<script src="/static/door.js" defer></script>
</head>
<body class="door">
<main>
<h1>{title}</h1>
<form method="post" action="/">
<input type="hidden" name="seat" value="{token}">
<label for="name">{label}</label>
<input id="name" name="name" maxlength="24" autocomplete="nickname" value="{name}" autofocus required>
{wrong}<button class="primary">{button}</button>
<button name="watch" value="yes">{watch}</button>
</form>
<p class="quiet">{trust}</p>
<section id="waits" hidden></section>
</main>
</body>
</html>
"""
_DOOR = """<script src="/static/door.js" defer></script>
</head>
<body class="door">
<main>
<h1>{heading}</h1>
<p class="quiet">{game}</p>
{wrong}<p>{scan}</p>
<form method="post" action="/knock" {private}>
<label for="name">{label}</label>
<input id="name" name="name" maxlength="24" autocomplete="nickname" required>
<button class="primary">{knock}</button>
</form>
<form method="post" action="/knock">
<input type="hidden" name="screen" value="yes">
<button>{television}</button>
</form>
<section id="waits" hidden></section>
</main>
</body>
</html>
"""
_TAKEN = """</head>
<body class="door">
<main>
<h1>{heading}</h1>
<form method="post" action="/knock">
<input type="hidden" name="name" value="{name}">
<input type="hidden" name="back" value="yes">
<input type="hidden" name="seat" value="{token}">
<button class="primary">{back}</button>
</form>
<form method="post" action="{action}">
<input type="hidden" name="seat" value="{token}">
<p>{asks}</p>
<label for="name">{label}</label>
<input id="name" name="name" maxlength="24" autocomplete="nickname" required>
<button>{button}</button>
</form>
</main>
</body>
</html>
"""
_KNOCK = """<script src="/static/door.js" defer></script>
</head>
<body class="door">
<main class="knock">
<p class="letters">{letters}</p>
<p>{please}</p>
<p id="lost" role="status" hidden>{looking}</p>
</main>
</body>
</html>
"""
_TABLE = """<script src="/static/table.js" defer></script>
</head>
<body data-words="{words}" data-host="{host}" data-link="{link}" data-screen="{screen}" \
data-version="{version}">
<main id="table"></main>
<div id="sheet" role="dialog" hidden></div>
<div id="curtain" role="status"><p>{opening}</p></div>
<div id="heard" class="unseen" aria-live="polite"></div>
<div id="called" class="unseen" aria-live="assertive"></div>
</body>
</html>
"""


def _page(template: str, lang: str, title: str, fields: Mapping[str, str], wrong: str = "") -> str:
    """Return a page with these fields; `wrong` is the sentence that says why the last try failed."""
    head = _HEAD.format(lang=escape(lang), title=escape(title))
    told = f'<p class="wrong" role="alert">{escape(wrong)}</p>\n' if wrong else ""
    return head + template.format(wrong=told, **{name: escape(text) for name, text in fields.items()})


def name_page(
    say: Say, lang: str, *, host: str, title: str, token: str, name: str = "", wrong: str = ""
) -> str:
    """Return the page that asks for a name before a seat is taken.

    `name` is the one that this browser's player chose last; `wrong` is what's wrong with the typed one, a
    message.
    """
    fields = {
        "title": say(SIT, {"host": host}), "label": say(NAME), "button": say(SIT_DOWN),
        "trust": say(TRUST, {"host": host}), "token": token, "name": name, "watch": say(WATCH),
    }  # fmt: skip
    return _page(_FORM, lang, title, fields, say(wrong))


def door_page(say: Say, lang: str, *, host: str, title: str, private: bool = False, wrong: str = "") -> str:
    """Return the page of a browser without the link: it's the television, or its person knocks by name.

    At a `private` table only the television does. `wrong` is why it's here, or why it can't knock, a message.
    """
    fields = {
        "heading": say(DOOR, {"host": host}), "game": title,
        "scan": say(NO_ENTRY) if private else say(SCAN, {"host": host}),
        "private": "hidden" if private else "",
        "television": say(TELEVISION), "label": say(NAME), "knock": say(KNOCK),
    }  # fmt: skip
    return _page(_DOOR, lang, fields["heading"], fields, say(wrong, {"host": host}))


def taken_page(say: Say, lang: str, *, host: str, name: str, token: str = "") -> str:
    """Return the page of somebody whose name is that of a person whose browser is gone: the same, or not?

    Without the `token` of the link it has to knock in either case.
    """
    fields = {
        "heading": say(TAKEN, {"name": name}), "name": name, "back": say(BACK, {"name": name}),
        "asks": say(ASKS, {"host": host}), "label": say(NAME), "token": token,
        "action": "/" if token else "/knock", "button": say(SIT_DOWN) if token else say(KNOCK),
    }  # fmt: skip
    return _page(_TAKEN, lang, fields["heading"], fields)


def knock_page(say: Say, lang: str, *, host: str, letters: str) -> str:
    """Return the page of a browser that knocks; its script asks every two seconds whether it's let in."""
    fields = {
        "letters": letters, "please": say(LET_US_IN, {"host": host}),
        "looking": say(WORDS["looking"], {"host": host}),
    }  # fmt: skip
    return _page(_KNOCK, lang, say(DOOR, {"host": host}), fields)


def table_page(say: Say, lang: str, *, title: str, host: str, link: str, screen: bool = False) -> str:
    """Return the page of a seat, or of the big screen; its script draws what the websocket brings."""
    words = {name: say(message) for name, message in WORDS.items()}
    fields = {
        "words": json.dumps(words, ensure_ascii=False), "opening": words["opening"],
        "host": host, "link": json.dumps(with_code(link)), "screen": "yes" if screen else "",
        "version": __version__,
    }  # fmt: skip
    return _page(_TABLE, lang, title, fields)


@lru_cache(maxsize=2)
def with_code(link: str) -> tuple[str, ...]:
    """Return a link and the rows of its QR code, each of "0" and "1"; no rows without a link."""
    if not link:
        return ("",)
    rows = segno.make(link, error="l", micro=False).matrix_iter(border=2)
    return link, *("".join("1" if dark else "0" for dark in row) for row in rows)


Json = dict[str, Any]
_PART = {"strong": "b", "em": "em", "code_inline": "b"}


def rules_data(text: str) -> list[Json]:
    """Return the blocks of a text in Markdown, in order.

    A block has `tag` ("h1" to "h6", "p", "li", "pre", "th" or "td") and `cells`, each a list of runs `[tag,
    text]`, with "", "b" or "em" as tag. An item also has `mark`, and `deep`, its depth from 0.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most tables never show the rules
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - as above

    return list(_blocks(SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text))))


def _blocks(node: SyntaxTreeNode, mark: str = "", deep: int = 0) -> Iterator[Json]:
    for child in node.children:
        match child.type:
            case "heading":
                yield {"tag": child.tag, "cells": [_runs(child)]}
            case "paragraph" if mark:
                yield {"tag": "li", "cells": [_runs(child)], "mark": mark, "deep": deep}
                mark = "\N{NO-BREAK SPACE}"  # a second paragraph of the same item
            case "paragraph":
                yield {"tag": "p", "cells": [_runs(child)]}
            case "bullet_list" | "ordered_list":
                for number, item in enumerate(child.children, int(child.attrs.get("start", 1))):
                    sign = "•" if child.type == "bullet_list" else f"{number}."
                    yield from _blocks(item, sign, deep + bool(mark))
            case "table":
                for row in (row for part in child.children for row in part.children):
                    yield {"tag": row.children[0].tag, "cells": [_runs(cell) for cell in row.children]}
            case "fence" | "code_block":
                yield {"tag": "pre", "cells": [[["", child.content.rstrip()]]]}
            case "hr" | "html_block":
                pass
            case _:  # a quotation
                yield from _blocks(child, mark, deep)


def _runs(node: SyntaxTreeNode, tag: str = "") -> list[list[str]]:
    runs: list[list[str]] = []
    for child in node.children:
        if child.type in ("softbreak", "hardbreak"):
            runs.append([tag, " "])
        elif child.type in ("text", "code_inline"):
            runs.append([_PART.get(child.type, tag), child.content])
        else:
            runs += _runs(child, _PART.get(child.type, tag))
    return [run for run in runs if run[1]]
