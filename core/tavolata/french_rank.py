"""The ranks of the French pack as numbers; a game with another order defines it itself.

This is a module of plain integers, not an IntEnum. Rules compare ranks for every card of every match, and the
interpreter looks up names in a module faster than attributes of a class.
"""

from typing import Final

JOKER: Final = 0
ACE: Final = 1
TWO: Final = 2
THREE: Final = 3
FOUR: Final = 4
FIVE: Final = 5
SIX: Final = 6
SEVEN: Final = 7
EIGHT: Final = 8
NINE: Final = 9
TEN: Final = 10
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
