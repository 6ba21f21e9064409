"""The parts of reliability one by one: receipts, round trips, flight, pacing, fragments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol import codec
from tavolata_protocol.errors import MessageTooLong, ProtocolViolation
from tavolata_protocol.flight import MAX_WINDOW, MIN_WINDOW, Flight
from tavolata_protocol.fragments import MAX_WAITING, Fragment, Inbox, Outbox, Outgoing
from tavolata_protocol.messages.session import (
    FRAGMENT_SIZE,
    MAX_MESSAGE,
    MAX_RANGES,
    Ack,
    Frame,
    Part,
    Whole,
)
from tavolata_protocol.pacing import BURST, Pacer
from tavolata_protocol.receipts import ACK_DELAY, Receipts
from tavolata_protocol.rtt import RttEstimator


def acked(ack: Ack) -> set[int]:
    below, counters = ack.largest + 1, set()
    for place, run in enumerate(ack.runs):
        if place % 2 == 0:
            counters |= set(range(below - run, below))
        below -= run
    return counters


# --- receipts ---


@given(st.lists(st.integers(0, 60), unique=True, min_size=1))
def test_acknowledgement_names_what_came(counters):
    """Whatever the order, the runs name the newest received counters, in at most 16 ranges."""
    receipts = Receipts()
    for counter in counters:
        receipts.note(counter, 1.0, asks=True)
    ack = receipts.frame(1.0)
    assert ack == codec.decode(codec.encode(ack), Ack)
    named = acked(ack)
    assert named <= set(counters)
    assert max(named) == max(counters)
    assert len(ack.runs) <= 2 * MAX_RANGES - 1
    if len(ack.runs) < 2 * MAX_RANGES - 1 and counters == sorted(counters):
        assert named == set(counters)


def test_second_packet_is_acknowledged_at_once_and_one_within_20_ms():
    """One packet waits 20 ms for company; the second is answered at once."""
    receipts = Receipts()
    receipts.note(0, 1.0, asks=True)
    assert receipts.due_at == 1.0 + ACK_DELAY
    receipts.note(1, 1.005, asks=True)
    assert receipts.due_at == 1.005
    assert receipts.frame(1.010).delay == pytest.approx(5000, abs=1)
    assert receipts.due_at is None


def test_packets_out_of_order_are_acknowledged_at_once():
    """A gap, and what fills it, is answered at once."""
    receipts = Receipts()
    receipts.note(0, 1.0, asks=True)
    receipts.frame(1.0)
    receipts.note(2, 1.1, asks=True)
    assert receipts.due_at == 1.1
    receipts.frame(1.1)
    receipts.note(1, 1.2, asks=True)
    assert receipts.due_at == 1.2
    assert receipts.frame(1.2).runs == (3,)


def test_packets_that_ask_nothing_are_never_answered():
    """Acknowledgements do not answer acknowledgements."""
    receipts = Receipts()
    for counter in (0, 5, 3):
        receipts.note(counter, 1.0, asks=False)
    assert receipts.due_at is None
    assert not receipts.owed()


# --- round trips ---


def test_first_round_trip_is_assumed_then_replaced():
    """100 ms until measured; the first sample counts whole, later ones by RFC 9002."""
    rtt = RttEstimator()
    assert rtt.srtt == 0.1
    rtt.sample(0.008, 0.0)
    assert (rtt.srtt, rtt.rttvar) == (0.008, 0.004)
    rtt.sample(0.016, 0.0)
    assert rtt.srtt == pytest.approx(0.009)
    assert rtt.rttvar == pytest.approx(0.005)
    assert rtt.probe_delay() == pytest.approx(0.009 + 4 * 0.005 + 0.020)


def test_claimed_delay_is_bounded():
    """A peer can't talk the round trip below its minimum, nor subtract more than 20 ms."""
    rtt = RttEstimator()
    rtt.sample(0.010, 0.0)
    rtt.sample(0.011, 5.0)
    assert rtt.latest == 0.011
    rtt.sample(0.100, 5.0)
    assert rtt.latest == pytest.approx(0.080)


# --- flight ---


def flying(count: int, spacing: float = 0.001) -> Flight:
    flight = Flight()
    for counter in range(count):
        flight.sent(counter, counter * spacing, [Fragment(b"", Outgoing(0, 1))])
    return flight


def test_three_later_packets_mean_loss():
    """A packet is lost when the third later one arrived, not before."""
    flight = flying(5, spacing=0.0)
    list(flight.acknowledged(Ack(2, 0, (2,)), 5, 0.05))
    assert flight.lost(0.05) == []
    list(flight.acknowledged(Ack(3, 0, (3,)), 5, 0.05))
    assert len(flight.lost(0.05)) == 1


def test_time_means_loss_once_a_later_packet_arrived():
    """9/8 round trips after its sending a packet is lost, if a later one arrived."""
    flight = flying(2)
    list(flight.acknowledged(Ack(1, 0, (1,)), 2, 0.051))
    assert flight.lost(0.051) == []
    when = flight.next_timer()
    assert when == pytest.approx(0.05 * 9 / 8)
    assert len(flight.lost(when)) == 1


def test_probe_waits_double_up_to_a_second():
    """Unanswered probes come after 320 ms at first, then at most a second apart."""
    flight = flying(1)
    waits = []
    for _ in range(4):
        waits.append(flight.probe_at())
        flight.probed()
    assert waits == [pytest.approx(wait) for wait in (0.32, 0.64, 1.0, 1.0)]


