"""Rockets: everybody sees the cards of the others, and nobody their own."""
