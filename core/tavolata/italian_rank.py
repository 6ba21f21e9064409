"""The ranks of the Italian pack of 40 as numbers: 1 to 7, fante, horse, king.

A module of bare integers, not an IntEnum: rules compare ranks for every card of every match, and
of all names with a dot the interpreter finds those in a module fastest. Nothing else may live here.
"""

from typing import Final

ACE: Final = 1
TWO: Final = 2
THREE: Final = 3
FOUR: Final = 4
FIVE: Final = 5
SIX: Final = 6
SEVEN: Final = 7
FANTE: Final = 8
HORSE: Final = 9
KING: Final = 10
