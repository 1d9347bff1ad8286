"""The `opilio` command: its list of verbs, and how errors reach the shell."""

import importlib
import sys

import pytest

from opilio.cli import app


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["opilio", *arguments])
    with pytest.raises(SystemExit) as ended:
        app.main()
    return int(ended.value.code or 0)


def test_every_verb_stands_under_one_heading_and_has_a_module(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert _run(monkeypatch, "--help") == 0
    shown = capsys.readouterr().out
    headings = [shown.index(f"{heading}:") for heading in app._HEADINGS]
    assert headings == sorted(headings)
    assert len(app._VERBS) == sum(map(len, app._HEADINGS.values()))
    for verb in app._VERBS:
        assert hasattr(importlib.import_module(f"opilio.cli.{verb}"), verb)


def test_an_error_is_one_line_on_stderr_with_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, "status", "nowhere") == 2
    out, said = capsys.readouterr()
    assert (out, said.count("\n")) == ("", 1)
    assert said.startswith("opilio: nowhere holds no crawl")


def test_a_verb_that_does_not_exist_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, "crwal") == 2
    assert "crwal" in capsys.readouterr().err
