"""The cards of Horse Fever, as data: a module for each kind, and `effects` for their effects.

To add a card, write its declaration into the list of its kind, such as

    HorseCard(46, "Pegasus", (Effect(Moment.SPRINT, sets=3),)),

and a line into the chapter of cards of both rulebooks. The tests ask for that line, and for a test of the
card. That is all for a card that acts at an existing moment. A new moment is a member of `Moment`, and one
call of `worth` in the chapter of the rules that has the number.
"""
