"""The kit for authors: what to run over a game before it is published."""
