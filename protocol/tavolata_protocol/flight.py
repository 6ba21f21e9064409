"""Packets in flight: acknowledgement, loss, retransmission and probes. Loss detection follows RFC 9002.

This module knows counters, times and the fragments that packets carried. It knows neither keys nor sockets. A
packet is lost when three later ones have arrived, or when a later one has arrived and 9/8 round trips have
passed. If a "lost" packet arrives after all, the path reorders packets, and both thresholds are raised
(section 6.1 of the RFC allows it).

The congestion window is this protocol's own. It grows with acknowledged packets, and halves only if more than
half of a round trip's packets were lost. On a local network, a smaller loss is radio noise and not a full
queue. At most 64 packets are in flight to a peer in any case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tavolata_protocol.errors import ProtocolViolation
from tavolata_protocol.fragments import Fragment
from tavolata_protocol.messages.session import Ack
from tavolata_protocol.pacing import RttEstimator
from tavolata_protocol.path_size import SIZES, PathSize

MIN_WINDOW = 4
MAX_WINDOW = 64
MAX_PROBE_DELAY = 1.0
_LATER_PACKETS = 3
_TIME_FACTOR = 9 / 8
_MAX_TIME_FACTOR = 2.0
_REMEMBERED_LOSSES = 128
_SILENT_PROBES = 4


@dataclass(slots=True, eq=False)
class SentPacket:
    """A packet that has to be acknowledged."""

    counter: int
    time: float
    fragments: list[Fragment]
    size: int


class Flight:
    """The packets in flight in one direction, the window for them, and the timers of loss and probes."""

    def __init__(self) -> None:
        self.rtt = RttEstimator()
        self.path = PathSize()
        self.window = float(MIN_WINDOW * 2)
        self._growing_fast = True
        self._sent: dict[int, SentPacket] = {}  # ascending counters
        self._lost: dict[int, SentPacket] = {}
        self._largest_acked = -1
        self._last_sent = -1
        self._last_sent_at = 0.0
        self._round_end = 0
        self._round_lost = 0
        self._round_arrived = 0
        self._probes_unanswered = 0
        self._later_packets = _LATER_PACKETS
        self._time_factor = _TIME_FACTOR
        self._loss_at: float | None = None

    def has_room(self) -> bool:
        """Return True if the window allows one more packet."""
        return len(self._sent) < int(self.window)

    @property
    def in_flight(self) -> int:
        """Packets that are neither acknowledged nor given up."""
        return len(self._sent)

    def sent(self, counter: int, now: float, fragments: list[Fragment], size: int) -> None:
        """Note that a packet of this many bytes was sent, which has to be acknowledged."""
        for fragment in fragments:
            fragment.carrier = counter
        self._sent[counter] = SentPacket(counter, now, fragments, size)
        self._last_sent, self._last_sent_at = counter, now

    def acknowledged(self, ack: Ack, next_counter: int, now: float) -> list[Fragment]:
        """Take an acknowledgement; return the fragments that are known to have arrived.

        Raise `ProtocolViolation` if it names packets that were never sent.
        """
        if ack.largest >= next_counter:
            raise ProtocolViolation("A packet was acknowledged that was never sent.")
        newly = self._take_all(ack) or list(self._take(ack))
        if not newly:
            return []
        self._largest_acked = max(self._largest_acked, ack.largest)
        last = newly[-1]
        if last.counter == ack.largest and last.counter not in self._lost:
            self.rtt.sample(now - last.time, ack.delay / 1e6)
        self._probes_unanswered = 0
        arrived: list[Fragment] = []
        for packet in newly:
            self.path.arrived(packet.counter, packet.size, now)
            if self._lost.pop(packet.counter, None) is not None:
                self._learn_reordering(packet)
            else:
                self._round_arrived += 1
                growth = 1.0 if self._growing_fast else 1.0 / self.window
                self.window = min(self.window + growth, float(MAX_WINDOW))
            arrived += packet.fragments
        if last.counter >= self._round_end:
            self._finish_round()
        return arrived

    def lost(self, now: float) -> list[Fragment]:
        """Give up the packets that are lost by now; return the fragments to send again."""
        self._loss_at = None
        if not self._sent:
            return []
        delay = self.rtt.loss_delay(self._time_factor)
        again: list[Fragment] = []
        given_up: list[SentPacket] = []
        for packet in self._sent.values():
            if packet.counter >= self._largest_acked:
                break
            if packet.time + delay <= now or packet.counter + self._later_packets <= self._largest_acked:
                given_up.append(packet)
            else:  # later packets were sent later: this one is the next to be lost by time
                self._loss_at = packet.time + delay
                break
        for packet in given_up:
            del self._sent[packet.counter]
            self._lost[packet.counter] = packet
            self.path.lost(packet.counter, packet.size, self._last_sent, now)
            again += [f for f in packet.fragments if not f.acked and f.carrier == packet.counter]
        self._round_lost += len(given_up)
        while len(self._lost) > _REMEMBERED_LOSSES:
            del self._lost[next(iter(self._lost))]
        return again

    def oldest(self) -> list[Fragment]:
        """Return the fragments of the oldest packet in flight that carries any: the best to probe with."""
        for packet in self._sent.values():
            waiting = [f for f in packet.fragments if not f.acked and f.carrier == packet.counter]
            if waiting:
                return waiting
        return []

    @property
    def is_large(self) -> bool:
        """True if a packet is in flight that a path with a black hole might not carry."""
        return any(packet.size > SIZES[-1] for packet in self._sent.values())

    def next_timer(self) -> float | None:
        """Return when to look for losses, or to probe; None if nothing is in flight."""
        return self.probe_at() if self._loss_at is None else self._loss_at

    def probe_at(self) -> float | None:
        """Return when to probe if nothing is acknowledged before then."""
        if not self._sent:
            return None
        first = self.rtt.probe_delay()
        delay = min(first * (1 << self._probes_unanswered), max(first, MAX_PROBE_DELAY))
        return self._last_sent_at + delay

    def probed(self) -> None:
        """Note that a probe was sent: wait twice as long before the next one."""
        self._probes_unanswered = min(self._probes_unanswered + 1, 16)
        if self._probes_unanswered >= _SILENT_PROBES:
            self._shrink_to(float(MIN_WINDOW))

    def _take_all(self, ack: Ack) -> list[SentPacket]:
        """All packets in flight if `ack` has one range and that holds them, as nearly always; else none."""
        sent, first = self._sent, ack.largest + 1 - ack.runs[0]
        if self._lost or not sent or len(ack.runs) > 1 or self._last_sent > ack.largest:
            return []
        if not 0 <= first <= next(iter(sent)):
            return []
        newly = list(sent.values())
        sent.clear()
        return newly

    def _take(self, ack: Ack) -> Iterator[SentPacket]:
        """Return the packets newly acknowledged by `ack`, ascending; lost ones stay in `_lost`."""
        below = ack.largest + 1
        ranges: list[tuple[int, int]] = []
        for place, run in enumerate(ack.runs):
            if run > below:
                raise ProtocolViolation("An acknowledgement reaches below the first packet.")
            if place % 2 == 0:
                ranges.append((below - run, below))
            below -= run
        for low, end in reversed(ranges):
            for packets in (self._lost, self._sent):
                if not packets:
                    continue
                if end - low <= len(packets):
                    found = [packets[counter] for counter in range(low, end) if counter in packets]
                else:
                    found = [packet for counter, packet in packets.items() if low <= counter < end]
                if packets is self._sent:
                    for packet in found:
                        del packets[packet.counter]
                yield from found

    def _learn_reordering(self, packet: SentPacket) -> None:
        self._later_packets = min(
            max(self._later_packets, self._largest_acked - packet.counter + 1), MAX_WINDOW
        )
        self._time_factor = min(self._time_factor + 1 / 8, _MAX_TIME_FACTOR)

    def _finish_round(self) -> None:
        if self._round_lost > self._round_arrived:
            self._shrink_to(max(self.window / 2, float(MIN_WINDOW)))
        self._round_end = self._last_sent + 1
        self._round_lost = self._round_arrived = 0

    def _shrink_to(self, window: float) -> None:
        self.window = window
        self._growing_fast = False
