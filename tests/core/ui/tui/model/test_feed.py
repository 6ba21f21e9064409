"""The feed of a table screen: when it is over, and what it keeps of a session that breaks off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from tavolata._engine.match.updates import Ended, Update
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.director import Feed


@pytest.mark.parametrize(
    ("ended", "is_left", "error", "over"),
    [
        (True, False, None, False),
        (True, True, None, True),
        (False, False, None, True),
        (True, False, OSError("disk"), True),
    ],
)
def test_the_last_board_stays_unless_the_match_is_left_for_good_or_breaks_off(
    ended: bool, is_left: bool, error: Exception | None, over: bool
) -> None:
    """After a match its board can be looked at, whichever screen of the feed the leaving was said on."""

    async def updates() -> AsyncIterator[Update]:
        if ended:
            yield Ended(None, b"")
        if error is not None:
            raise error

    session: Any = SimpleNamespace(
        look_back=lambda _: None, match=None, people=(0,), package="", updates=updates
    )

    async def follow() -> Feed:
        feed = Feed(session, Translator("en"), 1.0)
        feed.is_left = is_left
        await feed.follow()
        return feed

    feed = asyncio.run(follow())
    assert feed.director.over is over
    assert feed.failure is error
