"""Settings of the property tests here: how long an example takes says nothing on a busy machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tavolata", deadline=None)
settings.load_profile("tavolata")
