"""Clockwork: programmed robots, planned by all at once and then run step by step."""
