"""Which invitations to interject reach the bots of a simulation: drawn beforehand, so that none is in vain.

A bot that wants only some of its invitations (`Bot.invited`) leaves it to its source to draw which ones. To
draw for each card and each bot would take longer than the card. So what is drawn is how many invitations pass
until one is taken, which comes to the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Final

from tavolata._players import Bot
from tavolata.options import Options

ALL: Final = 100
"""The share of a bot that wants every invitation."""
_BLOCK: Final = 4096
"""After so many invitations it is drawn from a new seed, so that one can begin anywhere."""


def share_of(bot: Bot, options: Options) -> int:
    """Return how many of a hundred invitations a bot wants by these house rules, from 0 to `ALL`."""
    return max(0, min(ALL, bot.invited(options)))


def taken(share: int, key: int, after: int = 0) -> Iterator[int]:
    """Yield the numbers of the invitations taken, from 1, each by itself with the same chance.

    `share` of a hundred are taken, from 1 to 99; those up to `after` are skipped. With the same key the same
    ones are taken.
    """
    passing = _passing(share)
    block = after // _BLOCK
    while True:
        # Only `random()` of this generator is used: its sequence is the same in all versions of Python.
        random = Random(key + block).random  # noqa: S311 - the same words of bots everywhere are the purpose
        number, end = block * _BLOCK, (block + 1) * _BLOCK
        while (number := number + bisect_right(passing, random()) + 1) <= end:
            if number > after:
                yield number
        block += 1  # who was passed over until here says nothing of who comes next


@lru_cache(16)
def _passing(share: int) -> tuple[float, ...]:
    """Return, by number, the probability that no more than that many invitations pass before one is taken."""
    # Quotients of whole numbers are rounded in the same way everywhere.
    found, left, of = [0.0], ALL - share, ALL
    while found[-1] < 1:
        found.append((of - left) / of)
        left, of = left * (ALL - share), of * ALL
    return tuple(found[1:])
