"""Emotes: short calls that everybody reads in the own language.

They travel as ordinary words to all: the message id is the text. So they need no entry of their own.
"""

from __future__ import annotations

from typing import Final

from tavolata.messages import N_

EMOTES: Final = {
    "bravo": N_("Bravo!"),
    "wow": N_("Wow!"),
    "ha": N_("Ha!"),
    "ouch": N_("Ouch!"),
    "bluff": N_("A bluff?"),
    "hurry": N_("Hurry up!"),
    "luck": N_("Good luck!"),
    "again": N_("Again?"),
}
"""By name, the message id of each emote."""
IDS: Final = frozenset(EMOTES.values())
