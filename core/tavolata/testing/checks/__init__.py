"""The checks that every game must pass; each runs alone: `checks.twice_the_same(Scopa)`."""

from __future__ import annotations

from tavolata.testing.checks.by_value import choices_by_value as choices_by_value
from tavolata.testing.checks.cards import cards_stay as cards_stay
from tavolata.testing.checks.cards import drawn_everywhere as drawn_everywhere
from tavolata.testing.checks.cards import zones_pure as zones_pure
from tavolata.testing.checks.check import Check as Check
from tavolata.testing.checks.declarations import seats_and_options as seats_and_options
from tavolata.testing.checks.ending import legacies as legacies
from tavolata.testing.checks.ending import outcomes as outcomes
from tavolata.testing.checks.interruptions import interruption_fuzz as interruption_fuzz
from tavolata.testing.checks.judging import facts_judged as facts_judged
from tavolata.testing.checks.judging import narrated as narrated
from tavolata.testing.checks.permuting import unseen_cards_permuted as unseen_cards_permuted
from tavolata.testing.checks.playouts import bots_finish as bots_finish
from tavolata.testing.checks.playouts import fresh_process as fresh_process
from tavolata.testing.checks.playouts import golden_playthrough as golden_playthrough
from tavolata.testing.checks.playouts import random_playouts as random_playouts
from tavolata.testing.checks.playouts import text_fuzz as text_fuzz
from tavolata.testing.checks.playouts import twice_the_same as twice_the_same
from tavolata.testing.checks.questions import hints_change_nothing as hints_change_nothing
from tavolata.testing.checks.questions import questions_bounded as questions_bounded
from tavolata.testing.checks.saving import save_and_resume_everywhere as save_and_resume_everywhere
from tavolata.testing.checks.saving import state_is_plain_data as state_is_plain_data
from tavolata.testing.checks.secrecy import hidden_facts_raise as hidden_facts_raise
from tavolata.testing.checks.secrecy import seats_side_by_side as seats_side_by_side
from tavolata.testing.checks.source_text import every_word_awaited as every_word_awaited
from tavolata.testing.checks.source_text import nothing_outside as nothing_outside
from tavolata.testing.checks.source_text import nothing_private as nothing_private
from tavolata.testing.checks.taking_back import takes_back as takes_back
from tavolata.testing.checks.wording import looks_fit as looks_fit
from tavolata.testing.checks.wording import messages_whole as messages_whole
from tavolata.testing.checks.worlds import worlds_imagined as worlds_imagined

ALL: tuple[Check, ...] = (
    seats_and_options,
    nothing_private,
    nothing_outside,
    every_word_awaited,
    random_playouts,
    bots_finish,
    outcomes,
    messages_whole,
    cards_stay,
    state_is_plain_data,
    zones_pure,
    drawn_everywhere,
    looks_fit,
    twice_the_same,
    fresh_process,
    save_and_resume_everywhere,
    hidden_facts_raise,
    seats_side_by_side,
    unseen_cards_permuted,
    facts_judged,
    narrated,
    interruption_fuzz,
    text_fuzz,
    choices_by_value,
    takes_back,
    legacies,
    worlds_imagined,
    questions_bounded,
    hints_change_nothing,
    golden_playthrough,
)
"""The battery. Basic checks come first, because an early failure explains later ones; some end it."""
