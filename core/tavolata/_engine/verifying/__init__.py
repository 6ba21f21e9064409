"""Checking a match from its file: who signed what, how it was dealt, and that its rules were kept."""
