"""Scala 40."""
