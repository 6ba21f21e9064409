"""Dealing: the state machine of fair dealing, each peer's part in it, and the trusted dealer."""
