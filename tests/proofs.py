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
        # after `tt resume` the frame is the one before, also with several machines; replays have the
        # scenes of then
        "test_stage_check_2_the_frame_after_resuming_is_the_one_before",
        "test_stage_check_2_a_table_looks_as_before_after_a_resume",
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
    "8": (
        # a game that declares nothing has few verdicts, and one at its end
        "test_stage_check_8_a_game_that_declares_nothing_has_few_verdicts_and_one_at_its_end",
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
    "11": (
        # no answer within 400 ms of its question; 10,000 keys with `-m long`
        "test_stage_check_11_no_answer_comes_before_its_question_could_be_read",
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
    "18": (
        # blank rows, cells that say something and lines, with the exceptions that are listed there
        "test_stage_check_18_room_is_used",
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

ATTACKS: Final = {
    "one party says everything about everyone": (
        "tests/core/engine/dealing/test_absences.py::test_one_that_says_everything_about_everybody_moves_nothing",
    ),
    "fewer than t conspire, one honest party being cut off from the victim": (
        "tests/core/engine/dealing/test_absences.py::test_a_hand_dealt_after_a_vote_gets_its_full_wait",
    ),
    "a vote is cast before a hand is dealt": (
        "tests/core/engine/dealing/test_absences.py::test_a_hand_dealt_after_a_vote_gets_its_full_wait",
    ),
    "t conspirators, and one fewer, open all they can": (
        "tests/core/explore/test_walks.py::test_a_walk_finds_what_t_conspirators_can_open",
    ),
    "an absence lowers the number that opens a card": (
        "tests/core/explore/test_attacks.py::test_keys_without_one_who_is_away_take_t_of_all",
    ),
    "a host repeats log, header and nonce": (
        "tests/core/explore/test_attacks.py::test_a_host_that_repeats_everything_does_not_repeat_a_match",
    ),
    "a file is written over": (
        "tests/core/engine/storage/test_secret_files.py::test_no_secret_is_written_over",
    ),
    "junk before good shares": (
        "tests/core/engine/dealing/test_cheats.py::test_junk_that_is_sent_before_good_shares_convicts_its_sender_alone",
    ),
    "junk after good shares, two parcels in one entry": (
        "tests/core/explore/test_attacks.py::test_junk_behind_good_shares_changes_nothing",
    ),
    "a complaint about a box that doesn't exist": (
        "tests/core/engine/dealing/test_cheats.py::test_a_complaint_of_an_unknown_box_convicts_nobody",
    ),
    "others are marked away just before keys are made": (
        "tests/core/explore/test_attacks.py::test_no_part_of_keys_is_said_that_leave_out_one_who_is_heard",
    ),
    "those who continue propose another state, other seats, or omit someone present": (
        "tests/core/engine/table/test_going_on.py::test_a_start_that_says_something_else_is_void",
    ),
    "someone present is called missing": (
        "tests/core/engine/table/test_going_on.py::test_a_machine_that_hears_the_missing_says_no_in",
    ),
    "a party withholds a lot, leaves and returns": (
        "tests/core/engine/dealing/test_absences.py::test_a_lot_is_never_drawn_anew_by_who_withholds_leaves_and_comes_back",
    ),
    "a party leaves and returns to get another die": (
        "tests/core/engine/dealing/test_coins.py::test_no_own_word_moves_a_coin",
    ),
    "one word drops an honest shuffle": (
        "tests/core/explore/test_attacks.py::test_one_word_away_drops_no_honest_shuffle",
    ),
    "one honest party after the other is away for a moment": (
        "tests/core/explore/test_attacks.py::test_a_pile_that_fewer_than_t_have_shuffled_is_not_used",
    ),
    "a party leaves mid-shuffle, so that no one could open the pile": (
        "tests/core/engine/dealing/test_absences.py::test_a_shuffle_that_nobody_could_open_any_more_begins_again_under_other_keys",
    ),
    "parties refuse an order to see another": ("tests/core/engine/dealing/test_order_redraw.py",),
    "a seal under old keys": (
        "tests/core/engine/dealing/test_cheats.py::test_a_seal_under_other_keys_is_void_and_the_question_stays_open",
    ),
    "a seal stays shut after new keys were made": (
        "tests/core/engine/dealing/test_cheats.py::test_a_seal_is_opened_by_force_although_new_keys_came_since",
    ),
    "the length of an answer or a face gives it away": (
        "tests/core/engine/dealing/test_sealing.py::test_notes_and_copies_have_one_length",
    ),
    "votes of the absent, withheld votes, false seconds": (
        "tests/core/explore/test_people.py::test_fewer_than_t_conspirators_move_nobody",
    ),
    "some vote STALL and others AWAY about one party": (
        "tests/core/engine/dealing/test_authority.py::test_votes_that_it_is_away_and_that_it_stalls_count_together",
    ),
    "a party does nothing; it isn't convicted": (
        "tests/core/engine/dealing/test_cheats.py::test_one_that_does_nothing_is_dealt_without_and_not_convicted",
    ),
    "someone leaves and returns during one question": (
        "tests/core/engine/dealing/test_absences.py::test_one_question_gets_one_answer_whoever_goes_and_returns_and_goes",
    ),
    "one party ends the match": (
        "tests/core/engine/dealing/test_absences.py::test_a_match_ends_when_enough_want_it",
    ),
    "a leader signs two logs": (
        "tests/rehearsals/test_liars.py::test_the_match_goes_on_without_a_leader_that_equivocates",
    ),
    "a leader refuses to sign what contradicts": (
        "tests/protocol/grouplog/test_equivocation.py::test_whoever_tells_what_contradicts_is_convicted",
    ),
    "a deceived leader is asked to sign the other log": (
        "tests/protocol/grouplog/test_innocent_leaders.py::test_who_was_fooled_is_never_convicted",
    ),
    "signed commits are repeated, changed and shown to anyone": (
        "tests/protocol/grouplog/test_innocent_leaders.py::test_nobody_honest_is_convicted_whatever_is_asked",
    ),
    "old files and an identity key are stolen": (
        "tests/core/engine/dealing/test_sealing.py::test_the_key_of_an_identity_opens_nothing",
    ),
    "a match's secret stays on disk": (
        "tests/core/engine/peer/test_machine.py::test_after_the_end_no_file_of_any_machine_has_a_secret_of_the_match",
    ),
    "a host removes a seat during a match": (
        "tests/core/engine/table/test_moderation.py::test_a_seat_of_a_running_match_is_beyond_the_host",
    ),
    "a banned player returns with another key": (
        "tests/core/engine/table/test_moderation.py::test_at_a_locked_table_only_old_friends_come_in",
    ),
    "cuts, sleep, silence, withheld and repeated steps, in any order": (
        "tests/core/explore/test_walks.py::test_an_adversary_walks_through_matches",
    ),
    "a leader omits what one party says": (
        "tests/protocol/grouplog/test_relay.py::test_a_leader_that_leaves_out_what_is_passed_to_it_is_replaced",
    ),
    "the others then say that this party owes a step": (
        "tests/core/engine/peer/test_starving.py::test_who_is_kept_back_is_never_blamed",
    ),
    "a program decides other than by t votes": (
        "tests/core/engine/review/test_people.py::test_decisions_are_counted_a_second_time",
    ),
    "a lie about a hand that is shuffled away; a revoke whose card is never shown": (
        "tests/core/engine/dealing/test_facts.py::test_a_lie_is_found_when_the_cards_were_shuffled_away",
    ),
    "shares for judging are given early, twice, or for other things": (
        "tests/core/engine/dealing/test_facts.py::test_shares_to_judge_are_given_for_what_is_judged_alone",
    ),
    "shares are withheld at the end, by the liar or from the honest": (
        "tests/core/engine/peer/test_unproven.py::test_an_outcome_stands_unproven_and_a_late_share_still_convicts",
        "tests/core/engine/dealing/test_facts.py::test_a_liar_gains_nothing_by_cutting_off_the_honest_at_the_end",
    ),
    "a seal that would judge stays shut": (
        (
            "tests/core/engine/dealing/test_facts.py::"
            "test_a_seal_kept_shut_leaves_the_outcome_unproven_and_opened_late_it_is_judged"
        ),
        "tests/core/engine/peer/test_unproven.py::test_an_opening_of_a_seal_that_comes_late_still_counts",
    ),
    "a liar leaves at the end": (
        "tests/core/engine/dealing/test_facts.py::test_leaving_at_the_end_takes_nothing_back",
        "tests/core/engine/peer/test_unproven.py::test_of_two_who_leaves_without_opening_its_part_has_given_up",
    ),
    "a liar spoils the judging with junk": (
        "tests/core/engine/peer/test_unproven.py::test_a_judgement_that_junk_makes_impossible_is_lost_by_its_authors",
    ),
    "a party claims a false state": (
        "tests/core/engine/table/test_table_state.py::test_two_claims_that_differ_make_the_match_void",
    ),
    "evidence from another table is shown": (
        "tests/core/engine/dealing/test_cheats.py::test_what_was_signed_at_another_table_convicts_nobody_here",
    ),
    "a leader calls someone absent, to keep two machines apart": (
        "tests/core/engine/peer/test_peer_links.py::test_a_session_ends_by_silence_and_not_by_the_leaders_word",
    ),
    "a voter says that another machine has someone's key": (
        "tests/core/engine/peer/test_table_news.py::test_no_voter_alone_shows_out_who_is_at_the_table",
    ),
    "a player seals junk for the narrator, and leaves": (
        "tests/core/test_narrator.py::test_what_nobody_can_open_of_who_has_left_counts_as_silence",
    ),
    "a machine says falsely that a fact raises": (
        "tests/core/engine/dealing/test_facts.py::test_who_says_falsely_that_a_fact_raises_is_convicted",
    ),
    "a machine doesn't declare": (
        "tests/core/engine/dealing/test_facts.py::test_a_machine_that_does_not_declare_is_overruled",
    ),
    "a lie that breaks the rules": ("tests/core/test_facts.py::test_a_lie_convicts_its_seat",),
    "an answer is undone without consent, twice, or for another": (
        "tests/core/engine/match/test_take_back.py::test_fewer_words_undo_nothing",
    ),
    "an answer is undone after something was learned": (
        "tests/core/explore/test_undone.py::test_an_adversary_has_answers_taken_back",
    ),
    "an answer to an undone question is withheld for another": (
        "tests/core/engine/dealing/test_taking_back.py::test_a_table_that_deals_together_goes_back",
    ),
    "a changed program at a table of processes": (
        "tests/network/test_facts.py::test_a_false_hint_loses_the_match",
    ),
    "t parties vote all they can about another": (
        "tests/core/engine/dealing/test_authority.py::test_whatever_t_vote_about_a_third_it_is_never_out",
    ),
    "floods of entries, votes and talk, bounded by bytes for each author": (
        "tests/protocol/grouplog/test_log.py::test_a_talkative_learner_fills_nobodys_disk",
        "tests/protocol/grouplog/test_relay.py::test_who_floods_the_table_deposes_nobody",
    ),
    "other code, other campaigns and invented people are claimed": (
        "tests/core/engine/table/test_editions_said.py::test_nobody_is_let_off_by_a_claim_in_a_match",
        "tests/core/engine/table/test_table_campaign.py::test_no_match_begins_with_another_history",
        "tests/core/engine/table/test_companions.py::test_whatever_a_machine_says_for_people_it_invents_the_others_are_as_they_were",
    ),
    "a spectator or a host reads a whisper to someone else": (
        "tests/rehearsals/test_moderation.py::test_a_whisper_in_the_lobby_reaches_one_machine",
    ),
    "a host names a package that is something else": (
        "tests/core/engine/network/test_joining.py::test_what_is_no_name_of_a_package_is_not_printed_after_pip_install",
    ),
    "a guest takes the place of a host that is there": (
        "tests/core/engine/table/test_succession.py::test_one_conspirator_of_three_never_gets_the_table",
    ),
    "someone is there and never answers": (
        "tests/rehearsals/test_nudges.py::test_a_machine_that_does_nothing_is_timed_out_by_votes",
    ),
    "junk in a log keeps others from checking its file": (
        "tests/core/engine/review/test_people.py::test_junk_of_every_form_is_passed_over",
        "tests/core/engine/review/test_second_opinion.py::test_junk_of_every_form_is_passed_over",
        "tests/core/engine/review/test_people.py::test_a_watcher_with_a_false_head_spoils_no_check",
    ),
    "a match file is doctored: an unsigned record moved, a face forged": (
        "tests/core/engine/review/test_doctored.py::test_doctored_files_are_noticed",
        "tests/core/engine/review/test_doctored.py::test_doctored_files_are_noticed_by_the_second_opinion",
    ),
    "seats in browsers pass for machines; the lobby counts them wrong": (
        "tests/core/engine/table/test_trust_notice.py::test_seats_in_browsers_count_as_their_machine",
    ),
}
"""Attacks on a match that all machines deal, each with the tests that try it, as `FILE::TEST` or a file.

docs/security-argument.md is drawn from it.
"""

API: Final = {
    "1": (
        # Fictionary deals fairly and is verified on each machine; its kind of question on every face
        "test_a_table_of_it_deals_together_and_its_match_is_verified",
        "test_plain_lines_take_a_line_as_it_is",
        "test_on_the_screen_letters_are_text_until_escape",
        "test_on_a_phone_the_page_sends_what_was_typed",
        "test_programs_answer_with_a_json_string",
    ),
    "2": (
        # 10,000 texts, their numbers, the limits, and what a hostile peer writes
        "test_which_texts_are_legal_is_the_same_on_every_python",
        "test_every_text_has_its_number",
        "test_200_bytes_are_sealed_and_201_refused",
        "test_a_hostile_text_is_refused_by_all",
    ),
    "3": (
        # words that rules hear
        "test_words_said_to_all_are_the_same_on_all_machines",
        "test_words_on_one_machine_are_those_of_a_table",
    ),
    "4": (
        # required teams, and scores of three teams with a tie
        "test_a_game_that_needs_teams_has_them_from_the_start",
        "test_teams_have_scores_and_share_ranks",
    ),
    "5": (
        # a ballot by mapping
        "test_a_mapping_says_what_each_may_lay",
        "test_what_is_put_away_openly_says_no_more_than_the_mapping",
    ),
    "6": (
        # a narrator: what each machine opens, and what follows from a false word, from silence and an absence
        "test_each_machine_opens_only_what_its_seat_was_told",
        "test_a_narrator_that_bends_one_value_is_convicted",
        "test_a_narrator_that_opens_nothing_is_named_and_ends_without_a_result",
        "test_the_match_waits_for_its_narrator_and_goes_on_from_its_file",
    ),
    "7": (
        # closed words, `about=` and stamps at the call; the code of the docs
        "test_a_word_that_nothing_understands_is_refused_where_it_is_written",
        "test_a_question_is_about_what_is_on_the_table",
        "test_a_stamp_is_short_and_has_no_fields",
        "test_python_in_the_docs_runs",
    ),
    "9": (
        # wrong games, odd games, and the examples
        "test_each_check_catches_what_it_is_for",
        "test_each_oddity_is_remarked_on",
        "test_it_passes_the_battery",
    ),
    "10": (
        # what never ends, the thinker's time, and errors on their way to another process
        "test_a_bot_that_never_ends_is_found",
        "test_thinkers_have_the_time_that_was_given",
        "test_a_match_that_never_ends_is_named_after_what_was_played",
        "test_every_error_survives_the_way_to_another_process",
    ),
    "11": (
        # `tt dev`
        "test_a_saved_change_shows_the_same_place",
        "test_a_syntax_error_and_a_broken_rule_keep_the_match",
        "test_ten_steps_back_and_on_come_to_the_same_digests",
    ),
    "12": (
        # scaffolds and wheels
        "test_a_file_like_a_page_passes_the_strict_kit_and_is_hosted",
        "test_every_file_like_a_page_is_clean_for_pyright",
        "test_each_kind_of_file_becomes_a_wheel_that_can_be_installed",
    ),
    "13": (
        # the list of games
        "test_a_list_is_made_of_three_wheels",
    ),
    "14": (
        # renamed words
        "test_names_are_rewritten_where_they_are_old",
        "test_check_renames_a_file_so_that_it_passes",
    ),
}  # fmt: skip
"""By check of API 1's second reading, the tests that prove it; the type checker proves 8."""
