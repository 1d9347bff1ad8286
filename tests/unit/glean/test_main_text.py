"""The form of the main text, and what happens where the classifier refuses nearly everything."""

import pytest

from bench.extractors import glean_page
from opilio.core.prose import prose_of
from opilio.glean.main_text import _is_notice
from opilio.glean.title import find_title

PROSE = "Further up the river the water had begun to rise in the night, slowly at first, and then so fast that all had to go."
ARTICLE = f"<article><h1>Rain</h1><p>{PROSE}</p>{{}}<p>{PROSE} It was over by noon.</p></article>"


def kinds(html: str) -> list[tuple[str, str]]:
    page = glean_page(html)
    return [(block.kind, page.text[block.start : block.end]) for block in page.layout]


def test_blocks_partition_the_text() -> None:
    page = glean_page(ARTICLE.format("<ul><li>one</li><li>two<br>three</li></ul><pre>a\n  b</pre>"))
    assert "\n".join(page.text[block.start : block.end] for block in page.layout) == page.text


def test_headings_items_rows_quotations_and_code_can_be_told() -> None:
    inner = (
        "<h2>Tools</h2><ul><li>rope</li><li><p>lamp</p></li></ul><blockquote>No fish, no fun.</blockquote>"
        "<table><tr><td>Year</td><td>Fish</td></tr></table><pre>x = 1\n    y = 2</pre>"
    )
    assert kinds(ARTICLE.format(inner))[2:-1] == [
        ("h2", "Tools"),
        ("li", "rope"),
        ("li", "lamp"),
        ("quote", "No fish, no fun."),
        ("tr", "Year\tFish"),
        ("pre", "x = 1\n    y = 2"),
    ]


def test_links_of_joined_cells_keep_their_texts() -> None:
    row = (
        '<table><tr><td>Year</td><td>see <a href="/fish">the fish</a></td><td><a href="/sea">sea</a></td></tr></table>'
    )
    page = glean_page(ARTICLE.format(row))
    assert {link.url: link.anchor for link in page.links} == {
        "http://h.example/fish": "the fish",
        "http://h.example/sea": "sea",
    }


def test_a_table_for_layout_is_not_a_row() -> None:
    html = f"<table><tr><td><a href='/a'>Home</a></td><td><p>{PROSE}</p><p>{PROSE}</p></td></tr></table>"
    assert "\t" not in glean_page(html).text


def test_a_page_that_shows_its_text_by_a_script_has_it() -> None:
    page = glean_page(
        f'<body><nav><a href="/">Home</a></nav><div style="display:none"><p>{PROSE}</p><p>{PROSE}</p></div>'
    )
    assert page.text == f"{PROSE}\n{PROSE}"


def test_a_small_page_is_whole_but_for_what_it_hides() -> None:
    html = "<body><nav><a href='/'>Home</a></nav><h1>Tea</h1><p>We have:</p><ul><li>green</li><li hidden>red</li></ul></body>"
    assert glean_page(html).text == "Tea\nWe have:\ngreen"


def test_a_page_of_comments_alone_has_them_for_its_text() -> None:
    posts = "".join(f'<div class="comment"><p>{PROSE}</p></div>' for _ in range(3))
    assert glean_page(f'<body><div id="comments">{posts}</div>').text.count(PROSE) == 3


@pytest.mark.parametrize("line", ["© 2021 The Mill", "Copyright 2020 by us", "The Mill. All rights reserved."])
def test_a_line_about_copyright_is_known(line: str) -> None:
    assert _is_notice(line)


@pytest.mark.parametrize("line", ["The law of copyright is old.", "Seats (c) and (d) are reserved."])
def test_a_sentence_about_copyright_is_not_one(line: str) -> None:
    assert not _is_notice(line)


@pytest.mark.parametrize(
    ("title", "headings", "site", "shared", "expected"),
    [
        ("A bridge | The Daily Mill", (), "The Daily Mill", "", "A bridge"),
        ("A bridge - and a ferry - Mill", ("A bridge - and a ferry",), "", "", "A bridge - and a ferry"),
        ("Mill: A bridge", (), "", "A bridge", "A bridge"),
        ("Mill » A bridge", (), "", "A bridge", "A bridge"),
        ("Old bridges | dailymill", (), "", "", "Old bridges"),
        ("Rain - and what it does", (), "", "", "Rain - and what it does"),
    ],
)
def test_a_title_loses_the_name_of_its_site(
    title: str, headings: tuple[str, ...], site: str, shared: str, expected: str
) -> None:
    assert find_title(title, [shared], headings, site, "www.dailymill.example") == expected


def test_a_remark_that_is_mostly_a_link_is_in_the_text_and_not_in_the_prose() -> None:
    remark = 'Our friends tell of it too, under <a href="http://other.test/">A Night Beside The River</a>.'
    page = glean_page(ARTICLE.format(f"<p>{remark}</p>"))
    assert "A Night Beside The River" in page.text
    assert "A Night Beside The River" not in page.prose
    assert page.prose.count(PROSE) == 2


def test_the_prose_can_be_had_again_from_text_and_blocks() -> None:
    page = glean_page(ARTICLE.format("<table><tr><td>Depth<td>three metres</table><p>One<br>and two.</p>"))
    assert prose_of(page.text, page.layout) == page.prose


def test_a_list_of_links_has_no_prose() -> None:
    items = "".join(
        f'<li><a href="/{number}">What happened on day {number} of the flood</a></li>' for number in range(9)
    )
    assert not glean_page(f"<main><h1>Archive</h1><ul>{items}</ul></main>").prose.count("flood")


def test_headings_that_are_links_are_prose() -> None:
    teasers = "".join(
        f'<h2><a href="/{number}">The flood of the year {number}</a></h2><p>{PROSE}</p>' for number in range(1900, 1905)
    )
    page = glean_page(f"<main><h1>Floods</h1>{teasers}</main>")
    assert page.prose.count("The flood of the year") == 5
    assert page.prose.startswith("Floods")


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("Tools<a href='#tools'>¶</a>", "Tools"),
        ("Tools of the trade <span>[<a href='/edit'>edit</a>]</span>", "Tools of the trade"),
        ("Tools [<a href='/edit'>Bearbeiten</a> | <a href='/source'>Quelltext bearbeiten</a>]", "Tools"),
        ("Tools [of the trade]", "Tools [of the trade]"),
        ("<a href='/video'>How to row [video]</a>", "How to row [video]"),
    ],
)
def test_headings_lose_links_that_are_for_editors(heading: str, text: str) -> None:
    assert ("h2", text) in kinds(ARTICLE.format(f"<h2>{heading}</h2><p>{PROSE} Again.</p>"))


def test_a_small_text_is_not_filled_up_with_the_rest_of_the_page() -> None:
    lines = "<p>The fields are brown,<br>the sky is low,<br>and over the town<br>goes the first snow of the year.</p>"
    rest = "<div class='widget'><h4>Latest</h4><ul><li><a href='/1'>A walk in the rain</a></li></ul></div>"
    assert "Latest" not in glean_page(f"<body><article>{lines}</article>{rest}</body>").text
