"""Dealing together: what all peers know of it (`deal`), and what one of them does for it (`dealer`)."""
