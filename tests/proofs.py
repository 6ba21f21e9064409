"""Tests that prove what was promised: no fault of the log, and no check of the screen, loses its tests.

Checks of the screen and the stage are those of their designs; `tests/test_docs.py` reads these tables.
"""

from __future__ import annotations

from typing import Final

FAULTS: Final = {
    1: (  # two final logs after a promotion, a leave and one cut
        "test_each_mutant_is_killed",
        "test_the_real_rules_survive_every_schedule",
        "test_people_who_come_and_go_break_no_agreement",
    ),
    2: (  # a flipped bit in a log file lost final entries silently
        "test_a_spoilt_byte_is_damage_and_no_torn_record",
        "test_a_damaged_copy_of_the_table_is_kept_aside_and_learnt_anew",
    ),
    3: (  # one machine filled a table with spectators that were gone
        "test_one_machine_does_not_fill_the_table_with_spectators",
        "test_the_places_of_learners_that_went_are_free_again",
    ),
    4: (  # nobody could join under garbage with right cookies
        "test_garbage_after_a_right_cookie_keeps_nobody_out",
        "test_a_machine_with_many_ipv6_addresses_is_one_machine",
        "test_one_machine_does_not_use_up_the_handshakes_of_all",
    ),
    5: (  # the log was never compacted, and nobody had a quota
        "test_newcomers_and_those_who_come_back_go_on_from_the_snapshot",
        "test_a_chatting_spectator_fills_nobodys_log",
        "test_a_talkative_learner_fills_nobodys_disk",
        "test_a_host_imports_only_what_a_table_needs",
    ),
    6: (  # a path that drops long packets froze the match
        "test_a_match_over_a_path_that_never_carried_long_packets",
        "test_a_match_goes_on_when_the_path_begins_to_drop_long_packets",
        "test_a_path_for_tiny_packets_only_is_named",
    ),
    7: (  # files brought control characters to the terminal, or an internal error
        "test_a_record_with_a_right_checksum_and_a_wrong_body_is_one_sentence",
        "test_a_name_that_can_not_be_shown_makes_no_match_file",
        "test_one_bad_file_hides_no_other",
        "test_a_spoilt_store_is_a_log_or_is_damaged",
        "test_whatever_a_file_holds_its_reader_has_a_word_for_it",
    ),
    8: (  # "I am here" for each entry; a bot asked blind; a host told that nothing is heard of itself
        "test_who_reads_hundreds_of_entries_on_its_return_says_once_that_it_is_here",
        "test_a_bot_is_asked_only_when_its_own_cards_are_open",
        "test_one_answer_whoever_goes_and_returns_and_goes",
        "test_a_host_that_returns_after_the_others_finished_is_told_so",
    ),
    9: (  # replicas that differ played on to two results
        "test_a_match_of_replicas_that_differ_is_void_on_all",
        "test_who_only_watches_and_differs_says_so",
    ),
    10: (  # emoji joined from several were split
        "test_a_picture_of_several_stays_whole_in_a_line",
    ),
}
"""By fault that was reproduced once, the tests that failed before it was fixed."""

