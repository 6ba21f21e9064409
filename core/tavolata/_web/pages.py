"""The HTML pages of a table. They load nothing from other servers. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import quote

from tavolata._engine.sessions.table_facts import TRUST
from tavolata.messages import N_

Say = Callable[..., str]

NO_ENTRY = N_("This is a table of Tavolata: to sit down, open the whole link that its host shows.")
FULL = N_("No more browsers can be seated here; join with tt join, or ask the host.")
SIT = N_("Sit down at {host}'s table")
NAME = N_("Your name")
SIT_DOWN = N_("sit down")
NAMELESS = N_("A name needs at least one letter.")
OPENING = N_("The table is being opened...")
LOST = N_("The connection is lost; trying again...")
LEFT = N_("You have left the table.")
BACK = N_("back to the table")
ELSEWHERE = N_("Your seat is shown in another window now.")
CLOSED = N_("The table is closed.")
KEYS = (
    ("↵", "\r", N_("Enter")),
    ("←", "\x1b[D", N_("arrow left")),
    ("↑", "\x1b[A", N_("arrow up")),
    ("↓", "\x1b[B", N_("arrow down")),
    ("→", "\x1b[C", N_("arrow right")),
    ("␣", " ", N_("Space")),
    ("⌫", "\x7f", N_("Bksp")),
    ("Esc", "\x1b", N_("Esc")),
    ("?", "?", N_("help")),
)
"""Buttons for touch screens: their label, the key that they send, and their name."""
KEYBOARD = N_("keyboard")
FONTS = {"smaller": N_("smaller letters"), "larger": N_("larger letters")}


def headers(host: str) -> Mapping[str, str]:
    """The headers of every response: no foreign content, no caching, no frames, no referrer to others.

    Args:
        host: the checked `Host` of the request, for browsers whose 'self' does not include websockets.
    """
    rules = {
        "default-src": "'none'", "script-src": "'self'", "font-src": "'self'", "img-src": "'self' data:",
        "style-src": "'self' 'unsafe-inline'",  # the terminal adds style rules at run time
        "connect-src": f"'self' ws://{host}",
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
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="dark light">
<link rel="icon" href="data:,">
"""
_FORM = """<style>
:root {{ color-scheme: dark light; }}
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto 0; padding: 0 1.2rem; }}
input, button {{ font: inherit; width: 100%; padding: .7rem; margin-top: .4rem; box-sizing: border-box; }}
.wrong {{ font-weight: bold; }}
small {{ display: block; margin-top: 1.5rem; opacity: .8; }}
</style>
</head>
<body>
<h1>{title}</h1>
<form method="post" action="/">
<input type="hidden" name="seat" value="{token}">
<label>{label}<input name="name" maxlength="24" autocomplete="nickname" autofocus required></label>
{wrong}<button>{button}</button>
</form>
<small>{trust}</small>
</body>
</html>
"""
_TABLE = """<link rel="stylesheet" href="/static/xterm.css">
<link rel="stylesheet" href="/static/page.css">
<script src="/static/textual.js"></script>
<script src="/static/page.js"></script>
</head>
<body data-lost="{lost}" data-left="{left}">
<div id="terminal" class="textual-terminal" data-font-size="16"></div>
<div id="keys" role="toolbar">{keys}</div>
<div id="said" role="status"><p>{opening}</p><button hidden>{back}</button></div>
</body>
</html>
"""


def name_page(say: Say, lang: str, *, host: str, title: str, token: str, wrong: bool = False) -> str:
    """The page that asks for a name before a seat is taken.

    Args:
        say: translates a message.
        lang: the language of the page.
        host: the name of the host.
        title: the title of the game.
        token: the token of the invitation.
        wrong: whether the typed name was invalid.
    """
    fields = {
        "title": say(SIT, {"host": host}), "label": say(NAME), "button": say(SIT_DOWN),
        "trust": say(TRUST, {"host": host}), "token": token,
    }  # fmt: skip
    told = f'<p class="wrong">{escape(say(NAMELESS))}</p>\n' if wrong else ""
    head = _HEAD.format(lang=escape(lang), title=escape(title))
    return head + _FORM.format(wrong=told, **{name: escape(text) for name, text in fields.items()})


def table_page(say: Say, lang: str, *, title: str) -> str:
    """The page with the terminal of a seat.

    Args:
        say: translates a message.
        lang: the language of the page.
        title: the title of the game.
    """
    keys = [_button(sign, say(what), f'data-send="{quote(sent)}"') for sign, sent, what in KEYS]
    keys.append(_button("⌨", say(KEYBOARD), 'data-do="keyboard"'))
    keys += [
        _button("A−" if way == "smaller" else "A+", say(what), f'data-do="{way}"')
        for way, what in FONTS.items()
    ]
    fields = {"lost": LOST, "left": LEFT, "opening": OPENING, "back": BACK}
    head = _HEAD.format(lang=escape(lang), title=escape(title))
    told = {name: escape(say(message)) for name, message in fields.items()}
    return head + _TABLE.format(keys="".join(keys), **told)


def _button(sign: str, called: str, what: str) -> str:
    return (
        f'<button type="button" aria-label="{escape(called)}" title="{escape(called)}" {what}>{sign}</button>'
    )
