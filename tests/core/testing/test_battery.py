"""The battery over whole games: it passes them, and reports what it did."""

from __future__ import annotations

import inspect
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.commit import a_part
from tests.core.games import GAMES, Boasts, Nod, Race, Shouts, Tricks
from tests.core.test_teams import Sound
from tests.core.testing import broken

from tavolata import N_, Options, interjection, one_of, option
from tavolata import testing as kit
from tavolata._cli import main as cli
from tavolata._engine.match.entries import ANSWER, INTERJECT, OPENED, SAY, SEALED, SHOWN
from tavolata.bots import RandomBot
from tavolata.errors import GameError
from tavolata.testing import Case, CheckFailed, cases, check_game, checks, recording
from tavolata.testing.__main__ import main
from tavolata.testing.cases import values_of
from tavolata.testing.checks.secrecy import known_to
from tavolata.testing.transcript import class_of


@pytest.mark.battery
@pytest.mark.parametrize(
    ("game", "check"),
    a_part(product(GAMES, checks.ALL), 3),
    ids=lambda one: getattr(one, "__name__", repr(one)),
)
def test_whole_games_pass(game: Any, check: Any) -> None:
    """A game that keeps the contracts passes every check."""
    assert check(game) >= 1


CAUGHT = [
    ("seats_and_options", broken.SeatsTheWrongWayRound, "has no usable `seats`"),
    ("seats_and_options", broken.LastsForever, "`minutes` is 9999"),
    ("seats_and_options", broken.TurnsWithoutWaiting, "has no usable `turn`"),
    ("seats_and_options", broken.DefaultBeyondItsLimit, "default 11 of points is refused"),
    ("seats_and_options", broken.FirstMatchOfOtherRules, "`first_match` is refused"),
    ("seats_and_options", broken.OptionOfNoOther, "hangs on cards, which is no other option"),
    ("seats_and_options", broken.OptionOfNoValue, "hangs on a value of cards: cards must be one of"),
    ("seats_and_options", broken.OptionForNobody, "is for (4, 8) seats, and 2 to 3 can play"),
    ("seats_and_options", broken.UsualRulesWithAProblem, "refused with 3 seats: Too many people for 5"),
    ("seats_and_options", broken.LeavesAGapInAProblem, "has no value for {n}"),
    ("seats_and_options", broken.BreaksInTheLobby, "`RaisingProblems.problems` fails: ZeroDivisionError"),
    ("nothing_private", broken.LooksBehindACard, "_face is private"),
    ("nothing_private", broken.PeeksAtTheDealer, "_source is private"),
    ("nothing_private", broken.ImportsTheEngine, "tavolata._engine.match.match.Match is private"),
    ("nothing_outside", broken.ReadsTheEnvironment, "os.environ isn't pure"),
    ("nothing_outside", broken.Sleeps, "time isn't pure"),
    ("nothing_outside", broken.OrdersByHash, "`hash` depends on the process"),
    ("nothing_outside", broken.WritesToTheTerminal, "`print` depends on the process"),
    ("nothing_outside", broken.ComparesInLowerCase, "compare texts by `same_words`"),
    ("bots_finish", broken.NeverEnds, "There is no end"),
    ("text_fuzz", broken.Misreads, "is not in list"),
    ("every_word_awaited", broken.ForgetsToAwait, "`t.shuffle` is not awaited, so nothing happens"),
    ("every_word_awaited", broken.ForgetsToAwaitEither, "is not awaited, so nothing happens"),
    ("every_word_awaited", broken.ForgetsToAwaitItself, "`self.again` is not awaited, so nothing happens"),
    ("every_word_awaited", broken.AsksInAnInterjection, "`t.ask` is not awaited, so nothing happens"),
    ("every_word_awaited", broken.AwaitsWhatIsPlain, "`t.tell` does not wait; it can't be awaited"),
    ("random_playouts", broken.NeverEnds, "There is no end"),
    ("random_playouts", broken.NeverEndsAndAwaitsNothing, "There is no end"),
    ("random_playouts", broken.GoesRoundInCircles, "round in circles"),
    ("random_playouts", broken.ZonesOfOneName, "Two zones are called 'open'"),
    ("random_playouts", broken.ZoneOfAWrongShape, "holds no tuple"),
    ("random_playouts", broken.AsksForNothing, "at least one legal answer"),
    ("random_playouts", broken.RaisesRarely, "An impossible case"),
    ("outcomes", broken.EndsWithATuple, "which is no `Outcome`"),
    ("outcomes", broken.WinnerWithoutASeat, "has no seat"),
    ("outcomes", broken.ScoresOfOthers, "scores of 2 seats"),
    ("outcomes", broken.StatisticOfAFloat, "'Mean' is a tuple of"),
    ("outcomes", broken.LeaversWin, "`forfeit` says that it has won"),
    ("outcomes", broken.ScoresTheUnfinishedWrong, "A winner has no seat"),
    ("outcomes", broken.LeavesTooMuch, "the most are 4096"),
    ("outcomes", broken.LeavesASet, "Left.notes holds a set"),
    ("outcomes", broken.LeavesUndeclared, "declares no `legacy`"),
    ("random_playouts", broken.ReadsAnother, "reads Text by `t.legacy`"),
    ("legacies", broken.LeavesToSeats, "list index out of range"),
    ("legacies", broken.LeavesWhatItRemembers, "has not left the same"),
    ("cards_stay", broken.LaysACardTwice, "lies both in"),
    ("cards_stay", broken.LosesACard, "is nowhere; it lay in"),
    ("cards_stay", broken.HoldsACardInMidAir, "is nowhere; it lay in deck"),
    ("random_playouts", broken.ReadsHidden, "which is not public"),
    ("random_playouts", broken.LeavesNoAnswer, "illegal answer"),
    ("messages_whole", broken.LeavesAGapInWords, "has no value"),
    ("messages_whole", broken.LeavesAGapInAPrompt, "has no value"),
    ("messages_whole", broken.LeavesAGapInAChoice, "'take {what}' has no value for {what}"),
    ("messages_whole", broken.LeavesAGapInAReason, "'There are only {n}.' has no value for {n}"),
    ("messages_whole", broken.AsksWithAWrongName, "othrs is no field of 'Well?'"),
    ("zones_pure", broken.ChangesWhenDrawn, "Drawing the zones has changed the state"),
    ("zones_pure", broken.DrawnForPlayersOnly, "list indices must be"),
    ("zones_pure", broken.DrawnByChance, "the zones are not the same"),
    ("drawn_everywhere", broken.DrawsWhatHasNoWords, "Plain text can't draw this for seat"),
    ("drawn_everywhere", broken.DrawsWhatIsNotToldYet, "'DrawsWhatIsNotToldYet' object has no attribute"),
    ("drawn_everywhere", broken.AsksAboutNothing, "ask(about='nothing') is no such word"),
    ("messages_whole", broken.PutsMessagesTogether, "A message is put together from parts"),
    ("messages_whole", broken.PutsMessagesTogetherByPercent, "A message is put together from parts"),
    ("messages_whole", broken.PutsMessagesTogetherByFormat, "A message is put together from parts"),
    ("messages_whole", broken.PutsMessagesTogetherByAdding, "A message is put together from parts"),
    ("looks_fit", broken.TellsHowASecretPrints, "is shown as code"),
    ("looks_fit", broken.TellsHowACardPrints, "is shown as code, 'Card("),
    ("looks_fit", broken.ShowsCode, "A face of coins is shown as code"),
    ("looks_fit", broken.LooksLikeText, "The look of a face of signs is no `Look`: 'one'"),
    ("state_is_plain_data", broken.HoldsAFloat, "HoldsAFloat.notes holds a float"),
    ("state_is_plain_data", broken.HoldsASet, "HoldsASet.notes holds a set"),
    ("state_is_plain_data", broken.HoldsALocalClass, "Note, whose class is inside a function"),
    ("state_is_plain_data", broken.SharesAList, "one and the same list"),
    ("state_is_plain_data", broken.ChangesWhenLoaded, "The attribute notes comes back different"),
    ("twice_the_same", broken.OwnChance, "state at the end of turn"),
    ("twice_the_same", broken.ReadsTheClock, "state at the end of turn"),
    ("twice_the_same", broken.ReadsUrandom, "state at the end of turn"),
    ("twice_the_same", broken.OwnChanceInWords, "event 1 is"),
    ("twice_the_same", broken.RemembersElsewhere, "not the same match"),
    ("save_and_resume_everywhere", broken.RemembersInThisProcess, "snapshot of turn"),
    ("save_and_resume_everywhere", broken.RemembersElsewhere, "goes on differently"),
    ("hidden_facts_raise", broken.ReadsHidden, "Something hidden is read at"),
    ("hidden_facts_raise", broken.ReadsHiddenAndHushes, "Something hidden is read at"),
    ("seats_side_by_side", broken.PeeksAtTheDealer, "has another state"),
    ("seats_side_by_side", broken.RemembersInAClaim, "has another state"),
    ("seats_side_by_side", broken.ShowsOthersHands, "sees other zones"),
    ("unseen_cards_permuted", broken.PeeksAtTheDealer, "changed about"),
    ("unseen_cards_permuted", broken.RemembersInAClaim, "changed about"),
    ("takes_back", broken.RemembersWhatWasChosen, "RemembersWhatWasChosen.notes differs"),
    ("worlds_imagined", broken.PeeksAtTheDealer, "imagines has another state"),
    ("worlds_imagined", broken.RemembersInAClaim, "imagines has another state"),
    ("worlds_imagined", broken.GuessesHowItEnds, "`playout` at question"),
    ("worlds_imagined", broken.MovesOnInAPlayout, "has changed the state"),
    ("interruption_fuzz", broken.CarriesAcross, "can't pay"),
    ("interruption_fuzz", broken.CrashesWhenInterrupted, "can't pay"),
    ("interruption_fuzz", broken.ChangesBeforeRefusing, "it has changed the state"),
    ("interruption_fuzz", broken.TellsBeforeRefusing, "told or written down"),
    ("interruption_fuzz", broken.ChangesWhenAsked, "Asking what may be done"),
    ("interruption_fuzz", broken.ChangesWhenSpeaking, "done or said at any time changes"),
    ("interruption_fuzz", broken.SilentForNoReason, "may_talk returns a Text or None"),
    ("facts_judged", broken.FactOfAGlobal, "so a fact is no pure function"),
    ("narrated", broken.NarratesAGlobal, "An honest narrator is convicted"),
    ("facts_judged", broken.TrustsTheSilent, "Nobody declares for seat"),
    ("facts_judged", broken.CatchesEverything, "nobody is convicted"),
    ("interruption_fuzz", broken.LeavesNoAnswer, "can't answer"),
    ("choices_by_value", broken.ChoosesByPlace, "means 'green' once seat"),
    ("choices_by_value", broken.OffersTwoOfOneValue, "both have the same value"),
    ("hints_change_nothing", broken.MeddlesInHints, "Asking for hints has changed the state"),
    ("hints_change_nothing", broken.HintsWithAGap, "has no value for {what}"),
    ("hints_change_nothing", broken.HintsOfAHiddenCard, "which is not public"),
    ("golden_playthrough", broken.OwnChanceInWords, "goes differently now"),
    ("fresh_process", broken.WalksASet, "hashes of texts"),
    ("fresh_process", broken.CountsItsMatches, "depends on what the process did before"),
    ("fresh_process", broken.ReadsTheLanguage, "its environment or"),
    ("fresh_process", broken.RemembersInAnArgument, "depends on what the process did before"),
    ("fresh_process", broken.RemembersInTheModule, "depends on what the process did before"),
    ("fresh_process", broken.ChoosesByHash, "hashes of texts"),
    ("fresh_process", broken.ReadsTheNames, "or on the names of players"),
    ("questions_bounded", broken.ValueOfASet, "A value is no plain data"),
    ("questions_bounded", broken.ListsAllAnswers, "goes on with 2000 parts"),
]


