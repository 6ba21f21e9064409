"""A tabletop for the terminal: the API for authors of games."""
