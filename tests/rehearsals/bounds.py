"""What waits or is kept stays within the bounds that the product states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tavolata._engine.network.log_driver import LogDriver
from tavolata_protocol import flight, fragments, links, session
from tavolata_protocol.grouplog import configuration_changes, mandates, replica, signed_commits, timing
from tavolata_protocol.messages.session import MAX_CUT


def beyond(driver: LogDriver) -> str:
    """Return what exceeds its bound on this machine, or ""."""
    for name, many, most in _measured(driver):
        if many > most:
            return f"{name}: {many}, and {most} at most"
    return ""


def _measured(driver: LogDriver) -> Iterator[tuple[str, int, int]]:
    endpoint: Any = driver.driver.endpoint
    for link in endpoint._links.values():
        sealed: Any = link.session
        yield "messages to a peer, in bytes", sealed._outbox.waiting, session.MAX_QUEUED
        yield "unreliable messages to a peer", len(sealed._loose), session._MAX_LOOSE
        yield "early messages of a peer, in bytes", sealed._inbox._waiting, fragments.MAX_WAITING
        yield "incomplete frames of a peer", len(sealed._pieces._open), MAX_CUT
        yield "lost packets of a peer", len(sealed._flight._lost), flight._REMEMBERED_LOSSES
    yield "ended sessions", len(endpoint._farewells._ended), links.MAX_ENDED
    yield from _of_the_log(driver)


def _of_the_log(driver: LogDriver) -> Iterator[tuple[str, int, int]]:
    log: Any = driver.log
    leadership = log._leadership
    commits = leadership.signed_commits
    yield "digests of entries", len(log._replica.digests), replica.KEPT_DIGESTS
    votes = Counter(voter for voter, _, _ in leadership.mandates._seen)
    yield "votes of a voter", max(votes.values(), default=0), mandates.MOST
    signed = [len(numbers) for numbers in commits._evidence._numbers.values()]
    yield "signed commits of a peer", max(signed, default=0), signed_commits.MOST
    yield "signed commits for others", len(commits._given), signed_commits.KEPT + 1
    leading = leadership.leading
    if leading is not None:
        early = [len(waiting) for waiting in leading.queue._waiting.values()]
        yield "early proposals of an author", max(early, default=0), timing.WAITING_PROPOSALS
        for kept in (leading.changes._births, leading.changes._announced):
            yield "wishes of strangers", len(kept), configuration_changes.ASKERS
