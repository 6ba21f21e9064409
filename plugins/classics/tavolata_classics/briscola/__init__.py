"""Briscola."""
