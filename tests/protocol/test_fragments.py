"""Cutting messages, and putting them together within the limits."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol import codec
from tavolata_protocol.errors import MessageTooLong, ProtocolViolation
from tavolata_protocol.fragments import MAX_WAITING, Fragment, Inbox, Outbox
from tavolata_protocol.messages.session import (
    FRAGMENT_SIZE,
    MAX_MESSAGE,
    Frame,
    Part,
    Whole,
)


def frame_of(fragment: Fragment) -> Whole | Part:
    """What a fragment says to the receiver."""
    frame = codec.reader(Frame)(fragment.frame)
    assert isinstance(frame, Whole | Part)
    return frame


def taken(outbox: Outbox) -> Fragment:
    """The next fragment, which is there."""
    fragment = outbox.next(1170, 1170)
    assert fragment is not None
    return fragment


def frames_of(outbox: Outbox) -> list[Whole | Part]:
    frames = []
    while (fragment := outbox.next(1170, 1170)) is not None:
        frames.append(frame_of(fragment))
        outbox.acknowledge(fragment)
    return frames


def deliver(inbox: Inbox, frame: Whole | Part) -> list[bytes]:
    return inbox.part(frame) if isinstance(frame, Part) else inbox.whole(frame)


def deliver_all(inbox: Inbox, frames: Sequence[Whole | Part]) -> list[bytes]:
    return [message for frame in frames for message in deliver(inbox, frame)]


@given(
    st.lists(st.sampled_from([0, 1, 1023, 1024, 1025, 2048, 5000]), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_messages_survive_cutting_shuffling_and_doubling(sizes: list[int], chance: Random) -> None:
    """Fragments in any order, some twice, give each message once and in order."""
    outbox, inbox = Outbox(), Inbox()
    messages = [bytes((number,)) * size for number, size in enumerate(sizes)]
    for message in messages:
        outbox.add(message)
    frames = frames_of(outbox)
    frames += chance.choices(frames, k=len(frames) // 2)
    chance.shuffle(frames)
    assert deliver_all(inbox, frames) == messages


def test_largest_message_is_64_fragments_of_64_kib() -> None:
    """64 KiB fit exactly, one byte more is refused with a sentence."""
    outbox = Outbox()
    outbox.add(bytes(MAX_MESSAGE))
    frames = frames_of(outbox)
    last = frames[-1]
    assert isinstance(last, Part)
    assert [len(frames), last.index, len(last.body)] == [64, 63, FRAGMENT_SIZE]
    with pytest.raises(MessageTooLong, match="pieces"):
        outbox.add(bytes(MAX_MESSAGE + 1))


def test_sender_keeps_within_what_the_receiver_holds() -> None:
    """With the first fragment missing, a conforming sender never makes the receiver hold over 256 KiB."""
    outbox, inbox = Outbox(), Inbox()
    for _ in range(40):
        outbox.add(bytes(20_000))
    first = taken(outbox)
    held = 0
    while (fragment := outbox.next(1170, 1170)) is not None:
        assert deliver(inbox, frame_of(fragment)) == []
        outbox.acknowledge(fragment)
        held += 1
    assert held * FRAGMENT_SIZE > MAX_WAITING * 0.9
    assert deliver(inbox, frame_of(first))
    outbox.acknowledge(first)
    assert outbox.has_next()


def test_receiver_refuses_to_hold_more_than_256_kib() -> None:
    """A peer that sends without end while the first message is missing is cut off."""
    whole = [Whole(number, bytes(100)) for number in range(1, 10_000)]
    parts = [Part(number, 0, 2, bytes(FRAGMENT_SIZE)) for number in range(1, 10_000)]
    streams: tuple[Sequence[Whole | Part], ...] = (whole, parts)
    for frames in streams:
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
def test_fragments_that_contradict_are_violations(frames: list[Whole | Part]) -> None:
    """Wrong places, lengths and counts are noticed, whatever the order."""
    with pytest.raises(ProtocolViolation):
        deliver_all(Inbox(), frames)


def test_lost_fragments_go_first_and_arrived_ones_not_again() -> None:
    """A lost fragment is sent before new ones; one that turned out to have arrived is not."""
    outbox = Outbox()
    for number in range(3):
        outbox.add(b"%d" % number)
    one, two = taken(outbox), taken(outbox)
    outbox.put_back(one)
    outbox.put_back(two)
    outbox.acknowledge(one)
    assert outbox.next(1170, 1170) is two
    assert outbox.next(1170, 1170) is not two
