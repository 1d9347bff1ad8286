"""Rows with a hanging indent: nothing is wider than the terminal but a URL."""

import pytest
from rich.cells import cell_len

from opilio.report.labelled import labelled_lines, wrap

URL = "http://a.test/" + "long/" * 20


def _shown(*rows: tuple[str, str], width: int = 40) -> list[str]:
    return [line.plain for line in labelled_lines(rows, width)]


def test_words_hang_beside_their_label_which_is_not_repeated() -> None:
    assert _shown(("one", "a " * 20 + "b"), ("signal", "first\nsecond"), ("signal", "third")) == [
        "one     a a a a a a a a a a a a a a a a",
        "        a a a a b",
        "signal  first",
        "        second",
        "        third",
    ]


@pytest.mark.parametrize("text", ["word " * 90, "漢字" * 90, "x" * 999, "e\u0301" * 200, "a " + "漢" * 60 + " b"])
def test_no_line_is_wider_than_asked(text: str) -> None:
    lines = list(wrap(text, 33))
    assert max(map(cell_len, lines)) <= 33
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_url_is_never_broken() -> None:
    assert list(wrap(f"found on {URL}, link text", 40)) == ["found on", f"{URL},", "link text"]


def test_a_fixed_space_keeps_words_together() -> None:
    assert _shown(("languages", "en 1, " * 4 + "de\N{NO-BREAK SPACE}7"), width=36) == [
        "languages  en 1, en 1, en 1, en 1,",
        "           de 7",
    ]


def test_nothing_controls_the_terminal() -> None:
    assert _shown(("title", "\x1b[2J\r\u202egone")) == ["title  �[2J��gone"]


def test_a_terminal_may_be_narrower_than_its_labels() -> None:
    assert _shown(("a long label", "words"), width=5) == ["a long label  words"]
