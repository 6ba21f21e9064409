"""Simulations for authors, bots and learners: matches to step through, to copy, and to play to their end."""

from __future__ import annotations

from tavolata._engine.match.simulation import ActionIndex, Simulation
from tavolata.view import Action, World

__all__ = ["Action", "ActionIndex", "Simulation", "World"]
