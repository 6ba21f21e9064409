"""The cards of Horse Fever, as data: a module for each kind, and `effects` for what cards can do.

To add a card, write its declaration into the list of its kind, such as

    HorseCard(46, "Pegasus", (Effect(Moment.SPRINT, sets=3),)),

and its line into the chapter of cards of both rulebooks; the tests ask for that line, and for what the
card does alone. A card that acts at a moment that there is needs nothing else. A new moment is a member
of `Moment` and one call of `worth` in the chapter of the rules that has the number.
"""