@pytest.fixture
def impatient(monkeypatch: Any) -> None:
    monkeypatch.setattr(recording, "SECONDS", 0.2)
    monkeypatch.setattr(recording, "MOST_ENTRIES", 2000)
    monkeypatch.setattr(recording, "MOST_TURNS", 3000)


@pytest.mark.battery
@pytest.mark.parametrize(("name", "game", "sentence"), CAUGHT, ids=lambda it: getattr(it, "__name__", None))
def test_each_check_catches_what_it_is_for(name: Any, game: Any, sentence: Any, impatient: Any) -> None:
    """A game that is broken in one way fails the check for it, which says so and names the match."""
    check = next(one for one in checks.ALL if one.name == name)
    with pytest.raises(CheckFailed) as failure:
        check(game)
    assert sentence in str(failure.value)
    assert check.of(20) == 0 or f"--only {name} --seats" in str(failure.value)


def test_an_interjection_that_waits_is_refused_where_it_is_written() -> None:
    """A coroutine function can't be an interjection: the module fails at its import, and says why."""

    async def doubt(self: Any, t: Any, seat: Any, many: int) -> None:
        """It would wait."""

    refused: Any = interjection("Doubt")
    with pytest.raises(GameError, match="doubt is an interjection, which can't wait"):
        refused(doubt)


