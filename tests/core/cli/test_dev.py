"""`tt dev`: a match that follows its file, in processes of its own, on lines and on a real terminal."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from tests.core.ui.terminal import Terminal

from tavolata._cli import following
from tavolata._cli.bench import Bench, BenchState, Do, Position
from tavolata._cli.following import FollowedMatch
from tavolata._ui.i18n import Translator
from tavolata.errors import Refused

RULES = """
from tavolata import N_, Deck, Game, Outcome, one_of
from tavolata.zones import hand_zone


class Highest(Game):
    name, title, seats = "highest", N_("Highest"), (2, 3)

    def setup(self, t):
        self.deck = t.pile("deck", Deck("cards", range(1, 31)))
        self.laid, self.hands = t.pile("laid"), t.hands("hand")
        self.rounds, self.last = 0, [0 for _ in t.ring]

    async def turn(self, t):
        print("a round")
        if not self.rounds:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands, each=6)
        for seat in t.ring:
            card = await t.ask(seat, one_of(self.hands[seat].cards), N_("Which card?"))
            self.hands[seat].move_to(self.laid, [card])
            await t.reveal([card])
            self.last[seat] = card.face
        self.rounds += 1
        if self.rounds == 6:
            return Outcome.by_score(t, self.last)

    def zones(self, t, viewer):
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a small game, in a folder with a colon."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    path = tmp_path / ("a-b" if os.name == "nt" else "a:b") / "highest.py"
    path.parent.mkdir()
    path.write_text(RULES, encoding="utf-8")
    return path


def bench(file: Path, seed: int = 4) -> Bench:
    """A bench in this process, which would be in another one."""
    return Bench(f"{file}:Highest", 2, seed, {}, "en", plain=False)


@pytest.fixture
def followed(file: Path) -> Iterator[FollowedMatch]:
    """A followed with its processes."""
    made = FollowedMatch(partial(bench, file), file, Translator("en").text)
    assert not made.wait().trouble
    try:
        yield made
    finally:
        made.end()


def done(followed: FollowedMatch, what: Do, more: Any = None) -> BenchState:
    """What a command comes to."""
    followed.do(what, more)
    return followed.wait()