def test_late_arrival_of_a_lost_packet_teaches_patience():
    """When a lost packet arrives after all, its fragment counts as arrived and the threshold rises."""
    flight = flying(12)
    list(flight.acknowledged(Ack(6, 0, (6,)), 12, 0.012))
    lost = flight.lost(0.012)
    assert len(lost) == 1
    assert list(flight.acknowledged(Ack(6, 0, (7,)), 12, 0.013)) == lost
    list(flight.acknowledged(Ack(11, 0, (4, 1, 7)), 12, 0.013))
    assert flight.lost(0.0131) == []


def test_acknowledging_the_unsent_is_a_violation():
    """A peer that acknowledges what was never sent breaks the protocol."""
    with pytest.raises(ProtocolViolation):
        list(flying(3).acknowledged(Ack(3, 0, (1,)), 3, 1.0))
    with pytest.raises(ProtocolViolation):
        list(flying(3).acknowledged(Ack(2, 0, (2**62, 1, 1)), 3, 1.0))


def test_window_stays_between_4_and_64():
    """Arrivals open the window to 64 packets, silence closes it to 4."""
    flight = Flight()
    for counter in range(300):
        flight.sent(counter, counter / 1000, [])
        list(flight.acknowledged(Ack(counter, 0, (counter + 1,)), counter + 1, counter / 1000 + 0.001))
    assert flight.window == MAX_WINDOW
    flight.sent(300, 1.0, [])
    for _ in range(6):
        flight.probed()
    assert flight.window == MIN_WINDOW


# --- pacing ---


def test_pacing_spreads_a_window_over_the_round_trip():
    """After the burst, packets leave 5/4 as fast as the window empties."""
    pacer, now, times = Pacer(0.0), 0.0, []
    while len(times) < 40:
        if pacer.is_ready(now, 8, 0.1):
            pacer.sent()
            times.append(now)
        else:
            later = pacer.ready_at(8, 0.1)
            assert later > now
            now = later
    assert times[BURST - 1] == 0.0
    assert times[-1] == pytest.approx((40 - BURST) / 100, rel=0.01)


# --- fragments ---


def frames_of(outbox: Outbox) -> list[Frame]:
    frames = []
    while (fragment := outbox.next(1170)) is not None:
        frames.append(codec.decode(fragment.frame, Frame))
        outbox.acknowledge(fragment)
    return frames


def deliver(inbox: Inbox, frame: Frame) -> list[bytes]:
    return inbox.part(frame) if isinstance(frame, Part) else inbox.whole(frame)


def deliver_all(inbox: Inbox, frames: list[Frame]) -> list[bytes]:
    return [message for frame in frames for message in deliver(inbox, frame)]


@given(
    st.lists(st.sampled_from([0, 1, 1023, 1024, 1025, 2048, 5000]), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_messages_survive_cutting_shuffling_and_doubling(sizes, chance):
    """Fragments in any order, some twice, give each message once and in order."""
    outbox, inbox = Outbox(), Inbox()
    messages = [bytes((number,)) * size for number, size in enumerate(sizes)]
    for message in messages:
        outbox.add(message)
    frames = frames_of(outbox)
    frames += chance.choices(frames, k=len(frames) // 2)
    chance.shuffle(frames)
    assert deliver_all(inbox, frames) == messages


def test_largest_message_is_64_fragments_of_64_kib():
    """64 KiB fit exactly, one byte more is refused with a sentence."""
    outbox = Outbox()
    outbox.add(bytes(MAX_MESSAGE))
    frames = frames_of(outbox)
    assert [len(frames), frames[-1].index, len(frames[-1].body)] == [64, 63, FRAGMENT_SIZE]
    with pytest.raises(MessageTooLong, match="pieces"):
        outbox.add(bytes(MAX_MESSAGE + 1))


def test_sender_keeps_within_what_the_receiver_holds():
    """With the first fragment missing, a conforming sender never makes the receiver hold over 256 KiB."""
    outbox, inbox = Outbox(), Inbox()
    for _ in range(40):
        outbox.add(bytes(20_000))
    first = outbox.next(1170)
    held = 0
    while (fragment := outbox.next(1170)) is not None:
        assert deliver(inbox, codec.decode(fragment.frame, Frame)) == []
        outbox.acknowledge(fragment)
        held += 1
    assert held * FRAGMENT_SIZE > MAX_WAITING * 0.9
    assert deliver(inbox, codec.decode(first.frame, Frame))
    outbox.acknowledge(first)
    assert outbox.has_next()


def test_receiver_refuses_to_hold_more_than_256_kib():
    """A peer that sends without end while the first message is missing is cut off."""
    whole = [Whole(number, bytes(100)) for number in range(1, 10_000)]
    parts = [Part(number, 0, 2, bytes(FRAGMENT_SIZE)) for number in range(1, 10_000)]
    for frames in (whole, parts):
        with pytest.raises(ProtocolViolation, match="wait for an earlier"):
            deliver_all(Inbox(), frames)


@pytest.mark.parametrize(
    "frames",
    [
        [Part(0, 2, 2, b"")],
        [Part(0, 0, 2, b"short")],
        [Part(0, 0, 2, bytes(1024)), Part(0, 1, 3, bytes(1024))],
        [Part(1, 0, 2, bytes(1024)), Whole(1, b"")],
    ],
)
def test_fragments_that_contradict_are_violations(frames):
    """Wrong places, lengths and counts are noticed, whatever the order."""
    with pytest.raises(ProtocolViolation):
        deliver_all(Inbox(), frames)


def test_lost_fragments_go_first_and_arrived_ones_not_again():
    """A lost fragment is sent before new ones; one that turned out to have arrived is not."""
    outbox = Outbox()
    for number in range(3):
        outbox.add(b"%d" % number)
    one, two = outbox.next(1170), outbox.next(1170)
    outbox.put_back(one)
    outbox.put_back(two)
    outbox.acknowledge(one)
    assert outbox.next(1170) is two
    assert outbox.next(1170) is not two
