"""What a crawl remembers of the pages it has met."""

import pytest

from opilio.judge.background import Background, shortened


def met(count: int, prefix: str = "p") -> Background:
    background = Background()
    for number in range(count):
        background.meet(f"http://a.test/{prefix}{number}", lambda number=number: str(number))  # type: ignore[misc]
    return background


def test_each_page_met_has_the_same_chance_to_be_remembered() -> None:
    """2,000 pages, 400 places, 30 crawls: in each tenth of the crawl 1,200 are expected, give or take 33."""
    tenths = [0] * 10
    for crawl in range(30):
        background = met(2_000, f"{crawl}-")
        for text in background.teaching + background.testing:
            tenths[int(text) // 200] += 1
    assert sum(tenths) == 30 * 400
    assert all(count == pytest.approx(1_200, abs=130) for count in tenths)


def test_the_same_crawl_gives_the_same_sample() -> None:
    assert met(1_000) == met(1_000)


def test_no_page_is_in_both_halves() -> None:
    background = met(5_000)
    assert len(background.teaching) == len(background.testing) == 200
    assert not set(background.teaching) & set(background.testing)


def test_a_page_without_words_is_not_met() -> None:
    background = Background()
    background.meet("http://a.test/", lambda: "")
    assert background == Background()


def test_a_page_that_is_not_drawn_is_not_read() -> None:
    background = met(400)
    read = []
    for number in range(400):
        background.meet(f"http://b.test/{number}", lambda number=number: read.append(number) or "text")  # type: ignore[misc,func-returns-value]
    assert background.met == 800
    assert 200 < len(read) < 380


def test_long_pages_are_cut_at_a_line() -> None:
    line = "five words in a line"
    assert shortened("\n".join([line] * 1_000)) == "\n".join([line] * 200)
    assert shortened(line) == line
