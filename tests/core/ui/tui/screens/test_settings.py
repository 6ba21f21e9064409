"""What a person can set: keys, the theme, the pace, a name that is kept."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.keeping import keep_setting, with_setting
from tavolata._cli.looks import looks_of
from tavolata._ui.tui.input.keys import KEYS, UnknownKey, keymap, shown
from tavolata._ui.tui.widgets.themes import is_light


def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str, **environ: str) -> CommandContext:
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_text(config)
    return CommandContext({}, environ)


def test_keys_are_changed_by_name_and_mistakes_are_said() -> None:
    """A known name takes other keys; an unknown one, or an empty key, is a sentence."""
    assert keymap({"talk": "f5, ctrl+t"})["talk"] == "f5,ctrl+t"
    assert keymap(None) == {name: key.keys for name, key in KEYS.items()}
    for wrong in ({"fly": "f5"}, {"talk": ""}, {"talk": 5}):
        with pytest.raises(UnknownKey):
            keymap(wrong)
    assert [shown(keys) for keys in ("enter", "ctrl+p,colon", "f5", "t", "question_mark")] == [
        "Enter", "^p", "F5", "t", "?",
    ]  # fmt: skip


@pytest.mark.parametrize("config", ['[screen]\nwings = 2', '[screen]\ntheme = "pink"', "[screen]\npace = 99",
                                    '[screen]\npace = "fast"', '[screen]\npace = ["slow"]'])  # fmt: skip
def test_a_wrong_setting_is_a_sentence(config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the screen can't be is refused by name."""
    with pytest.raises(UsageError):
        looks_of(session(tmp_path, monkeypatch, config))


def test_the_theme_follows_what_is_said_and_else_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TT_THEME counts more than the config file, and that more than what the terminal says of itself."""
    config = '[screen]\ntheme = "light"\nnotify = false\n'
    looks = looks_of(session(tmp_path, monkeypatch, config))
    assert looks.light
    assert not looks.notify
    assert not looks_of(session(tmp_path, monkeypatch, config, TT_THEME="dark")).light
    assert looks_of(session(tmp_path, monkeypatch, "", COLORFGBG="0;15")).light
    assert [is_light({"COLORFGBG": said}) for said in ("15;0", "0;default;15", "", "x")] == [
        False, True, False, False,
    ]  # fmt: skip


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)


@given(WORDS, WORDS, st.sampled_from(["", "# mine\n", 'lang = "it"\n', '\n[play]\nname = "x"\n']),
       st.sampled_from(["", "[keys]\ntalk = 'f5'\n"]))  # fmt: skip
def test_a_setting_is_kept_and_all_else_stays(first: str, second: str, top: str, rest: str) -> None:
    """Setting a name twice leaves one name, the second; whatever was written before is still there."""
    before: dict[str, Any] = tomllib.loads(top + rest)
    text = with_setting(with_setting(top + rest, "name", first), "name", second)
    assert tomllib.loads(text) == {**before, "name": second}


def test_a_setting_makes_its_file_or_says_why_not(tmp_path: Path) -> None:
    """The folder is made where it lacks; where it can't be, one sentence says so."""
    path = tmp_path / "new" / "config.toml"
    keep_setting(str(path), "lang", "it")
    assert tomllib.loads(path.read_text()) == {"lang": "it"}
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError):
        keep_setting(str(tmp_path / "file" / "config.toml"), "lang", "it")
