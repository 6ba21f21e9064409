"""Why a table can't be opened, reached, joined or stayed at: errors with a sentence, and nothing else."""

from __future__ import annotations

from tavolata._text import SaidError


class Unreachable(SaidError):
    """No table answers at that address."""


class PortTaken(SaidError):
    """The port or address can't be used."""


class TableRefused(SaidError):
    """The table does not take this peer in."""


class TableLost(SaidError):
    """This peer is at the table no more, not by its own wish."""
