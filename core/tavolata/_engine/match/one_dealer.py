"""The dealing by one trusted peer: each entry of the log is a whole input of the match."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from typing_extensions import override

from tavolata._engine.match.dealing import Dealing
from tavolata._engine.match.entries import Entry
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import NOT_ASKED, party_of
from tavolata._engine.match.state import pack
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_


class OneDealer(Dealing):
    """A match that one peer deals, as every other machine and every file sees it."""

    is_fair = False

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        self._keys = keys

    @override
    def speaker(self, match: Match, seat: int) -> int | None:
        # a bot of the host says under the host's name what it sees
        return party_of(seat, match.terms.parties) if match.status[seat] == "here" else None

    @override
    def take(self, entry: Entry) -> None:
        raise Refused(NOT_ASKED)

    @property
    @override
    def present(self) -> tuple[bytes, ...]:
        parties = tuple(dict.fromkeys(self._keys))
        return parties if len(parties) == 1 else ()  # its secret and its log are all that the match needs

    @override
    def has_part(self, peer: bytes) -> bool:
        return self.present == (peer,)

    @override
    def player_of(self, match: Match, seat: int) -> bytes | None:
        return None if match.status[seat] == "bot" else self._keys[seat]

    @override
    def is_seal(self, ask: Ask, box: bytes) -> bool:
        return True

    @override
    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        return box == box_of(int(ask.seat), ask.id, nonce, answer)


def box_of(seat: int, ask: int, nonce: bytes, answer: Answer) -> bytes:
    """Return the commitment to an answer: it hides the answer and can't be opened to another one."""
    if len(nonce) != 32:
        raise Refused(N_("The seal does not open to that answer."))
    return blake2b(pack([seat, ask, answer]), key=nonce, digest_size=32, person=b"tavolata seal").digest()
