"""Mercante in fiera."""