def test_no_check_is_left_without_a_game_that_it_catches() -> None:
    """Every check of the battery stands in the list of catches above."""
    assert {check.name for check in checks.ALL} == {name for name, _, _ in CAUGHT}


@pytest.mark.parametrize("check", checks.ALL, ids=repr)
def test_the_sound_game_passes(check: Any) -> None:
    """The game that the broken ones break passes every check, so that it is the break that is caught."""
    check(broken.Sound)


@pytest.mark.parametrize(
    "check", [checks.nothing_private, checks.nothing_outside, checks.every_word_awaited], ids=repr
)
def test_rules_may_be_written_in_every_way_that_python_has(check: Any) -> None:
    """Own names are own ones wherever they're bound, and public names of named tuples aren't private."""
    check(broken.WritesFreely)


@pytest.mark.parametrize("check", checks.ALL, ids=repr)
def test_a_game_of_huge_questions_passes(check: Any) -> None:
    """Questions of 2³⁰ answers and more are asked, given, saved and imagined; who lists them has no end."""
    check(broken.Huge, matches=1)


@pytest.mark.parametrize(
    "check", [checks.hidden_facts_raise, checks.seats_side_by_side, checks.unseen_cards_permuted], ids=repr
)
def test_how_a_card_prints_tells_nothing_of_its_face(check: Any) -> None:
    """Rules that keep the text of a hidden card pass the checks of hidden facts."""
    check(broken.KeepsARepr)


