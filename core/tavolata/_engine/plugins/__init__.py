"""Plugins: the index of entry points, the strict loader, and the catalogue of games and bots."""