CHECKS: Final = {
    "1, 2": (
        # hand, prompt, act, choices and what is asked about are on view at 80x24 and 60x20; at
        # 20x5 question and pointed choice
        "test_checks_1_and_2_what_decides_is_on_view_with_the_question",
        "test_check_2_a_whole_board_is_on_view_with_the_question",
        "test_check_2_at_20x5_the_question_and_the_pointed_choice_are_on_view",
    ),
    "3, 4": (
        # zones and regions keep their rectangles
        "test_checks_3_and_4_every_zone_and_every_region_keeps_its_rectangle",
        "test_checks_3_and_4_no_two_places_and_no_two_regions_overlap",
        "test_check_4_a_board_that_comes_later_moves_nothing",
    ),
    "5": (
        # a quarter of a large screen is used; an eighth by a small game that declares nothing
        "test_check_5_a_large_screen_is_used",
    ),
    "6": (
        # odds, tokens, money and stake at a bet, at 80x24 and on a phone
        "test_check_6_a_bet_is_laid_with_the_odds_in_sight",
        "test_a_question_is_answered_by_taps_and_outlives_the_page",
    ),
    "7": (
        # impossible choices take no room
        "test_check_7_impossible_choices_take_no_room",
    ),
    "8": (
        # a change is marked for 0.8 s
        "test_check_8_every_change_of_a_number_is_marked_long_enough",
        "test_check_8_a_change_is_on_view_long_enough",
    ),
    "9": (
        # moves and rounds of a race can be followed
        "test_check_9_what_happens_at_once_is_one_moment_and_else_it_is_several",
        "test_check_9_a_move_shows_the_old_square_and_the_new_one",
        "test_check_9_every_round_of_a_race_is_seen",
    ),
    "10": (
        # nothing is 15 s late, a question with a clock one second
        "test_check_10_what_is_shown_of_a_match_of_five_bots_is_never_late",
        "test_check_10_what_is_shown_is_never_far_behind",
        "test_check_10_a_question_against_time_is_shown_within_a_second",
    ),
    "11": (
        # no key answers what wasn't seen for 400 ms; 10,000 keys with `-m long`
        "test_check_11_a_key_pressed_while_something_is_shown_answers_nothing",
    ),
    "12": (
        # nothing moves while hands are quick
        "test_check_12_nothing_moves_while_hands_are_quick",
        "test_check_12_nothing_waits_before_quick_hands",
    ),
    "13": (
        # hints wait, on the screen, on a page and in lines
        "test_check_13_a_hint_waits_until_it_is_read",
        "test_check_13_a_page_shows_a_hint_until_it_is_folded_or_answered",
        "test_check_13_lines_tell_a_hint_before_its_question_and_again_when_asked",
    ),
    "14": (
        # buttons say what they do
        "test_check_14_the_button_says_what_it_does",
    ),
    "15": (
        # seats are told apart
        "test_check_15_every_seat_is_told_by_its_mark",
        "test_check_15_twenty_seats_are_distinct_without_colour",
    ),
    "16": (
        # the end tells of everybody
        "test_check_16_an_ending_tells_of_everybody",
        "test_check_16_the_end_is_a_podium_with_everybody_on_it",
        "test_check_16_each_act_after_a_match_has_its_letter",
    ),
    "17": (
        # a replay shows what was shown
        "test_check_17_a_replay_shows_the_scenes_that_were_shown",
        "test_check_17_the_replay_shows_a_page_what_was_shown_live",
    ),
    "18": (
        # no scene holds a secret
        "test_check_18_a_scene_holds_only_what_its_viewer_knows",
        "test_check_18_no_state_tells_more_than_its_seat_may_know",
    ),
    "19": (
        # frames have exactly their cells
        "test_check_19_every_frame_has_exactly_its_cells",
    ),
    "20": (
        # states differ without colour
        "test_check_20_without_colour_four_states_have_four_looks",
    ),
    "21, 23": (
        # pages fit, speak to nobody else, and rest for who wants no motion
        "test_a_question_is_answered_by_taps_and_outlives_the_page",
    ),
    "22": (
        # a reaction on a phone is timed from its frame
        "test_check_22_a_reaction_is_timed_from_the_painted_frame",
    ),
    "24": (
        # no hand is on the screen while a curtain is down
        "test_check_24_several_people_have_a_curtain_between_their_secrets",
        "test_check_24_plain_lines_keep_secrets_behind_a_curtain",
        "test_check_24_names_marks_and_keys_are_asked_in_one_form",
    ),
    "25": (
        # home has one form for a match
        "test_check_25_home_has_one_form_for_a_match",
        "test_check_25_home_is_led_by_the_mouse",
        "test_check_25_home_in_lines_has_the_same_form",
    ),
    "26": (
        # scenes are small, and take few calls; their times are figures of
        # `benchmarks/screen.py`
        "test_check_26_a_scene_is_small_and_made_with_little_work",
    ),
    "27": (
        # games that declare nothing pass 1 to 5 and 15, which run over two of them; declaring
        # changes nothing that may be known
        "test_checks_1_and_2_what_decides_is_on_view_with_the_question",
        "test_check_27_declaring_changes_nothing_that_may_be_known",
    ),
}
"""By check of the screen, the tests that prove it."""

STAGE: Final = {
    "1, 5": (
        # FINISH, the columns of a track, the top card of a pile and the parts of a call never
        # move; 200 questions of each game with `-m long`
        "test_stage_check_1_no_anchor_moves",
        "test_stage_check_5_finish_has_one_column_with_and_without_choices",
    ),
    "2": (
        # after `tt resume` everything is in its place
        "test_stage_check_2_a_table_that_is_seen_anew_looks_the_same",
    ),
    "3": (
        # rules that raise in a rehearsal keep what it has seen
        "test_stage_check_3_a_rehearsal_that_raises_keeps_what_it_has_seen",
    ),
    "7": (
        # the bearer's number has moved when a stamp falls
        "test_stage_check_7_the_number_has_moved_when_the_stamp_falls",
    ),
    "9": (
        # no press counts for a showing other than its train's, or within 400 ms; every pattern
        # of 12 ticks with `-m long`
        "test_stage_check_9_no_press_lands_on_a_showing_other_than_its_trains",
    ),
    "10": (
        # Space reacts in open windows alone; 10,000 Spaces with `-m long`
        "test_stage_check_10_space_reacts_in_open_windows_alone",
    ),
    "12": (
        # Ctrl+Z stops the job and restores the terminal, `fg` draws it all
        "test_stage_check_12_ctrl_z_stops_the_job_and_fg_draws_all_of_it",
    ),
    "13": (
        # pages add no line to the story, no frame names an option, Esc on a bare table changes
        # nothing
        "test_stage_check_13_pages_write_no_story_and_a_bare_escape_does_nothing",
    ),
    "14": (
        # a first match begins with three sentences, a second one doesn't
        "test_stage_check_14_a_first_match_begins_with_its_card",
        "test_stage_check_14_an_answer_a_window_and_enter_put_the_card_away",
        "test_stage_check_14_enter_puts_the_card_away_before_a_text_is_written",
    ),
    "15": (
        # every rank has rank-many signs in every size of card
        "test_stage_check_15_a_rank_has_as_many_signs_at_every_size",
        "test_stage_check_15_courts_and_suits_differ_without_colour",
    ),
    "19": (
        # no page covers the button or the pointed choice
        "test_stage_check_19_no_page_covers_the_button_or_the_pointed_choice",
    ),
    "22": (
        # awards have one holder, charts one scale, and equal numbers equal places
        "test_stage_check_22_awards_and_places_are_honest",
        "test_stage_check_22_all_charts_have_one_scale_and_say_so",
    ),
    "23": (
        # in Il Conto, a card that leaves one call is sent by a click and Enter
        "test_stage_check_23_a_click_on_a_card_that_leaves_one_call_and_enter_send_it",
    ),
}
"""By check of the stage, the tests that prove it."""
