"""Reviewing a finished match: replay, and verification of its file."""
