"""Keyboard input: the table of keys, and the keys of reaction windows."""
