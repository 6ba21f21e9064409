"""Several peers that deal one match together, over one log in this process: no socket, no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from nacl.signing import SigningKey

from tavolata import Game
from tavolata._engine.dealing.authority import PATIENCE, OwnWord
from tavolata._engine.dealing.dealer import Dealer
from tavolata._engine.dealing.driver import QUIET, DealingDriver
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.steps import SELF
from tavolata._engine.match.entries import ANSWER, DEAL, OPENED, SEALED, MatchEntry
from tavolata._engine.match.header import BLIND, FAIR, STRICT, WAIT, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.match.worlds import new_match
from tavolata._engine.table.heads import HEAD_SIZE, NUMBER_SIZE
from tavolata._engine.table.permissions import may_say
from tavolata.asks import Ask
from tavolata.assertions import Declaration
from tavolata.bots import Bot, Chance, RandomBot
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.offences import Charge

HEAD = bytes(HEAD_SIZE)
START = Stamp(b"", b"the chain up to START".ljust(32), b"the one lineage.")
"""The place of START in the logs of tests."""


def seed_of(party: int) -> bytes:
    """The secret of a party, the same in all tests."""
    return blake2b(b"party", digest_size=32, salt=party.to_bytes(2, "little")).digest()


def secret_of(party: int, header_hash: bytes = b"") -> MatchSecret:
    """The match secret of a party, the same in all tests."""
    return MatchSecret(seed_of(party + 100), header_hash)


def origin_of(parties: Iterable[int]) -> Origin:
    """The beginning of a match of these parties."""
    secrets = {key_of(party): secret_of(party) for party in sorted(set(parties))}
    mailboxes = {key: ED25519.multiply_base(secret.mailbox_secret) for key, secret in secrets.items()}
    return Origin(b"a match of tests", START, mailboxes, {}, b"")


def key_of(party: int) -> bytes:
    """The identity of a party; empty for one that only looks on."""
    return bytes(SigningKey(seed_of(party)).verify_key) if party else b""


def header_of(rules: type[Game[Any]], parties: Sequence[int], dealer: str = FAIR, **options: Any) -> Header:
    """A match whose seats belong to these parties, by seat."""
    keys = tuple(map(key_of, parties))
    policy = BLIND if len(set(parties)) > 2 and dealer != STRICT else WAIT
    return Header(
        "", rules.name, "0", rules.rules_id,
        rules.options.parse(options).plain(), tuple(f"P{seat}" for seat in range(len(parties))),
        (None,) * len(parties), dealer, keys=keys, policy=policy,
    )  # fmt: skip


class Peer:
    """One machine: its copy of the match, and what it does for the dealing.

    Args:
        header: the match.
        rules: the game.
        party: who it is; 0 for one that only looks on.
        bot: plays its seats.
        origin: the beginning of the match.
        now: the time at which it begins.
    """

    def __init__(
        self,
        header: Header,
        rules: type[Game[Any]],
        party: int,
        bot: type[Bot],
        origin: Origin,
        now: float = 0.0,
    ) -> None:
        self.party = party
        self.key = key_of(party)
        self.deal = FairDealing(header, origin, self.key)
        self.source = LogSource(len(header.names), self.deal, stamp=origin.stamp)
        self.match = new_match(rules, header.terms(rules), self.source, lambda _: None)
        self.dealer = Dealer(self.deal, secret_of(party, origin.header_hash), self._random) if party else None
        self.duty = DealingDriver(self.deal, self.dealer, now)
        self._fresh = 0
        self._bot = bot()
        self._chance = Chance(party)
        self._asked: set[int] = set()
        self._undone = 0
        self.vault: dict[int, tuple[bytes, Any]] = {}
        self._opened: set[int] = set()
        self.match.run()

    def _random(self, size: int) -> bytes:
        self._fresh += 1
        stream = blake2b(self._fresh.to_bytes(8, "little"), key=seed_of(self.party + 50)).digest()
        return (stream * (size // 64 + 1))[:size]

    def hear(self, entry: MatchEntry, stamp: Stamp) -> None:
        """Take an entry of the log."""
        self.match.feed(entry, stamp)

    def recall(self, notes: dict[int, tuple[bytes, Any]]) -> None:
        """Know the own sealed answers again; see `SeatSealer.note`."""
        self.vault |= notes
        self._asked |= notes.keys()

    def steps(self, now: float, head: bytes = HEAD) -> list[MatchEntry]:
        """What it says for the dealing now, and about people."""
        return [(DEAL, self.deal.me, head, *step) for step in self.duty.steps(now)]

    def answers(self) -> list[MatchEntry]:
        """What its seats answer now."""
        if self.match.undone != self._undone:
            self._undone = self.match.undone
            self._asked -= {ask.id for ask in self.source.open}
        asked = [entry for ask in list(self.source.open) for entry in self._answer(ask)]
        return [*asked, *(entry for one in self.source.declaring for entry in self._declare(one))]

    def _declare(self, one: Declaration) -> Iterable[MatchEntry]:
        seat = int(one.seat)
        if self.deal.authority.player_of(seat) != self.deal.me or self.dealer is None:
            self._asked.discard(one.id)
        elif one.id not in self._asked and self.deal.sees_hand(seat):
            entry = self.match.declaration(one)
            if entry is not None:
                self._asked.add(one.id)
                yield entry

    def _answer(self, ask: Ask) -> Iterable[MatchEntry]:
        seat = int(ask.seat)
        if self.dealer is None:
            return
        if ask.box is not None:
            if ask.id in self.vault and ask.id not in self._opened:
                self._opened.add(ask.id)
                yield (OPENED, seat, ask.id, *self.vault[ask.id])
        elif self.deal.authority.player_of(seat) != self.deal.me:
            self._asked.discard(ask.id)
        elif ask.id not in self._asked and self.deal.sees_hand(seat):
            self._asked.add(ask.id)
            answer = ask.question.answer_for(self._bot.choose(self.match.view(seat), ask, self._chance))
            if not ask.sealed:
                yield (ANSWER, seat, ask.id, answer)
                return
            box, opening = self.dealer.seal(ask, answer)
            self.vault[ask.id] = (opening, answer)
            yield (SEALED, seat, ask.id, box)


class World:
    """Peers at one log.

    Args:
        rules: the game.
        parties: by seat, who plays it.
        dealer: as in `Header`.
        tamper: may change, drop or add to what a party says before it is in the log.
        bot: plays all seats.
        head: the head of the agreed log, if there is one.
        origin: the beginning of the match in it.
        codes, teams, fixed: as in `Header`.
        **options: house rules.

    Attributes:
        heard: called with who said an entry, 0 for nobody, before it is acted on.
        acted: called when all have acted on it.
        dropped: called for an entry of the log whose author may not say it at all, so that nobody acts on it,
            as at a table; while it is None, all act on everything.
        liar: one that cheats: it speaks first, and what it believes counts for nothing.
        now: the time on all clocks, in seconds.
        cut: pairs of parties that do not hear each other.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        parties: Sequence[int],
        dealer: str = FAIR,
        tamper: Callable[[int, MatchEntry], Iterable[MatchEntry]] = lambda _, entry: [entry],
        bot: type[Bot] = RandomBot,
        head: Callable[[], bytes] = lambda: HEAD,
        origin: Origin | None = None,
        codes: tuple[bytes, ...] = (),
        teams: tuple[int, ...] = (),
        fixed: bool = False,
        **options: Any,
    ) -> None:
        self.head = head
        self.origin = origin or origin_of(parties)
        self.heard: Callable[[int, MatchEntry], object] = lambda _, entry: None
        self.acted: Callable[[], object] = lambda: None
        self.dropped: Callable[[int, MatchEntry], object] | None = None
        terms = header_of(rules, parties, dealer, **options)
        self.header = replace(terms, id=self.origin.id.hex(), codes=codes, teams=teams, fixed=fixed)
        self.rules = rules
        self.seats = tuple(parties)
        self.bot = bot
        self.peers = {
            party: Peer(self.header, rules, party, bot, self.origin) for party in dict.fromkeys(parties)
        }
        self.log: list[tuple[MatchEntry, Stamp]] = []
        self.tamper = tamper
        self.here = set(self.peers)
        self.liar = 0
        self.now = 0.0
        self.cut: set[frozenset[int]] = set()

    def say(self, entry: MatchEntry, party: int = 0) -> None:
        """Put an entry into the log; all who are here hear it."""
        if self.dropped is not None and not self._may(entry, party):
            self.dropped(party, entry)
            return
        self.heard(party, entry)
        author = self.peers[party].key if party else self.header.keys[0]
        stamp = Stamp(author, self._chain(entry), self.origin.stamp.lineage)
        self.log.append((entry, stamp))
        for one in sorted(self.here):
            self.peers[one].hear(entry, stamp)
        self.acted()

    def _may(self, entry: MatchEntry, party: int) -> bool:
        authority = self.peers[min(self.here)].deal.authority
        plays = [seat for seat in range(len(self.seats)) if party and authority.player_of(seat) == party]
        number = party if party in self.peers else None
        return may_say(list(entry), party=number, seats=plays, coordinator=False, host=party == 1)

    def _chain(self, entry: MatchEntry) -> bytes:
        """The chain hash after an entry: that of the agreed log, or one made here."""
        if (head := self.head()) != HEAD:
            return head[NUMBER_SIZE:]
        before = self.log[-1][1].chain if self.log else self.origin.stamp.chain
        return blake2b(before + pack(entry), digest_size=32).digest()

    def wait(self, seconds: float) -> None:
        """Let time pass, second by second; everybody who is here says what falls due."""
        for _ in range(int(seconds)):
            self.now += 1
            for party in self.here:
                for other in self.here:
                    if frozenset((party, other)) not in self.cut:
                        self.peers[party].duty.observation.hear(other, self.now)
            self.round()

    def kill(self, party: int) -> None:
        """A peer is gone from one moment to the next, and the others notice."""
        self.here.discard(party)
        self.wait(PATIENCE.silence + 1)

    def give_up(self, party: int) -> None:
        """The others wait until they close the questions of a peer that is gone."""
        assert party not in self.here
        self.wait(self.header.stand_after + 1)

    def leave(self, party: int, word: OwnWord) -> None:
        """A peer says that it steps away, or leaves for good, and is gone."""
        absence = self.peers[party].deal.authority.absence_of(party)
        self.say((DEAL, party, self.head(), SELF, int(word), absence), party)
        self.here.discard(party)

    def back(self, party: int) -> None:
        """A peer starts again: its memory is gone; its seed, the log and its notes in the log are not."""
        notes = self.peers[party].vault
        self.peers[party] = Peer(self.header, self.rules, party, self.bot, self.origin, self.now)
        self.peers[party].recall(notes)
        for entry, stamp in self.log:
            self.peers[party].hear(entry, stamp)
        self.here.add(party)
        self.wait(1)

    def heal(self, party: int) -> None:
        """The link of a peer is up again: it remembers everything, and hears what it missed."""
        peer = self.peers[party]
        for entry, stamp in self.log[len(peer.source.entries) :]:
            peer.hear(entry, stamp)
        self.here.add(party)
        self.wait(1)

    def round(self) -> bool:
        """Everybody says what it has to say; whether anybody did."""
        said = []
        for party in sorted(self.here, key=lambda one: (one != self.liar, one)):
            peer = self.peers[party]
            entries = (*peer.steps(self.now, self.head()), *peer.answers())
            said += [(party, one) for entry in entries for one in self.tamper(party, entry)]
        for party, entry in said:
            self.say(entry, party)
        return bool(said)

    def watcher(self) -> Peer:
        """One that only looks on, from the beginning."""
        return Peer(self.header, self.rules, 0, self.bot, self.origin)

    def play_until(self, entries: int) -> None:
        """Go on until the log has so many entries, or more."""
        while len(self.log) < entries and not self.ended() and self.round():
            pass

    def play(self, rounds: int = 100_000) -> None:
        """Go on until the match is over or nobody has anything to say, if time passes for what is late."""
        for _ in range(rounds):
            if self.ended():
                return
            if not self.round():
                before = len(self.log)
                if self._is_late():
                    self.wait(QUIET + 1)
                if len(self.log) == before:
                    return

    def _is_late(self) -> bool:
        """Whether a seal waits to be opened by force, or a question of one who is away to be closed."""
        peer = self.peers[min(self.here)]
        owner, is_away = peer.deal.authority.owner_of, peer.deal.authority.is_away
        return any(ask.box is not None or is_away(owner(int(ask.seat))) for ask in peer.source.open)

    def ended(self) -> bool:
        """Whether the match is over for everybody who is here."""
        return all(self.peers[party].match.over for party in self.here)

    @property
    def digests(self) -> set[bytes]:
        """The digests of all who are here."""
        return {self.peers[party].match.digest() for party in self.here}

    @property
    def convicted(self) -> dict[int, Charge]:
        """Who was convicted of what; the same for all who are here."""
        honest = sorted(self.here - {self.liar})
        found = [self.peers[party].deal.authority.convicted for party in honest]
        assert found
        assert all(one == found[0] for one in found)
        return found[0]
