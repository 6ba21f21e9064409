"""Fictionary."""
