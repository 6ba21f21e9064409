"""The full-screen face: a table drawn with Textual from the zones that every game describes as data.

Nothing outside this package imports Textual, and this package is imported only to show a screen.
"""