def saved(followed: FollowedMatch, file: Path, old: str, new: str) -> BenchState:
    """What a saved change comes to."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return followed.wait()


def test_ten_steps_back_and_on_come_to_the_same_digests(file: Path) -> None:
    """Each place has the digest that it had, with the answers of people and of bots."""
    one = bench(file)
    one((Do.BEGIN, Position()))
    digests = [one((Do.SAY, "2")).digest] + [one((Do.ON, None)).digest for _ in range(9)]
    back = [one((Do.BACK, None)).digest for _ in range(9)]
    assert back == digests[-2::-1]
    assert [one((Do.ON, None)).digest for _ in range(9)] == digests[1:]
    assert len(set(digests)) > 5


def test_turns_are_counted_as_in_a_match(file: Path) -> None:
    """The first turn is turn 1, as it is for people who play."""
    one = bench(file)
    one((Do.BEGIN, Position()))
    shown = one((Do.SIZE, (100, 30)))
    rows = ["".join(text for text, _ in row) for row in shown.rows]
    assert any("turn 1" in row for row in rows), rows
    assert shown.turn == 1


EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "games").glob("*/rules.py"))


@pytest.mark.battery
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_kind_of_question_goes_back_and_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several cards, forms, claims, branches and sealed answers are given again by value."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    one = Bench(str(path), None, 3, {}, "en", plain=False)
    one((Do.BEGIN, Position()))
    end = one((Do.END, None))
    assert (end.over, end.trouble) == (True, ())
    for _ in range(12):
        one((Do.BACK, None))
    again = [one((Do.ON, None)) for _ in range(12)][-1]
    assert (again.digest, again.position) == (end.digest, end.position)


def test_another_answer_forgets_those_that_came_after_it(file: Path) -> None:
    """Back, and something else: from there the match is another one."""
    one = bench(file)
    one((Do.BEGIN, Position()))
    first = [one((Do.ON, None)) for _ in range(4)][-1]
    for _ in range(3):
        one((Do.BACK, None))
    taken = first.position.moves[1].value
    hand = [line for line in one((Do.SIT, 0)).lines if re.match(r"\d+\. ", line)]
    other = next(line for line in hand if line.partition(". ")[2] != taken)
    shown = one((Do.SAY, other.partition(".")[0]))
    assert shown.position.at == len(shown.position.moves) == 2
    assert shown.position.moves[0] == first.position.moves[0]
    assert shown.position.moves[1].value == other.partition(". ")[2]


def test_what_is_hidden_is_shown_on_demand_only(file: Path) -> None:
    """A seat sees its own cards; all of them are seen once they are revealed, and in the attributes."""
    one = bench(file)
    shown = one((Do.BEGIN, Position(sitting=1)))
    assert any("Seat 2" in line and "6 cards" in line for line in shown.lines)
    opened = one((Do.REVEAL, None))
    (others,) = [line for line in opened.lines if line.startswith("In hand of Seat 2")]
    hands = {name: value for name, value, _ in opened.attributes}["hands"]
    for number in re.findall(r"\d+", others.partition(":")[2]):
        assert re.search(rf"\b{number}\b", hands)


def test_changed_attributes_are_marked(file: Path) -> None:
    """An answer moves a card from a hand to the pile, and nothing else changes."""
    one = bench(file)
    one((Do.BEGIN, Position()))
    shown = one((Do.ON, None))
    assert [name for name, _, changed in shown.attributes if changed] == ["laid", "hands", "last"]


def test_a_saved_change_shows_the_same_place(followed: FollowedMatch, file: Path) -> None:
    """The new code plays on from the same answers, and what it prints is shown."""
    before = [done(followed, Do.ON) for _ in range(5)][-1]
    shown = saved(followed, file, "Which card?", "Which one?")
    assert (shown.note, shown.position, shown.digest) == (
        "5 answers replayed.", before.position, before.digest
    )  # fmt: skip
    assert "Which one?" in shown.lines
    assert "a round" in shown.printed


@pytest.mark.battery
def test_answers_that_are_not_possible_any_more_are_named(followed: FollowedMatch, file: Path) -> None:
    """With fewer cards in each hand the match stands before the first answer that can't be given."""
    shown = [done(followed, Do.ON) for _ in range(8)][-1]
    fewer = saved(followed, file, "each=6", "each=2")
    assert fewer.position.at < 8
    refused = fewer.position.moves[fewer.position.at]
    assert fewer.note == f"Answer {fewer.position.at + 1} of 8 isn't possible any more: {refused.value}"
    assert fewer.position.moves == shown.position.moves  # so that a mended file has them all
    again = saved(followed, file, "each=2", "each=6")
    assert again.position.at == fewer.position.at


@pytest.mark.battery
def test_a_syntax_error_and_a_broken_rule_keep_the_match(followed: FollowedMatch, file: Path) -> None:
    """What is wrong is said with its line, and the match before it can be played on."""
    before = done(followed, Do.ON)
    wrong = saved(followed, file, "self.rounds += 1", "self.rounds += ")
    assert "SyntaxError" in wrong.trouble[0]
    assert (wrong.digest, wrong.lines) == (before.digest, before.lines)
    assert done(followed, Do.ON).position.at == 2
    saved(followed, file, "self.rounds += ", "self.rounds += 1 // 0")
    broken = followed.shown
    assert any("ZeroDivisionError" in line for line in broken.trouble)
    assert broken.position.at == 2


def test_a_rule_that_breaks_at_an_answer_leaves_the_match_before_it(file: Path) -> None:
    """The traceback begins in the author's file."""
    file.write_text(RULES.replace("self.rounds += 1", "self.rounds += 1 // 0"), encoding="utf-8")
    one = bench(file)
    one((Do.BEGIN, Position()))
    one((Do.ON, None))
    shown = one((Do.ON, None))
    assert "highest.py" in shown.trouble[0]
    assert shown.trouble[-1].startswith("ZeroDivisionError")
    assert (shown.position.at, shown.broken) == (1, False)


