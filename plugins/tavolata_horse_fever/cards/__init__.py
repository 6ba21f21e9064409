"""The cards of Horse Fever, as data: one module for each kind, `effects` for what cards can do.

To add a card, write one declaration into the list of its kind; docs/decisions/ and the tests of
all pairs of cards need nothing else.
"""
