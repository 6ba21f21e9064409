"""Widgets: what Textual shows."""
