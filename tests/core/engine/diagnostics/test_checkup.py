"""What the doctor says of folders that can't be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavolata._engine.diagnostics.checkup import folder_findings


def test_folders_that_can_not_be_written_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with what to do; folders that are not there yet are fine, and are not made."""
    file = tmp_path / "file"
    file.touch()
    for variable, name in (("TT_DATA_DIR", "data"), ("TT_CONFIG_DIR", "config")):
        monkeypatch.setenv(variable, str(tmp_path / name / "deep"))
    assert [finding.state for finding in folder_findings()] == ["ok", "ok"]
    assert list(tmp_path.iterdir()) == [file]
    for variable in ("TT_DATA_DIR", "TT_CONFIG_DIR"):
        monkeypatch.setenv(variable, str(file / "deep"))
    data, config = folder_findings()
    assert (data.state, config.state) == ("wrong", "hint")
    assert "set TT_DATA_DIR to another folder" in data.message
    assert str(data.params["problem"]) == "part of that path is a file, not a folder"
