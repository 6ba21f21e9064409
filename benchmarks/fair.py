"""A benchmark of fair dealing, as ratios to its bare multiplications and additions.

    python benchmarks/fair.py

One run prints the cost in libsodium of a multiplication, of a multiplication with the base point and of an
addition. For decks of 40, 54 and 108 cards it prints shuffling, proving and checking (including the reading
of points and scalars), each with its ratio to its multiplications and additions, which `Counting` counts.
From these it computes the time of a pile among 2, 4 and 8 peers with one core each. It also prints a draw, a
card shown to all, a die, and keys. Last comes the real time of a pile of 54 cards among 2, 4 and 8 processes
on this machine's cores. All other times are CPU time of this process, so that other programs disturb them
little. Nothing is asserted; the goals are in README.md.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Sequence
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parent))

from nacl import bindings
from ratio import fastest

from tavolata_protocol.fair import boxes, dice, keys
from tavolata_protocol.fair.chain import Chain, ChainStep
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Faces, deck_bytes, read_deck
from tavolata_protocol.fair.group import ED25519, Ed25519, Group
from tavolata_protocol.fair.hashing import generators
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import Openable, PileSlot, combine, make_shares, own_shares, read_shares
from tavolata_protocol.fair.shuffle import prove, read_proof, shuffle, verify

DECKS = (40, 54, 108)
PEERS = (2, 4, 8)
ROUNDS = 30


class Counting(Ed25519):
    """The group, which counts its operations."""

    def __init__(self) -> None:
        self.made = Counter[str]()

    def multiply(self, scalar: int, point: bytes) -> bytes:
        self.made["any"] += 1
        return super().multiply(scalar, point)

    def multiply_base(self, scalar: int) -> bytes:
        self.made["base"] += 1
        return super().multiply_base(scalar)

    def add(self, first: bytes, second: bytes) -> bytes:
        self.made["add"] += 1
        return super().add(first, second)

    def subtract(self, first: bytes, second: bytes) -> bytes:
        self.made["add"] += 1
        return super().subtract(first, second)


class Peers:
    """Peers with keys, in a group."""

    def __init__(self, count: int, group: Group) -> None:
        self.secrets = [Secrets(bytes([number]) * 32, os.urandom) for number in range(count)]
        self.contexts = [
            Context(b"bench", b"", 0, "keys", 0, number + 1, group=group) for number in range(count)
        ]
        self.roster = keys.Roster(tuple(bytes([n]) for n in range(count)), keys.threshold(count))
        self.own = [
            keys.deal(c, self.roster, s.steady) for c, s in zip(self.contexts, self.secrets, strict=True)
        ]
        dealings = self.read_dealings()
        self.public = keys.assemble(self.contexts[0], self.roster, dealings)
        self.rings = [
            keys.complete(
                self.public,
                number,
                [
                    keys.read_share(c, dealing, number, own.share(number))
                    for c, dealing, own in zip(self.contexts, dealings, self.own, strict=True)
                ],
                self.own[number - 1],
            )
            for number in range(1, count + 1)
        ]

    def read_dealings(self) -> list[keys.KeyDealing]:
        """All dealings, checked."""
        return [
            keys.read_dealing(c, self.roster, own.commitment, own.data)
            for c, own in zip(self.contexts, self.own, strict=True)
        ]


Tasks = dict[str, Callable[[], object]]


def shuffling(cards: int, group: Group) -> Tasks:
    """What one peer does for a pile."""
    two = Peers(2, group)
    context, joint, secrets = two.public.context("deck", 1, 1), two.public.joint, two.secrets[0]
    faces = Faces(b"bench", cards, group)
    generators(group, cards)  # the same in every match, and made once
    deck = tuple(faces.known(number, joint) for number in range(cards))
    shuffled, witness = shuffle(context, joint, deck, secrets)
    proof = prove(context, joint, deck, shuffled, witness, secrets).encoded
    data = deck_bytes(shuffled)

    def check() -> None:
        verify(context, joint, deck, read_deck(context, data, cards), read_proof(context, proof, cards))

    return {
        "shuffle": lambda: shuffle(context, joint, deck, secrets),
        "prove": lambda: prove(context, joint, deck, shuffled, witness, secrets),
        "read": lambda: read_deck(context, data, cards),
        "check": check,
    }


def opening(group: Group) -> Tasks:
    """Drawing five cards, showing one, and a die, with eight peers."""
    eight = Peers(8, group)
    public, faces = eight.public, Faces(b"bench", 5, group)
    cards = [PileSlot(*faces.known(number, public.joint)) for number in range(5)]
    drawer, t = 8, public.roster.threshold

    def helps(party: int) -> bytes:
        ring, secrets = eight.rings[party - 1], eight.secrets[party - 1]
        made = make_shares(public.context("draw", 2, party), ring, cards, secrets)
        context = public.context("box", 2, party)
        return boxes.seal(context, drawer, public.mailboxes[drawer - 1], made.encoded, secrets)

    sent = {party: helps(party) for party in range(1, t)}

    def draw() -> None:
        got = {drawer: own_shares(eight.rings[drawer - 1], cards)}
        for party, data in sent.items():
            context = public.context("box", 2, party)
            box = boxes.read_box(context, drawer, public.mailboxes[drawer - 1], data, 5 * 32 + 64)
            plain = boxes.open_box(context, box, eight.rings[drawer - 1].mailbox_secret)
            got[party] = read_shares(public.context("draw", 2, party), public, cards, plain)
        opened = combine(public, got)
        assert [faces.number(slot.card, point) for slot, point in zip(cards, opened, strict=True)] == [
            *range(5)
        ]

    def all_of(things: Sequence[Openable], about: str) -> dict[int, bytes]:
        return {
            party: make_shares(
                public.context(about, 3, party), eight.rings[party - 1], things, eight.secrets[party - 1]
            ).encoded
            for party in range(1, t + 1)
        }

    def show(things: Sequence[Openable], about: str, data: dict[int, bytes]) -> None:
        combine(
            public,
            {
                party: read_shares(public.context(about, 3, party), public, things, one)
                for party, one in data.items()
            },
        )

    shown = all_of(cards[:1], "show")
    die = [dice.point(public.context("die", 3, 0))]

    def own_die() -> None:
        point = dice.point(public.context("die", 3, 0))
        make_shares(public.context("die", 3, 1), eight.rings[0], [point], eight.secrets[0])

    thrown = all_of(die, "die")
    return {
        "draw of 5, a helper": lambda: helps(1),
        "draw of 5, the drawer": draw,
        "card shown, checking": lambda: show(cards[:1], "show", shown),
        "die, own share": own_die,
        "die, checking": lambda: show(die, "die", thrown),
        "keys of 8, checking": eight.read_dealings,
    }


def counted(make: Callable[[Group], Tasks]) -> dict[str, Counter[str]]:
    """The group operations of each task."""
    group = Counting()
    tasks, counts = make(group), {}
    for name, task in tasks.items():
        group.made.clear()
        task()
        counts[name] = Counter(group.made)
    return counts


def raw() -> Tasks:
    """The bare operations, thirty at a time."""
    scalar = (ED25519.order // 3).to_bytes(32, "little")
    one, other = ED25519.multiply_base(5), ED25519.multiply_base(7)

    def times(operation: Callable[..., bytes], *given: bytes) -> Callable[[], object]:
        def run() -> None:
            for _ in range(30):
                operation(*given)

        return run

    return {
        "any": times(bindings.crypto_scalarmult_ed25519_noclamp, scalar, one),
        "base": times(bindings.crypto_scalarmult_ed25519_base_noclamp, scalar),
        "add": times(bindings.crypto_core_ed25519_add, one, other),
    }


def units(tasks: Tasks, each: int = 1) -> dict[str, Callable[[], int]]:
    """Tasks as `fastest` measures them."""

    def counting(task: Callable[[], object]) -> Callable[[], int]:
        def run() -> int:
            task()
            return each

        return run

    return {name: counting(task) for name, task in tasks.items()}


def pipelined(peers: int, best: dict[str, float]) -> float:
    """Seconds until the last peer has checked all proofs, with one core for each peer.

    Each peer reads the deck of the peer before it, shuffles, passes it on, proves, and checks the others.
    """
    ready = [(peer + 1) * best["shuffle"] + peer * best["read"] + best["prove"] for peer in range(peers)]
    finished = []
    for peer, now in enumerate(ready):
        for other in sorted(at for one, at in enumerate(ready) if one != peer):
            now = max(now, other) + best["check"]  # noqa: PLW2901 - the clock of this peer
        finished.append(now)
    return max(finished)


Message = tuple[ChainStep, int, bytes]


def one_peer(party: int, peers: int, cards: int, log: Connection) -> None:
    """The process of one peer of a pile: it first passes decks on, then proves, and last checks others."""
    some = Peers(peers, ED25519)
    secrets, joint = some.secrets[party - 1], some.public.joint
    faces = Faces(b"bench", cards)
    generators(ED25519, cards)
    deck = tuple(faces.known(number, joint) for number in range(cards))
    chain = Chain(some.public, deck, "pile", range(1, peers + 1), party)
    log.send("ready")
    log.recv()
    said, later, witness = set[ChainStep](), deque[Message](), None

    def take(step: ChainStep, author: int, data: bytes) -> None:
        if step is ChainStep.DECK:
            chain.take_deck(author, 0, data)
        elif step is ChainStep.PROOF:
            chain.take_proof(author, 0, data)
        else:
            chain.take_seed(author, 0, 0, data)
        if chain.is_proven and not chain.openers:
            chain.open(chain.shufflers)

    while chain.awaited:
        mine = next((one.step for one in chain.awaited if one.party == party and one.step not in said), None)
        if mine is not None:
            if mine is ChainStep.DECK:
                data, witness = chain.make_deck(secrets)
            elif mine is ChainStep.PROOF:
                data = chain.make_proof(secrets, witness)
            else:
                data = chain.make_seed(secrets)
            said.add(mine)
            log.send((mine, party, data))
        while log.poll(0 if mine is not None or later else None):
            message: Message = log.recv()
            if message[0] is ChainStep.DECK or message[1] == party:
                take(*message)
                break
            later.append(message)
        else:
            if later:
                take(*later.popleft())
    log.send(len(chain.slots))


def in_processes(peers: int, cards: int) -> float:
    """Seconds until the last process has its pile; this process orders their messages."""
    ends, workers = [], []
    for party in range(1, peers + 1):
        here, there = Pipe()
        ends.append(here)
        workers.append(Process(target=one_peer, args=(party, peers, cards, there), daemon=True))
        workers[-1].start()
    for end in ends:
        end.recv()
    begun, left = perf_counter(), peers
    for end in ends:
        end.send("go")
    while left:
        ready = wait(ends)
        for end in [one for one in ends if one in ready]:
            message = end.recv()
            if isinstance(message, int):
                left -= 1
                ends.remove(end)
            else:
                for other in ends:
                    other.send(message)
    took = perf_counter() - begun
    for worker in workers:
        worker.join()
    return took


def measure(make: Callable[[Group], Tasks]) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds of each task and of its bare operations, measured alternately."""
    counts = counted(make)
    best = fastest(units(raw(), 30) | units(make(ED25519)), ROUNDS, process_time)
    bare = {name: sum(best[kind] * number for kind, number in made.items()) for name, made in counts.items()}
    return best, bare


if __name__ == "__main__":
    for cards in DECKS:
        best, bare = measure(lambda group, cards=cards: shuffling(cards, group))  # type: ignore[misc]
        if cards == DECKS[0]:
            costs = (f"{name} {best[name] * 1e6:.0f} us" for name in ("any", "base", "add"))
            print(f"libsodium: a multiplication of any point, of the base, an addition: {', '.join(costs)}")
        parts = (
            f"{name} {best[name] * 1e3:.1f} ms ({best[name] / bare[name]:.2f})"
            for name in ("shuffle", "prove", "check")
        )
        print(f"{cards:>3} cards: {', '.join(parts)}; ratios to the bare operations in brackets")
        piles = (f"{peers} peers {pipelined(peers, best):.2f} s" for peers in PEERS)
        print(f"           pipelined, computed for a core a peer: {', '.join(piles)}")
    best, bare = measure(opening)
    for name, seconds in bare.items():
        print(f"8 peers, {name}: {best[name] * 1e3:.2f} ms ({best[name] / seconds:.2f})")
    took = (f"{peers} {min(in_processes(peers, 54) for _ in range(3)):.2f} s" for peers in PEERS)
    print(f"54 cards among processes on {os.cpu_count()} cores: {', '.join(took)}")
