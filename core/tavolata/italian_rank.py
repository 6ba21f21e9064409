"""The ranks of the Italian pack of 40 as numbers: 1 to 7, fante, horse, king.

This is a module of plain integers, not an IntEnum. Rules compare ranks for every card of every match, and the
interpreter looks up names in a module faster than attributes of a class.
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
