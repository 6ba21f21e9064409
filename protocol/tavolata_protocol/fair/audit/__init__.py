"""An audit of a match after its end: a second, independent implementation of the checks.

This package shares only `group` and the hashes `H`, `HS`, `HG` and `frame` with the code that deals. So the
auditor does not repeat a mistake in a transcript or an equation of that code. And nobody needs to trust the
program that dealt a match to know whether it was dealt fairly.

`records` are the input of an audit: the public messages in the order of the log. `auditor.Auditor` takes them
one by one, and `Cheat` names the party that did something wrong. No secret is revealed.
"""
