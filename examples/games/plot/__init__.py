"""Plot: hidden roles, open votes and secret deeds."""
