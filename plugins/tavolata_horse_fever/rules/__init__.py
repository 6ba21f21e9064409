"""The rules of Horse Fever, a module for each chapter of the rulebook.

`match` has the order of the chapters; `table` is what they speak of, `ledger` how money and points
move; `running` and `lanes` are the pure rules of a race.
"""

from tavolata_horse_fever.rules.match import HorseFever

__all__ = ["HorseFever"]
