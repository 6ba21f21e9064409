"""Errors that carry a message with fields."""

from __future__ import annotations

from tavolata._ui.i18n import Translator
from tavolata.errors import MessageError, OptionError, Refused
from tavolata.options import NO_OPTIONS


def test_an_errors_sentence_is_its_message_filled_in() -> None:
    """Values are put in as they are, braces and all; message and fields are kept for other languages."""
    error = Refused("{card} costs {price}.", card="{joker}", price=3)
    assert str(error) == "{joker} costs 3."
    assert (error.message, error.params) == ("{card} costs {price}.", {"card": "{joker}", "price": 3})


def test_every_such_error_is_told_in_the_persons_language() -> None:
    """One kind of error does for refusals and for what a person typed wrong."""
    error: MessageError = OptionError(NO_OPTIONS, name="speed")
    assert Translator("it").text(error.message, error.params) != str(error)
    assert "speed" in Translator("it").text(error.message, error.params)
