"""Blocks become the marks of Markdown, and text that looks like a mark does not."""

from itertools import accumulate

import pytest

from opilio.core.items import TextBlock
from opilio.keep.markdown import marked


def page(*blocks: tuple[str, str]) -> str:
    ends = list(accumulate(len(text) + 1 for _, text in blocks))
    spans = zip(blocks, [0, *ends], ends, strict=False)
    return marked(
        "\n".join(text for _, text in blocks), [TextBlock(kind, start, end - 1) for (kind, _), start, end in spans]
    )


def test_every_kind_has_its_mark() -> None:
    assert page(
        ("h2", "Tools"), ("p", "Take\nthem"), ("li", "rope"), ("li", "two\nlamps"), ("tr", "Year\tFish"), ("tr", "2001\t3 | 4"),
        ("pre", "x = 1"), ("quote", "No\nfish"), ("dt", "Ebb"), ("dd", "Water going out"),
    ) == (
        "## Tools\n\nTake  \nthem\n\n- rope\n- two\n  lamps\n\n| Year | Fish |\n| --- | --- |\n| 2001 | 3 \\| 4 |\n\n"
        "```\nx = 1\n```\n\n> No\n> fish\n\n**Ebb**\n: Water going out"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [("# 1 in sales", "\\# 1 in sales"), ("1. May", "1\\. May"), ("- no", "\\- no"), ("#tag", "#tag")],
)
def test_a_line_that_looks_marked_is_not(text: str, expected: str) -> None:
    assert page(("p", text)) == expected


def test_a_document_without_blocks_has_a_paragraph_in_each_line() -> None:
    assert marked("one\ntwo", ()) == "one\n\ntwo"
