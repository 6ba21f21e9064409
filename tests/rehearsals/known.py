"""Faults that are known and not yet mended: their plans are kept, and fresh evenings leave them out."""

from __future__ import annotations

from tests.rehearsals.plan import Deed

KNOWN: frozenset[Deed] = frozenset()
"""The deeds that meet one of them."""
