"""Markdown is taken off, and its words stay: each mark, and texts that only look like it."""

import pytest

from opilio.glean.markdown import NEW_TEXT, remove_blocks, remove_marks, separate_blocks


def stripped(text: str) -> list[str]:
    """The lines that are left, without blank ones."""
    prose = remove_marks(separate_blocks(remove_blocks(text)))
    return [" ".join(line.split()) for line in prose.splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("The **emperor** is a *large* bird, ***very*** large", "The emperor is a large bird, very large"),
        ("__Both__ _kinds_ and ~~none~~ of ==them==", "Both kinds and none of them"),
        ("**Bird**s are un*believ*able", "Birds are unbelievable"),
        ("snake_case_name, 5*3*2 and 4 * 3 * 2", "snake_case_name, 5*3*2 and 4 * 3 * 2"),
        ("Call `flock()` or ``a`` twice", "Call flock() or a twice"),
        ('A [dog](https://a.test/x_(y) "title") and [sheep][1] and [hay][]', "A dog and sheep and hay"),
        ("[![badge](https://a.test/b.svg)](https://a.test) Sheep ![alt](a.png)", "Sheep"),
        ("See <https://a.test/x> or https://a.test/y?z. Then <me@a.test>", "See or . Then"),
        ("Hay[^1] &amp; straw &#8212; AT&T", "Hay & straw — AT&T"),
        ("H<sub>2</sub>O and <b class='x'>wool</b>en", "H2O and woolen"),
        ("2 < 3 and a <y and z> b [sic] (see) \\*stars\\*", "2 < 3 and a <y and z> b [sic] (see) *stars*"),
    ],
)
def test_marks_in_a_line_are_removed_and_their_words_stay(written: str, left: str) -> None:
    assert stripped(written) == [left]


def test_headings_items_quotations_and_tables_become_blocks() -> None:
    text = (
        "# Sheep #\nof the hills\n## Dogs\n\nGoats\n=====\nThey climb\n- one\n* two\n"
        "+ [x] three\n1. first\n2) second\n> so they say\n"
        "| a | b |\n|---|:-:|\n| c | d |\n***\nend<br/>of<p align=center>it</p>"
    )
    blocks = separate_blocks(text).split("\n\n")
    assert [block.strip() for block in blocks if block.strip()] == [
        "Sheep", "of the hills", "Dogs", "Goats", "They climb", "one", "two", "three", "first", "second\nso they say",
        "| a | b |", "| c | d |", "end", "of", "it",
    ]  # fmt: skip


def test_code_comments_and_targets_are_removed() -> None:
    text = (
        "One <!-- not\nthis -->two\n```python\nimport this\n```\nthree\n\n[1]: https://a.test/ 'title'\n[^1]: A note\n"
    )
    assert stripped(text) == ["One two", "three", "A note"]


def test_a_fence_that_is_never_closed_removes_nothing_else() -> None:
    assert stripped("One\n```\ntwo") == ["One", "```", "two"]


@pytest.mark.parametrize("matter", ["---\ntitle: A\ntags:\n  - b\n- c\n\n---\n", "+++\ntitle = 'A'\n+++\n"])
def test_front_matter_begins_another_text(matter: str) -> None:
    assert remove_blocks(f"{matter}Sheep\n{matter}Goats") == f"{NEW_TEXT}\nSheep\n{NEW_TEXT}\nGoats"


@pytest.mark.parametrize(
    "text",
    [
        "Seit dem\n3. Oktober ist\nes so",
        "---\nNot front matter\n---",
        "[Anna]: Hello there\n[Ben]: Hello",
        "— Hello, said Anna\n- and left",
        "#hashtag and C# and _",
    ],
)
def test_what_only_looks_like_markdown_keeps_its_words(text: str) -> None:
    words = text.replace("-", " ").split()
    assert " ".join(stripped(text)).replace("-", " ").split() == words
