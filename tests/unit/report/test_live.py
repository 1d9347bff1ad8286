"""The view of a running crawl: what it goes by in words, the last titles with their scores, nothing wider than the terminal."""

import re
from io import StringIO
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from opilio.engine.stopping import outlook
from opilio.folder import Tally
from opilio.report.live import Progress

TALLY = Tally(pages=1_234, relevant=500, recent_worths=[0.25] * 200)
STATUS: dict[str, Any] = {
    **outlook(TALLY, None), "pages": 1_234, "documents": 500, "seconds": 9.0, "queued": 98_765, "waiting": 0, "met": 1_234_567,
    "hosts": 12_345, "leased": 16, "size_bytes": 10**9, "tokens": 12_345_678, "paused": False, "trouble": "", "remaining": 12_345,
    "found_share": 0.51, "signals": {"texts": 1.2, "siblings": 0.9, "unheard-of": 0.4},
    "drops": dict.fromkeys(("not_relevant", "host_out_of_scope", "query_explosion", "opted_out", "fetch_failed"), 99_999),
    "goes_by": "your 5 samples (judge topic)", "links_by": "what was learned so far",
    "last_kept": {"title": "漢字" * 60, "score": 0.987, "drop": None},
    "last_refused": {"title": "\x1b[2JA title\nof " + "many words " * 20, "score": 0.123, "drop": "not_relevant"},
}  # fmt: skip


def _shown(status: dict[str, Any], width: int = 80, *, terminal: bool = True) -> list[str]:
    console = Console(file=StringIO(), width=width, height=24, force_terminal=terminal, color_system=None)
    with Progress(lambda: status, 5_000, console):
        pass
    assert isinstance(console.file, StringIO)
    *_, last = re.split(r"(?=pages  )", re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", console.file.getvalue()))
    return last.splitlines() if terminal else console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 60, 200])
def test_the_view_fits_into_a_terminal_even_with_wide_characters(width: int) -> None:
    lines = _shown(STATUS, width)
    assert len(lines) <= 22
    assert max(map(cell_len, lines)) <= width


def test_the_last_titles_have_one_line_with_score_and_reason() -> None:
    lines = [line for line in _shown(STATUS) if line.startswith("last ")]
    assert lines[0].startswith("last kept     0.99  漢字")
    assert lines[1].startswith("last refused  0.12  �[2JA title of many words")
    assert lines[1].endswith("…  (not relevant)")


def test_it_says_in_words_what_it_goes_by() -> None:
    shown = " ".join(" ".join(_shown(STATUS)).split())
    assert "goes by your 5 samples (judge topic)" in shown
    assert "links by what was learned so far, mostly from texts of good pages, neighbouring links, unheard-of" in shown
    assert "25.0% of the last 200 pages belong, by the judge's probabilities" in shown


def test_the_view_is_as_high_before_anything_was_judged() -> None:
    shown = _shown(STATUS | {"last_kept": None, "last_refused": None})
    assert [line for line in shown if line.startswith("last ")] == ["last kept     none yet", "last refused  none yet"]
    assert len(shown) == len(_shown(STATUS))


def test_nothing_is_said_of_signals_before_anything_was_learned() -> None:
    assert "links by      what was learned so far" in _shown(STATUS | {"marginal_pages": 0})


def test_elsewhere_it_is_a_line() -> None:
    [line] = _shown(STATUS, 10_000, terminal=False)
    assert "; 25% of the last 200 pages belong, by the judge's probabilities, about 12,345 ahead; dropped: " in line
