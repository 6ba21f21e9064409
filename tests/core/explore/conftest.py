"""Which group the explorers compute in."""

from tests.core.algebra import computed

__all__ = ["computed"]
