"""The full-screen frontend: Textual draws the table from the zones that every game describes as data.

Only this package imports Textual, and it is imported only to show a screen.
"""
