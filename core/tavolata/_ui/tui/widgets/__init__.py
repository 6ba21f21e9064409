"""Textual widgets and themes."""
