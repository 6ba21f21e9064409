"""Bazaar: lots under the hammer, and offers from player to player at any time."""