@pytest.mark.parametrize(
    "check",
    [checks.facts_judged, checks.unseen_cards_permuted, checks.seats_side_by_side,
     checks.save_and_resume_everywhere],
    ids=repr,
)  # fmt: skip
def test_a_game_of_facts_passes(check: Any) -> None:
    """What is said of hidden cards is followed, saved and judged, and lies are found."""
    check(Boasts, matches=4)


def test_the_report_names_each_check_and_is_content() -> None:
    """`check_game` reports one result for each check, tells its progress, and has nothing to raise."""
    news: list[object] = []
    report = check_game(Nod, matches=2, progress=news.append)
    assert [result.check for result in report.results] == [check.name for check in checks.ALL]
    assert news == [part for pair in zip(checks.ALL, report.results, strict=True) for part in pair]
    assert report.passed
    report.expect()
    assert str(report).endswith(f"nod passes all {len(checks.ALL)} checks.")


def test_the_report_of_a_broken_game_says_so_and_raises() -> None:
    """A failed check is in the report, the others run all the same."""
    report = check_game(broken.HoldsAFloat, matches=2, only=["state_is_plain_data", "hidden_facts_raise"])
    assert [result.passed for result in report.results] == [False, False]
    assert "FAIL  state_is_plain_data: " in str(report)
    assert "fails 2 of 2 checks" in str(report)
    with pytest.raises(CheckFailed, match="holds a float"):
        report.expect()


