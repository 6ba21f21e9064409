"""Draughts, by English or by Italian rules."""
