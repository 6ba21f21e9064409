"""Codes of private tables: six letters and digits that people read aloud. Spelling only."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O and U, which are taken for others."""
LENGTH = 6
RANDOM_BYTES = 4
"""Bytes that `make_code` takes."""
_MEANT = str.maketrans("IiLlOo", "111100")
_BETWEEN = str.maketrans("", "", " -\t\r\n")


def make_code(random: bytes) -> str:
    """The code of four random bytes; each of the 2**30 codes is equally likely."""
    number = int.from_bytes(random, "big")
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(LENGTH))


def read_code(text: str) -> str | None:
    """What was typed as a code, None if it is none: case and blanks don't count; I, L, O are 1, 1, 0."""
    code = text.translate(_BETWEEN).translate(_MEANT).upper()
    if len(code) != LENGTH or any(sign not in ALPHABET for sign in code):
        return None
    return code


def show_code(code: str) -> str:
    """A code as people read it best: K7F-3QX."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"
