"""Yes and no as people type them, in English and in their language. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from tavolata.messages import N_

YES, NO = N_("yes"), N_("no")


def yes_or_no(typed: str, say: Callable[[str], str]) -> bool | None:
    """Return what a line means that is yes or no, or begins so, with accents or without; None if neither."""
    begun = bare(typed.strip())
    for answer, message in ((True, YES), (False, NO)):
        if begun and any(bare(word).startswith(begun) for word in (message, say(message))):
            return answer
    return None


def bare(words: str) -> str:
    apart = unicodedata.normalize("NFKD", words.casefold())
    return "".join(one for one in apart if not unicodedata.combining(one))
