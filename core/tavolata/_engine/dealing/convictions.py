"""What a cheat did, in every language.

Whoever convicts says it in one English sentence, which is what files keep and programs read. Who shows it to
a person finds the message again that it was made of; a sentence that nobody knows stays as it is.
"""

from __future__ import annotations

import re

from tavolata._text import FIELD
from tavolata.messages import N_, Text

SENTENCES = (
    N_("A box can't be opened by whom it is for."),
    N_("A card was shown as another one."),
    N_("A card was shown that came out of no pile."),
    N_("A card was shuffled that came out of no pile."),
    N_("A dealing gives a party a share of nothing."),
    N_("A dealing is not the one committed to."),
    N_("A deck was proven twice."),
    N_("A deck was shuffled out of turn."),
    N_("A die showed something else."),
    N_("A good share of a key was called bad."),
    N_("A pile has no such rounds."),
    N_("A pile is not what its shuffles come to."),
    N_("A pile was mixed with nobody's seed."),
    N_("A proof came without its deck."),
    N_("A round was named that has not begun."),
    N_("A seal does not hold what it is opened to."),
    N_("A seal held something else."),
    N_("A seed came without its deck."),
    N_("A seed is not the one committed to."),
    N_("A seed was opened out of turn."),
    N_("A share came from nobody."),
    N_("A share is of no point."),
    N_("A share of a key does not fit its dealing."),
    N_("All together made a key that is none."),
    N_("It accused another of two stories, without a proof."),
    N_("It called good shares bad."),
    N_("It dealt a point that is none."),
    N_("It dealt another number of coefficients."),
    N_("It dealt somebody a share of nothing."),
    N_("It dealt what it had not promised."),
    N_("It did not do its part of the dealing."),
    N_("It gave a wrong share."),
    N_("It has not proven that it knows its part of the key."),
    N_("It masked its hand to another one."),
    N_("It opened a seal to what was not in it."),
    N_("It opened a seed that it had not promised."),
    N_("It ordered the game and told two stories of it."),
    N_("It says that others said something else."),
    N_("It sealed what is no answer."),
    N_("It sealed what is no seal."),
    N_("It sent a box that is none."),
    N_("It sent another number of key shares."),
    N_("It shuffled to another deck."),
    N_("It shuffled to what is no deck."),
    N_("Keys lack somebody's part."),
    N_("Something was dealt under keys that were not made."),
    N_("Something was opened that was not sealed."),
    N_("Something was opened with too few shares."),
    N_("The parties made a key that is none."),
    N_("The proof of a shuffle does not hold."),
    N_("The proof of a shuffle is about another number of cards."),
    N_("A proof of a {what} does not hold."),
    N_("A proof of {what} does not hold."),
    N_("A proof of {what} is not about what it should be."),
    N_("A {what} holds a point that is none."),
    N_("A {what} holds a scalar that is none."),
    N_("A {what} has {given} bytes instead of {size}."),
    N_("A {what} is no bytes."),
    N_("Seat {seat} played a card that it may not have played ({card})."),
)
"""Messages by which somebody is convicted; where two fit, the first is meant."""

THINGS = frozenset({
    N_("box"), N_("commitment"), N_("dealing"), N_("deck"), N_("key"), N_("mailbox"), N_("opened box"),
    N_("opening"), N_("proof of a shuffle"), N_("seal"), N_("seed"), N_("share"), N_("share of a key"),
    N_("shuffled deck"),
})  # fmt: skip
"""What can be wrong, as it stands in a field."""


def charge(sentence: str) -> Text:
    """The message that a sentence was made of, with what stands in its fields."""
    for message in SENTENCES:
        found = re.fullmatch(_pattern(message), sentence)
        if found is not None:
            fields = found.groupdict().items()
            return Text(message, {name: Text(value) if value in THINGS else value for name, value in fields})
    return Text("{sentence}", {"sentence": sentence})


def _pattern(message: str) -> str:
    parts = FIELD.split(message)  # words and the names of fields by turns
    return "".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
