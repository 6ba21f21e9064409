"""Checking a match afterwards: the same equations as the player's, written a second time.

Nothing here imports what players prove or check with: only `group` and the hashes `H`, `HS`, `HG` and
`frame` are shared. So a mistake in a player's transcript or equation is not repeated by its auditor, and
whoever wants to know whether a match was dealt fairly need not believe the program that dealt it.

`records` are what an auditor is told: what was said in public, in the order of the log. `auditor.Auditor`
takes them one by one, and `Cheat` names who did what is wrong. No secret is opened.
"""
