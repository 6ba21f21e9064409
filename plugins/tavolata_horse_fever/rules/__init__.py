"""The rules of Horse Fever, a module for each chapter of the rulebook.

`match` has the order of the chapters, `table` the state, and `ledger` moves money and points. `running` and
`lanes` are the pure rules of a race.
"""

from tavolata_horse_fever.rules.match import HorseFever

__all__ = ["HorseFever"]
