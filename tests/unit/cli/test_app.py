"""The `opilio` command: its list of verbs, and how errors reach the shell."""

import importlib
import sys

import pytest

from opilio.cli import app
from opilio.core.version import __version__


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


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["crwal", "x"], "crawl"),
        (["sttus"], "status"),
        (["judge", "agian"], "again"),
        (["judge", "train", "coments"], "comments"),
        (["lm", "exprot"], "export"),
        (["lab", "rnu"], "run"),
    ],
)
def test_a_mistyped_verb_is_refused_with_the_one_that_was_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], meant: str
) -> None:
    assert _run(monkeypatch, *arguments) == 2
    assert f'Did you mean "{meant}"?' in capsys.readouterr().err


def test_a_verb_like_no_other_is_refused_with_the_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, "xyzzy") == 2
    said = capsys.readouterr().err
    assert "Did you mean" not in said
    assert all(verb in said for verb in app._VERBS)


@pytest.mark.parametrize("others", [[], ["status"], ["crawl", "nowhere"], ["--help"]])
def test_the_version_is_all_that_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], others: list[str]
) -> None:
    assert _run(monkeypatch, "--version", *others) == 0
    assert capsys.readouterr() == (f"opilio {__version__}\n", "")
