"""Loss detection, probes and the window."""

from __future__ import annotations

import random

import pytest

from tavolata_protocol.errors import ProtocolViolation
from tavolata_protocol.flight import MAX_WINDOW, MIN_WINDOW, Flight
from tavolata_protocol.fragments import Fragment, Outgoing
from tavolata_protocol.messages.session import (
    Ack,
)


def flying(count: int, spacing: float = 0.001) -> Flight:
    flight = Flight()
    for counter in range(count):
        flight.sent(counter, counter * spacing, [Fragment(b"", Outgoing(0, 1))], 400)
    return flight


def test_three_later_packets_mean_loss() -> None:
    """A packet is lost when the third later one arrived, not before."""
    flight = flying(5, spacing=0.0)
    flight.acknowledged(Ack(2, 0, (2,)), 5, 0.05)
    assert flight.lost(0.05) == []
    flight.acknowledged(Ack(3, 0, (3,)), 5, 0.05)
    assert len(flight.lost(0.05)) == 1


def test_time_means_loss_once_a_later_packet_arrived() -> None:
    """9/8 round trips after its sending a packet is lost, if a later one arrived."""
    flight = flying(2)
    flight.acknowledged(Ack(1, 0, (1,)), 2, 0.051)
    assert flight.lost(0.051) == []
    when = flight.next_timer()
    assert when is not None
    assert when == pytest.approx(0.05 * 9 / 8)
    assert len(flight.lost(when)) == 1


def test_probe_waits_double_up_to_a_second() -> None:
    """Unanswered probes come after 320 ms at first, then at most a second apart."""
    flight = flying(1)
    waits = []
    for _ in range(4):
        waits.append(flight.probe_at())
        flight.probed()
    assert waits == [pytest.approx(wait) for wait in (0.32, 0.64, 1.0, 1.0)]


def test_a_probe_carries_what_is_still_to_be_acknowledged_of_the_oldest_packet() -> None:
    """What has arrived, or left again in a later packet, is not in the oldest one any more."""
    flight = flying(2)
    first, second = (sent.fragments[0] for sent in flight._sent.values())
    assert flight.oldest() == [first]
    first.carrier = 1
    assert flight.oldest() == [second]
    first.carrier, first.acked = 0, True
    assert flight.oldest() == [second]
    second.acked = True
    assert flight.oldest() == []


def test_late_arrival_of_a_lost_packet_teaches_patience() -> None:
    """When a lost packet arrives after all, its fragment counts as arrived and the threshold rises."""
    flight = flying(12)
    flight.acknowledged(Ack(6, 0, (6,)), 12, 0.012)
    lost = flight.lost(0.012)
    assert len(lost) == 1
    assert flight.acknowledged(Ack(6, 0, (7,)), 12, 0.013) == lost
    flight.acknowledged(Ack(11, 0, (4, 1, 7)), 12, 0.013)
    assert flight.lost(0.0131) == []


def test_acknowledging_the_unsent_is_a_violation() -> None:
    """A peer that acknowledges what was never sent breaks the protocol."""
    with pytest.raises(ProtocolViolation):
        flying(3).acknowledged(Ack(3, 0, (1,)), 3, 1.0)
    with pytest.raises(ProtocolViolation):
        flying(3).acknowledged(Ack(2, 0, (2**62, 1, 1)), 3, 1.0)


def test_the_short_way_through_an_acknowledgement_ends_where_the_long_one_does() -> None:
    """Whatever is acknowledged in whatever order, both say the same of arrivals, losses and timers."""
    chance, shortened = random.Random(16), 0
    for _ in range(300):
        short, long = Flight(), Flight()
        long._take_all = lambda ack: []  # type: ignore[method-assign]  # only the long way
        counter, now = 0, 0.0
        for _ in range(12):
            for _ in range(chance.randrange(4)):
                now += chance.random() / 500
                if chance.random() < 0.8:  # others ask for no acknowledgement
                    fragment = Fragment(b"", Outgoing(0, 1))
                    for flight in (short, long):
                        flight.sent(counter, now, [fragment], 400)
                counter += 1
            if counter == 0:
                continue
            now += chance.random() / 20
            ack = Ack(*_some_range(chance, counter))
            shortened += bool(short._sent) and not short._lost and len(ack.runs) == 1
            assert short.acknowledged(ack, counter, now) == long.acknowledged(ack, counter, now)
            assert short.lost(now) == long.lost(now)
            assert vars(short.rtt) == vars(long.rtt)
            assert (short._round_arrived, short._round_end) == (long._round_arrived, long._round_end)
            assert (list(short._sent), list(short._lost)) == (list(long._sent), list(long._lost))
            assert (short.window, short.next_timer()) == (long.window, long.next_timer())
    assert shortened > 300


def _some_range(chance: random.Random, counter: int) -> tuple[int, int, tuple[int, ...]]:
    """Largest, delay and runs of an acknowledgement of what was sent below `counter`."""
    largest = counter - 1 - chance.randrange(min(counter, 3))
    whole = chance.randint(1, largest + 1) if chance.random() < 0.5 else largest + 1
    below = largest + 1 - whole
    if below >= 2 and chance.random() < 0.3:
        return largest, 0, (whole, 1, chance.randint(1, below - 1))
    return largest, 0, (whole,)


def test_window_stays_between_4_and_64() -> None:
    """Arrivals open the window to 64 packets, silence closes it to 4."""
    flight = Flight()
    for counter in range(300):
        flight.sent(counter, counter / 1000, [], 400)
        flight.acknowledged(Ack(counter, 0, (counter + 1,)), counter + 1, counter / 1000 + 0.001)
    assert flight.window == MAX_WINDOW
    flight.sent(300, 1.0, [], 400)
    for _ in range(6):
        flight.probed()
    assert flight.window == MIN_WINDOW
