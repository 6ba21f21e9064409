"""Cheat, or Dubito."""
