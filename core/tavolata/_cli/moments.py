"""Moments as people say them: "5 minutes ago", "today 19:02". Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from tavolata.messages import N_, NN_

Said = tuple[str, Mapping[str, Any]]
"""A message with its parameters."""
NOW = N_("just now")
MINUTES = NN_("{n} minute ago", "{n} minutes ago")
HOURS = NN_("{n} hour ago", "{n} hours ago")
DAYS = NN_("{n} day ago", "{n} days ago")
TODAY = N_("today {time}")
YESTERDAY = N_("yesterday {time}")
DAY = N_("{day} {time}")
FORGOTTEN = timedelta(days=60)
"""After this, a date says more than the number of days."""


def ago(then: datetime, now: datetime) -> Said:
    """How long ago something was; a long time ago is a date."""
    past = now - then
    minutes = int(past.total_seconds() // 60)
    if minutes < 1:
        return NOW, {}
    if minutes < 60:
        return MINUTES, {"n": minutes}
    if past < timedelta(days=1):
        return HOURS, {"n": minutes // 60}
    return (DAYS, {"n": past.days}) if past < FORGOTTEN else ("{day}", {"day": then.date().isoformat()})


def day_and_time(then: datetime, now: datetime) -> Said:
    """The day and the time of something, with words for today and yesterday."""
    days = (now.date() - then.date()).days
    said = {"day": then.date().isoformat(), "time": then.strftime("%H:%M")}
    return {0: TODAY, 1: YESTERDAY}.get(days, DAY), said
