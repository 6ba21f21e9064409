"""Codes of private tables: six letters and digits that people read aloud. Spelling only."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without the letters I, L, O and U, which people take for other characters."""
LENGTH = 6
RANDOM_BYTES = 4
"""Bytes that `make_code` takes."""
_MEANT = str.maketrans("IiLlOo", "111100")
_BETWEEN = str.maketrans("", "", " -\t\r\n")


def make_code(random: bytes) -> str:
    """Return the code of four random bytes; each of the 2**30 codes is equally likely."""
    number = int.from_bytes(random, "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(LENGTH))


def read_code(text: str) -> str | None:
    """Return the code that somebody typed, or None if it isn't a code.

    Case and blanks don't count. I and L are read as 1, O as 0.
    """
    code = text.translate(_BETWEEN).translate(_MEANT).upper()
    return code if len(code) == LENGTH and all(sign in ALPHABET for sign in code) else None


def show_code(code: str) -> str:
    """Return the code in the form that people read best: K7F-3QX."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"
