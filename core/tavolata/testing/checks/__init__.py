"""The checks that every game must pass; each runs alone: `checks.twice_the_same(Scopa)`."""

from __future__ import annotations

from tavolata.testing.checks.by_value import choices_by_value as choices_by_value
from tavolata.testing.checks.check import Check as Check
from tavolata.testing.checks.golden import golden_playthrough as golden_playthrough
from tavolata.testing.checks.hash_seeds import two_hash_seeds as two_hash_seeds
from tavolata.testing.checks.hinting import hints_change_nothing as hints_change_nothing
from tavolata.testing.checks.interruptions import interruption_fuzz as interruption_fuzz
from tavolata.testing.checks.permuting import unseen_cards_permuted as unseen_cards_permuted
from tavolata.testing.checks.playouts import random_playouts as random_playouts
from tavolata.testing.checks.playouts import twice_the_same as twice_the_same
from tavolata.testing.checks.saving import save_and_resume_everywhere as save_and_resume_everywhere
from tavolata.testing.checks.saving import state_is_plain_data as state_is_plain_data
from tavolata.testing.checks.secrecy import hidden_facts_raise as hidden_facts_raise
from tavolata.testing.checks.secrecy import seats_side_by_side as seats_side_by_side

ALL: tuple[Check, ...] = (
    random_playouts,
    state_is_plain_data,
    twice_the_same,
    save_and_resume_everywhere,
    hidden_facts_raise,
    seats_side_by_side,
    unseen_cards_permuted,
    interruption_fuzz,
    choices_by_value,
    hints_change_nothing,
    golden_playthrough,
    two_hash_seeds,
)
"""The battery. Basic checks come first, because an early failure explains later ones."""
