"""The laboratory: many matches between bots, what is measured of them, and the report about it."""