def test_a_check_that_does_not_exist_is_refused_before_anything_is_played() -> None:
    """A misspelt name would otherwise pass a game that no check has seen; one name needs no list."""
    told: list[Any] = []
    for name in ("outcome", ""):
        with pytest.raises(GameError, match=rf"no check '{name}'\. The checks: seats_and_options, nothing_p"):
            check_game(Nod, only=["looks_fit", name], progress=told.append)
    assert told == []
    report = check_game(Nod, matches=1, only="looks_fit")
    assert [result.check for result in report.results] == ["looks_fit"]


def test_the_battery_ends_where_a_check_fails_that_the_others_build_on() -> None:
    """A game that forgets to wait is told once, with its line, and nothing is played."""
    report = check_game(broken.ForgetsToAwait)
    assert [result.check for result in report.results] == [
        "seats_and_options", "nothing_private", "nothing_outside", "every_word_awaited"
    ]  # fmt: skip
    line = inspect.getsourcelines(broken.ForgetsToAwait.play)[1] + 1
    assert f"every_word_awaited: broken.py:{line}: " in str(report)


@pytest.mark.battery
@pytest.mark.parametrize(
    "game", a_part(dict.fromkeys(game for _, game, _ in CAUGHT), 10), ids=lambda it: it.__name__
)
def test_the_battery_of_a_broken_game_ends(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong, its author is told, also where a turn has no end."""
    monkeypatch.setattr(recording, "SECONDS", 1.0)
    assert not check_game(game).passed


def test_cases_begin_plainly_and_try_every_value_of_every_option() -> None:
    """The first cases are the usual rules with fewest and most seats; the next have each option's values."""
    sampled = list(cases(Race, 5))
    assert [(case.seats, dict(case.options)) for case in sampled[:2]] == [(1, {}), (6, {})]
    for name, values in {"speed": {"slow", "fast"}, "turning": {True, False}, "goal": {6, 12, 30}}.items():
        assert {case.options[name] for case in sampled[2:]} == values


def test_checks_of_few_cases_try_different_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value of an option is met by one with a single case of other rules, alone and in the battery."""
    few = [check for check in checks.ALL if check.of(20) == 2]
    goals: list[object] = []
    for check in few:
        monkeypatch.setattr(check, "_run", lambda played, _: goals.append(played[1].options["goal"]))
        check(Race)
    alone = goals[:]
    assert set(alone) == {6, 30}
    goals.clear()
    check_game(Race, only=[check.name for check in few])
    assert goals == alone


@pytest.mark.parametrize("check", [one for one in checks.ALL if one.share], ids=repr)
def test_every_check_plays_by_other_house_rules_than_the_usual_ones(check: Any) -> None:
    """A fault under an option is met, however few matches a check plays: no value is the default in one."""
    usual = Race.options().plain()
    played = [case.options for case in cases(Race, check.of(20)) if case.options]
    assert any(not set(usual.items()) & set(options.items()) for options in played)
    assert not next(cases(Race, check.of(20))).options


def test_off_is_a_value_of_a_number() -> None:
    """A number that may be off is played so, too, whatever its limits are; the default comes last."""

    @dataclass(frozen=True, kw_only=True)
    class Limited(Options):
        cap: int = option(450, "How many.", low=10, high=1000, off=True)

    assert values_of(Limited.describe()[0]) == [10, 1000, 0, 450]


def test_cases_keep_to_what_was_asked_for() -> None:
    """Seats and options that are given hold in all cases; seeds count on."""
    sampled = list(cases(Race, 3, 40, seats=2, options={"goal": "7"}))
    assert [(case.seats, case.options, case.seed) for case in sampled] == [
        (2, {"goal": 7}, seed) for seed in (40, 41, 42)
    ]


@pytest.mark.parametrize(
    ("check", "game"),
    [
        (checks.interruption_fuzz, broken.CarriesAcross),
        (checks.legacies, broken.LeavesBadLuck),
        pytest.param(checks.fresh_process, broken.CountsItsMatches, marks=pytest.mark.battery),
    ],
)
def test_a_case_says_how_to_play_it_again(check: Any, game: Any, capsys: Any) -> None:
    """The line of a failed check plays the very match that failed, and those that it hangs on."""
    with pytest.raises(CheckFailed) as failure:
        check(game)
    again = str(failure.value).partition("again: python -m tavolata.testing ")[2]
    assert main(again.split()) == 1
    sentence = str(failure.value).splitlines()[0].partition("one process has")[0]  # these are other ones now
    assert sentence in capsys.readouterr().out


def test_a_case_names_its_options_and_bots() -> None:
    """Options and bots that are not as usual are part of the line that plays a match again."""
    case = Case(Race, 2, {"turning": True}, 5, (RandomBot,))
    assert str(case) == "race with 2 seats, turning=yes, seed 5"
    assert case.command("twice_the_same").endswith("--option turning=yes --bot tavolata.bots:RandomBot")


LONE = """
from tavolata import Game, Outcome

class Lone(Game):
    name, title, seats = "lone", "Lone", (1, 2)

    def setup(self, t):
        pass

    async def turn(self, t):
        if len(t.ring) == 2:
            raise IndexError("nobody is there")
        return Outcome((t.first_seat,))
"""


def test_a_game_in_a_lone_file_is_played_again_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line names the file, as it is seen from the folder in which the check was run."""
    file = tmp_path / "games" / "lone_one.py"
    file.parent.mkdir()
    file.write_text(LONE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli(["check", str(file), "--matches", "2"]) != 0
    again = capsys.readouterr().out.partition("again: python -m tavolata.testing ")[2].splitlines()[0]
    words = shlex.split(again)
    assert words[:5] == [f"{Path('games/lone_one.py')}:Lone", "--only", "random_playouts", "--seats", "2"]
    monkeypatch.delitem(sys.modules, "lone_one")
    assert main(words) == 1
    assert "nobody is there" in capsys.readouterr().out


def test_the_command_checks_a_game(capsys: Any) -> None:
    """`python -m tavolata.testing module:Class` prints a line a check and ends with 0."""
    assert (
        main(
            [
                "tests.core.games:Nod",
                "--matches",
                "2",
                "--only",
                "twice_the_same",
                "--bot",
                "tavolata.bots:RandomBot",
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == "ok    twice_the_same\nnod passes all 1 checks.\n"


def test_the_command_says_what_it_can_not_find(capsys: Any) -> None:
    """A class that is not there is a wrong command, not a traceback."""
    with pytest.raises(SystemExit) as end:
        main(["tests.core.games:Missing"])
    assert end.value.code == 2
    assert "there is no class tests.core.games:Missing" in capsys.readouterr().err


def test_a_number_that_can_not_play_is_no_fault_of_the_game(capsys: Any) -> None:
    """It is refused in a sentence, and no check fails."""
    assert main(["tests.core.games:Race", "--only", "twice_the_same", "--seats", "9"]) == 1
    shown = capsys.readouterr()
    assert "race is for 1 to 6 players, not 9." in shown.err
    assert "FAIL" not in shown.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tests.core.games:Race", "--teams", "2"], "race isn't played in teams."),
        (["tests.core.test_teams:Sound", "--teams", "3", "--seats", "4"], "4 players can't form 3 equal"),
        (["tests.core.test_teams:Sound", "--teams", "4"], "players can't form 4 equal teams."),
        (["tests.core.test_teams:Needs", "--teams", "0", "--seats", "5"], "5 players can't form teams."),
    ],
)
def test_teams_that_can_not_be_are_refused(words: list[str], said: str, tmp_path: Path, capsys: Any) -> None:
    """By checks and where a match is written down; no check fails, and nothing is written."""
    assert main([*words, "--only", "twice_the_same"]) == 1
    shown = capsys.readouterr()
    assert said in shown.err
    assert "FAIL" not in shown.out
    if "--seats" in words:
        assert main(["record", words[0], str(tmp_path / "match.txt"), *words[1:]]) == 1
        assert said in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


def test_teams_that_were_asked_for_get_seats_that_fit() -> None:
    """Each case has that many teams, and a number of seats which they can share."""
    assert {(case.seats, case.teams) for case in cases(Sound, 12, teams=3)} == {(6, 3)}
    assert {case.seats for case in cases(Sound, 12, teams=2)} == {4, 6}


def test_the_usual_bots_interrupt_and_talk() -> None:
    """The kit's own players exercise interjections and words, not answers alone."""
    kinds = {entry[0] for seed in range(4) for entry in recording.play(Case(Shouts, 3, {}, seed)).log}
    assert {ANSWER, INTERJECT, SAY} <= kinds


def test_a_game_in_a_file_of_its_own_is_played_in_other_processes(tmp_path: Any, monkeypatch: Any) -> None:
    """A module that is on no path, as test runners load them, is found by its file in other processes."""
    file = tmp_path / "solo_game.py"
    file.write_text(
        "from tests.core.games import Nod\nclass Solo(Nod):\n    name = 'solo'\n", encoding="utf-8"
    )
    solo = class_of("solo_game:Solo", str(file))
    checks.fresh_process(solo, matches=1)
    monkeypatch.delitem(sys.modules, "solo_game")


def test_secrets_stay_boxes_in_what_a_seat_knows() -> None:
    """The log of one seat has its own faces, boxes for those of others, and no answer in a seal."""
    whole = recording.play(Case(Tricks, 3, {}, 1))
    mine = known_to(1, whole)
    shown = next(entry for entry in mine if entry[0] == SHOWN)
    assert [type(face) is int for face in shown[2]] == [seat == 1 for seat in whole.showings[shown[1]]]
    kinds = [entry[0] for entry in mine]
    assert kinds.count(SEALED) == kinds.count(OPENED) == 3
    assert max(at for at, kind in enumerate(kinds) if kind == SEALED) < kinds.index(OPENED)


def test_the_page_on_testing_games_has_every_check() -> None:
    """docs/testing-games.md lists the checks that there are, and names the functions of the kit."""
    page = (Path(__file__).parents[3] / "docs" / "testing-games.md").read_text(encoding="utf-8")
    battery = page.partition("## Read the remarks")[0]
    assert re.findall(r"^\| `(\w+)` \| [^|]+ \|$", battery, re.MULTILINE)[-len(checks.ALL) :] == [
        check.name for check in checks.ALL
    ]
    for name in ("rehearse", "check_game", "replay_playthrough", "USUAL_BOTS"):
        assert name in page
        assert hasattr(kit, name)


def test_the_kit_needs_no_test_runner() -> None:
    """Importing the kit imports neither pytest nor hypothesis: it is used in programs, too."""
    code = "import sys, tavolata.testing; print({'pytest', 'hypothesis'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_in_a_package_with_translations_each_message_is_marked(tmp_path: Any, monkeypatch: Any) -> None:
    """A sentence without N_ can't be translated, and is named; without translations nobody has to mark."""
    package = tmp_path / "unmarked_game"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from tavolata import N_, one_of\n"
        "from tests.core.games import Nod\n"
        "class Unmarked(Nod):\n"
        "    async def turn(self, t):\n"
        "        await t.ask(t.first_seat, one_of([1, 2]), N_('Which?'))\n"
        "        await t.ask(t.first_seat, one_of([1, 2]), 'And now?')\n"
        "        return await super().turn(t)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    unmarked = class_of("unmarked_game:Unmarked")
    checks.messages_whole(unmarked, matches=1)
    (package / "locale").mkdir()
    with pytest.raises(CheckFailed, match=r"'And now\?' is not marked"):
        checks.messages_whole(unmarked, matches=1)
    monkeypatch.delitem(sys.modules, "unmarked_game")


@pytest.mark.battery
def test_a_bot_that_never_ends_is_found() -> None:
    """Each bot plays itself, with a limit; a random bot ends the same game."""
    checks.bots_finish(broken.Waits, bots=[RandomBot])
    with pytest.raises(CheckFailed, match="bots_finish"):
        checks.bots_finish(broken.Waits, bots=[RandomBot, broken.Dawdles], matches=1)


class NamesTheSeat(broken.Sound):
    """Its prompts name the seat that is asked, which whoever shows them knows."""

    async def play(self, t: Any) -> None:
        await t.ask(self.seat, one_of([1, 2]), N_("Well?"), N_("{seat} thinks."))
        await super().play(t)


def test_the_seat_that_is_asked_needs_no_value() -> None:
    """As the documents say; another field does."""
    assert checks.messages_whole(NamesTheSeat) >= 1
