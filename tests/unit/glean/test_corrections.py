"""Rules that correct the classifier, each on a page that it is for, and on one where it must not apply."""

import pytest

from bench.extractors import glean_page

PROSE = (
    "Further up the river the water had begun to rise in the night, slowly at first, and then so fast that the miller"
    " had to carry his sacks to the upper floor."
)
OTHER = (
    "On market days the square fills long before dawn, because whoever comes late finds neither a place for the cart"
    " nor anybody who still wants to buy."
)
NOTICE = "We and our partners keep and read data on your device, so that we can show you what you may like."


def _text(body: str) -> str:
    return glean_page(f"<body><nav><a href='/'>Home</a></nav>{body}</body>").text


@pytest.mark.parametrize("name", ["cookie-bar", "paywall", "share-buttons", "author-box", "related", "ad-slot"])
def test_a_box_that_is_called_one_is_not_text(name: str) -> None:
    assert _text(f"<div class='{name}'><p>{NOTICE}</p></div><article><p>{PROSE}</p><p>{OTHER}</p></article>") == (
        f"{PROSE}\n{OTHER}"
    )


def test_a_page_that_consists_of_what_is_called_a_box_has_it() -> None:
    assert _text(f"<div class='popup'><p>{PROSE}</p><p>{OTHER}</p></div>") == f"{PROSE}\n{OTHER}"


def test_the_subjects_of_a_post_do_not_make_it_a_box() -> None:
    first, second = (f"<div class='post tag-cookies'><p>{each}</p></div>" for each in (PROSE, OTHER))
    assert _text(f"{first}{second}<p>{NOTICE}</p><p>{NOTICE} Again.</p><p>{NOTICE} Now.</p>").startswith(PROSE)


def test_captions_are_left_out_unless_they_are_the_page() -> None:
    caption = "<figure><img src='a.jpg'><figcaption>The mill in the year of the flood.</figcaption></figure>"
    assert _text(f"<article><p>{PROSE}</p>{caption}<p>{OTHER}</p></article>") == f"{PROSE}\n{OTHER}"
    gallery = "".join(f"<figure><img><figcaption>{each}</figcaption></figure>" for each in (PROSE, OTHER))
    assert _text(f"<main>{gallery}</main>") == f"{PROSE}\n{OTHER}"


def test_short_lines_in_the_middle_and_at_the_end_of_a_text_are_part_of_it() -> None:
    lines = ["Dear Anna,", PROSE, "No.", "Why?", OTHER, "Yours,", "Peter"]
    assert _text(f"<article>{''.join(f'<p>{line}</p>' for line in lines)}</article>").split("\n") == lines


@pytest.mark.parametrize(
    "line",
    [
        "Read also: <a href='/a'>Why the mill has stopped for good</a>",
        "<a href='1'>Back</a> | <a href='3'>Next</a>",
    ],
)
def test_a_line_that_leads_away_is_not_text(line: str) -> None:
    assert _text(f"<article><p>{PROSE}</p><p>{line}</p><p>{OTHER}</p></article>") == f"{PROSE}\n{OTHER}"


def test_a_link_after_a_word_and_a_colon_in_a_sentence_stays() -> None:
    line = "The reason is simple and everybody knows it: <a href='/a'>the river</a> was too high."
    assert "the river was too high" in _text(f"<article><p>{PROSE}</p><p>{line}</p><p>{OTHER}</p></article>")
