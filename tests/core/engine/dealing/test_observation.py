"""What one machine has heard: who slept, or is cut off itself, accuses nobody at first."""

from __future__ import annotations

from tavolata._engine.dealing.observation import BEAT, LATE, Observation


def listened(step: float, looks: int, needed: int = 0) -> Observation:
    """Two others that say nothing, and looks at so many times."""
    observation = Observation((2, 3), 0.0)
    for number in range(1, looks + 1):
        observation.look(number * step, needed)
    return observation


def test_a_look_that_comes_a_little_late_is_no_sleep() -> None:
    """With looks two seconds apart the silence of another goes on; its word ends it."""
    observation = listened(BEAT + LATE, 10)
    assert observation.silence(2, 20.0) == 20.0
    observation.hear(2, 18.0)
    assert (observation.silence(2, 20.0), observation.silence(3, 20.0)) == (2.0, 20.0)


def test_who_slept_begins_to_listen_anew() -> None:
    """After a gap between two looks nobody has been silent yet."""
    observation = listened(BEAT, 20)
    observation.look(23.0, 0)
    assert observation.silence(2, 23.0) == 0.0
    assert observation.ago(2, 23.0) == 23.0


def test_who_hears_too_few_begins_to_listen_anew() -> None:
    """With fewer than it takes nearby, this machine may be the one that is cut off."""
    assert listened(BEAT, 20, needed=1).silence(2, 20.0) == 0.0
    heard = listened(BEAT, 20)
    heard.hear(3, 20.0)
    heard.look(21.0, 1)
    assert heard.silence(2, 21.0) == 21.0
