"""The ranks of the French pack as numbers; games that order them otherwise say how.

A module of bare integers, not an IntEnum: rules compare ranks for every card of every match, and
of all names with a dot the interpreter finds those in a module fastest. Nothing else may live here.
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