OUT_OF_TURN = """
    @interjection("peek")
    def peek(self, t, seat, what):
        pass

    @peek.choices
    def _at(self, t, seat):
        return one_of([1 // (1 - seat) if self.laid else 1])

    def zones(self, t, viewer):
"""


@pytest.mark.parametrize(
    ("old", "new", "before", "does"),
    [
        ("yield hand", "1 // (2 - len(self.laid))\n            yield hand", [(Do.ON, None)], (Do.ON, None)),
        ("\n    def zones(self, t, viewer):\n", OUT_OF_TURN, [(Do.SIT, 1), (Do.ON, None)], (Do.SIT, 2)),
        ("\n    def zones(self, t, viewer):\n", OUT_OF_TURN, [], (Do.ON, None)),
    ],
)
def test_what_breaks_when_it_is_shown_leaves_the_match_before_it(
    old: str, new: str, before: list[tuple[Do, Any]], does: tuple[Do, Any], file: Path
) -> None:
    """Zones, and choices of what a seat may do out of turn: the author reads the line, and goes elsewhere."""
    rules = RULES.replace("import N_, Deck", "import N_, interjection, Deck").replace(old, new)
    file.write_text(rules, encoding="utf-8")
    one = bench(file)
    *_, whole = [one(command) for command in ((Do.BEGIN, Position()), *before)]
    assert not whole.trouble
    shown = one(does)
    assert "highest.py" in shown.trouble[0]
    assert shown.trouble[-1].startswith("ZeroDivisionError")
    assert (shown.broken, shown.digest, shown.lines) == (False, whole.digest, whole.lines)
    assert (shown.position.at, shown.position.sitting) == (whole.position.at, whole.position.sitting)
    assert not one((Do.BACK, None)).trouble


