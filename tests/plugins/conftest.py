"""Which group tests of games compute in."""

from tests.core.algebra import computed

__all__ = ["computed"]
