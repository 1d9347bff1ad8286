"""A list of pages at 80 columns: whole URLs, nothing that controls the terminal."""

from msgspec.structs import replace

from opilio.core.items import Opinion
from opilio.core.listed_page import ListedPage
from opilio.core.outcome import Drop
from opilio.report.pages import page_lines, question_lines

PAGE = ListedPage(
    url="http://a.test/" + "long/" * 20, host="a.test", title="A title\nthat \x1b[31mgoes on " * 5, language="en", tokens=1_234,
    score=0.25, kept=False, drop=Drop.NOT_RELEVANT, marked=None, depth=1, fetched="2026-01-01T00:00:00Z",
    opinions=(Opinion("sum", 0.25, ""), Opinion("likeness", 0.1, ""), Opinion("perplexity", 0.4, "")),
)  # fmt: skip


def test_a_row_fits_into_80_columns_and_the_url_below_it_is_whole() -> None:
    head, row, url = page_lines([PAGE], 80)
    assert max(head.cell_len, row.cell_len) <= 80
    assert row.plain.startswith("0.250  not relevant  A title that �[31mgoes")
    assert row.plain.endswith("…  likeness 0.10, perplexity 0.40")
    assert url.plain.strip() == PAGE.url


def test_why_is_what_the_parts_say_or_why_it_was_dropped() -> None:
    assert PAGE.why == "likeness 0.10, perplexity 0.40"
    fields = {name: getattr(PAGE, name) for name in PAGE.__struct_fields__}
    alone = ListedPage(**fields | {"opinions": PAGE.opinions[:1]})
    copy = ListedPage(**fields | {"drop": Drop.DUPLICATE, "detail": "same text as http://a.test/"})
    assert (alone.why, copy.why) == ("sum 0.25", "same text as http://a.test/")


def test_a_judge_that_cannot_tell_is_shown_without_a_score() -> None:
    silent = replace(PAGE, opinions=(*PAGE.opinions, Opinion("language", None, "cannot tell")))
    assert silent.why.endswith("perplexity 0.40, language cannot tell")


def test_a_question_fits_into_a_small_terminal_even_in_wide_characters() -> None:
    for text in ("word " * 2_000, "漢字" * 2_000, "x" * 9_000, "\x1b[2J"):
        lines = list(question_lines(3, PAGE, text, 80, 24))
        below_title = [line for line in lines if not line.plain.startswith(("http", "3."))]
        assert all(line.cell_len <= 80 for line in below_title)
        assert len(lines) + 2 <= 24  # the long URL takes two lines; the prompt is the last
        assert not any("\x1b" in line.plain for line in lines)
