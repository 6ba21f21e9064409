"""Input: the table of keys, and the keys of windows."""