@pytest.mark.battery
def test_rules_that_go_round_in_circles_are_said_to_be_stuck(
    followed: FollowedMatch, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match of before stays on view, and a mended file takes over."""
    monkeypatch.setattr(following, "STARTS", 4.0)
    done(followed, Do.ON)
    stuck = saved(
        followed, file, "self.rounds, self.last = 0", "while True: pass\n        self.rounds, self.last = 0"
    )
    assert "The game's code hasn't responded" in stuck.trouble[0]
    assert stuck.position.at == 1
    mended = saved(followed, file, "while True: pass", "pass")
    assert (mended.position.at, mended.trouble) == (1, ())


ORPHAN = """
import sys
from functools import partial
from pathlib import Path
from tavolata._cli.bench import Bench
from tavolata._cli.following import FollowedMatch

if __name__ == "__main__":
    file = Path(sys.argv[1])
    made = FollowedMatch(partial(Bench, str(file), 2, 1, {}, "en", plain=False), file, str)
    sys.stdin.read()
"""


@pytest.mark.battery
@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders there")
def test_a_bench_that_is_stuck_ends_with_its_terminal(file: Path) -> None:
    """A process that is killed leaves no other one behind, whatever the rules do."""
    os.mkfifo(pipe := file.with_name("pipe"))
    stuck = f"keep = open({str(pipe)!r}, 'w'); print('here', file=keep, flush=True)\n        while True: pass"
    file.write_text(RULES.replace("self.rounds, self.last = 0, [0 for _ in t.ring]", stuck), encoding="utf-8")
    script = file.with_name("orphan_script.py")
    script.write_text(ORPHAN, encoding="utf-8")
    command = [sys.executable, str(script), str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process, pipe.open(encoding="utf-8") as reading:
        assert reading.readline() == "here\n"
        process.kill()
        assert select.select([reading], [], [], 30)[0], "it's still there"
        assert reading.read() == ""


@pytest.mark.battery
def test_a_process_that_dies_is_replaced_with_the_next_version(followed: FollowedMatch, file: Path) -> None:
    """While it works and while it waits; the answers are given to the new one."""
    done(followed, Do.ON)
    assert followed._bench is not None
    followed._bench._process.kill()
    followed._bench._process.join()
    with pytest.raises(Refused, match="has died"):
        followed.do(Do.ON)
    assert saved(followed, file, "Which card?", "Which one?").position.at == 1
    followed.do(Do.END)
    followed._bench._process.kill()
    assert followed.wait().trouble or followed.shown.over
    assert saved(followed, file, "Which one?", "Which card?").position.at >= 1


def test_commands_wait_for_each_other(followed: FollowedMatch) -> None:
    """Keys that are pressed while the rules think come to their turn."""
    for what in (Do.ON, Do.ON, Do.ON, Do.BACK):
        followed.do(what)
    assert [followed.wait().position.at for _ in range(4)] == [1, 2, 3, 2]


def test_the_match_so_far_becomes_a_test_that_the_kit_follows(file: Path) -> None:
    """`tt check` plays it as it was played."""
    from tavolata._engine.plugins.catalogue import Catalogue
    from tavolata.testing.playthrough import playthroughs_of, replay_playthrough

    one = bench(file)
    one((Do.BEGIN, Position()))
    one((Do.SAY, "3"))
    one((Do.END, None))
    assert "dev-4-12.en.txt" in one((Do.TEST, None)).note
    game = Catalogue().game(str(file)).game
    (text,) = playthroughs_of(game)
    replay_playthrough(game, text)


@pytest.mark.battery
def test_lines_of_json_have_the_match_and_take_commands(file: Path) -> None:
    """Every line is an object, whatever the game prints; a word that is no command is an answer."""
    told = subprocess.run(
        [sys.executable, "-c", "import sys; from tavolata._cli import main; sys.exit(main())",
         "dev", str(file), "--seats", "2", "--ui", "json"],
        input="on\n2\nsit 2\nreveal\nback\nend\nperhaps\nquit\n", capture_output=True, text=True,
        timeout=60, check=False, env={**os.environ, "TT_DATA_DIR": str(file.parent)},
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    assert [line["at"] for line in lines] == [0, 1, 2, 2, 2, 1, 12, 12]
    assert [line["sitting"] for line in lines[:4]] == [0, 0, 0, 2]
    assert (lines[4]["reveals"], lines[-1]["over"]) == (True, True)
    assert lines[2]["changed"] == ["laid", "hands", "rounds", "last"]
    assert lines[6]["answers"][0].keys() == {"seat", "value"}


@pytest.mark.battery
def test_the_screen_follows_the_file_on_a_real_terminal(file: Path, tmp_path: Path) -> None:
    """Its keys go back and on, sit, reveal, look inside and answer; a saved change is on view."""
    with Terminal("dev", str(file), "--seats", "2", home=tmp_path / "home", size=(90, 28)) as terminal:
        terminal.expect(r"Which card\?")
        terminal.expect("answer 0 of 0 · seed 1")
        terminal.press("right")
        terminal.expect("answer 1 of 1")
        terminal.press("enter")
        terminal.expect("answer 2 of 2")
        terminal.press("left")
        terminal.expect("answer 1 of 2")
        terminal.press("2")
        terminal.expect("seed 1 · Seat 2")
        terminal.press("r")
        terminal.expect("all cards face up")
        terminal.press("a")
        terminal.expect(r"\* laid = 1: ")
        terminal.press("a", "/")
        terminal.expect("Answer with a number")
        terminal.press("3", "enter")
        terminal.expect("answer 2 of 2")
        file.write_text(RULES.replace("Which card?", "Which one?"), encoding="utf-8")
        terminal.expect("2 answers replayed")
        file.write_text(RULES.replace("Which card?", "Which one?") + ")", encoding="utf-8")
        terminal.expect("SyntaxError")
        terminal.expect("answer 2 of 2")
        terminal.press("e")
        terminal.expect("answer 12 of 12")
        terminal.press("t")
        terminal.expect("Wrote")
        terminal.press("q")
        assert terminal.done() == 0


@pytest.mark.battery
def test_a_small_screen_shows_the_match_as_text(file: Path, tmp_path: Path) -> None:
    """In Italian and ASCII, too; and when it has become larger, it is a table."""
    words = ("dev", str(file), "--seats", "2", "--lang", "it", "--ascii")
    with Terminal(*words, home=tmp_path / "home", size=(40, 12)) as terminal:
        terminal.expect(r"1\. \d+")
        terminal.resize(90, 28)
        terminal.expect("risposta 0 di 0")
        terminal.press("right")
        terminal.expect("risposta 1 di 1")
        terminal.press("q")
        assert terminal.done() == 0


@pytest.mark.parametrize(
    ("word", "code", "said"),
    [
        ("zompa", 2, "tt dev ./game.py"),
        ("./nowhere.py", 3, "No such file: ./nowhere.py."),
        ("nowhere", 3, "No such file: nowhere."),
    ],
)
def test_it_needs_a_file(word: str, code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An installed game has no file to follow, and neither has a wrong path."""
    from tavolata._cli import main

    assert main(["dev", word]) == code
    assert said in capsys.readouterr().err


def test_its_help_wants_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """The name of an installed game, which other commands take, isn't offered."""
    from tavolata._cli import main

    assert main(["dev", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "The game's file: ./game.py" in said
    assert "Name of a game" not in said


def test_a_seat_interjects_and_the_match_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is sat at does what it may do at any time; that goes back and on like an answer."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    path = next(one for one in EXAMPLES if one.parent.name == "bazaar")
    one = Bench(str(path), 3, 3, {}, "en", plain=False)
    shown = one((Do.BEGIN, Position()))
    while not shown.offers:
        shown = one((Do.ON, None))
    offers = {seat: one((Do.SIT, seat)).offers for seat in (1, 2, 3)}
    owner = next(seat for seat in (3, 2, 1) if offers[seat])
    one((Do.SIT, owner))
    made = next(
        shown
        for want in (1, 2)
        if (shown := one((Do.SAY, f"do 1 1; 1; 1; {want}"))).position.moves[-1].name == "offer"
    )
    assert made.position.moves[-1].seat == owner - 1
    assert made.offers[0].startswith("do 1: withdraw: ")
    back = one((Do.SAY, "do 1"))
    assert back.position.moves[-1][::3] == (owner - 1, "withdraw")
    for _ in range(4):
        one((Do.BACK, None))
    again = [one((Do.ON, None)) for _ in range(4)][-1]
    assert (again.digest, again.position) == (back.digest, back.position)
    assert one((Do.SAY, "do 99")).note == "Choose a number from 1 to 1."


@pytest.mark.battery
def test_a_page_on_this_machine_has_the_match_and_takes_commands(file: Path) -> None:
    """The same states as lines of JSON, with the drawn table; who doesn't know the address gets nothing."""

    def ask(url: str, words: str | None = None, **headers: str) -> str:
        request = Request(url, None if words is None else words.encode(), headers)
        with urlopen(request, timeout=30) as answer:
            return str(answer.read().decode())

    def until(**wanted: Any) -> dict[str, Any]:
        """Follow the states until one has these values; a loaded machine may show others before it."""
        shown: dict[str, Any] = {"number": 0}
        while not wanted.items() <= shown.items():
            shown = json.loads(ask(f"{address}state?after={shown['number']}"))
        return shown

    command = [sys.executable, "-m", "tavolata", "dev", str(file), "--seats", "2", "--web"]
    environ = {**os.environ, "TT_DATA_DIR": str(file.parent), "TT_LANG": "en"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+/", process.stdout.readline())
            assert found is not None
            address = found[0]
            assert "<title>tt dev</title>" in ask(address)
            shown = until(type="dev", at=0)
            assert any("Which card?" in text for row in shown["rows"] for text, _ in row)
            for words, at in (("on", 1), ("2", 2), ("back", 1), ("end", 12)):
                assert ask(f"{address}do", words) == ""
                until(at=at)
            ask(f"{address}do", "on")
            until(at=12, note="The match is over.")
            file.write_text(RULES.replace("Which card?", "Which one?"), encoding="utf-8")
            until(at=12, note="12 answers replayed.")
            token = address.split("/")[3]
            for wrong in (address.replace(token, "0" * 32), f"{address}else", address.replace(token, "")):
                with pytest.raises(HTTPError) as refused:
                    ask(wrong)
                refused.value.close()
            with pytest.raises(HTTPError) as refused:
                ask(address, Host="example.org")
            refused.value.close()
        finally:
            process.terminate()
