"""Which group tests of the engine compute in."""

from tests.core.algebra import computed

__all__ = ["computed"]
