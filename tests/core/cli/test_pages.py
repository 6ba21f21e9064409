"""The pages of commands."""

from __future__ import annotations

from importlib import import_module

import pytest

from tavolata._cli.commands import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_says_what_the_list_says(name: str) -> None:
    """A command's own page opens with the sentence of `tt --help`, which is translated."""
    module, _, function = COMMANDS[name][0].partition(":")
    assert getattr(import_module(module), function).__doc__ == COMMANDS[name][1]
