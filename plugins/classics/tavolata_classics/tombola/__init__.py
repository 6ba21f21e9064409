"""Tombola."""
