"""The frontends of a match (full screen, plain text and JSON) and their translations."""
