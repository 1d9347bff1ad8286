"""One file, several texts: what separates them, and what only separates the sections of one."""

import re

import pytest

from opilio.engine.division import divide

TEXTS = [f"{name} " * 60 for name in ("sheep", "goats", "dogs")]


RULES = ("---", "\n-----\n", "=====", "***", "* * *", "____", "~~~", "###", "+++")


@pytest.mark.parametrize("separator", ["\n\n\n", "\n \n\t\n\n", "\f", *(f"\n{rule}\n" for rule in RULES)])
def test_these_separate_texts(separator: str) -> None:
    parts = divide(separator.join(f"{text.strip()}." for text in TEXTS))
    assert [set(re.findall(r"\w+", part.replace("_", ""))) for part in parts] == [{"sheep"}, {"goats"}, {"dogs"}]


def test_headings_of_the_first_level_begin_a_text() -> None:
    parts = divide("\n".join(f"# Title\n{text}\n## Section\n{text}" for text in TEXTS))
    assert [part.split("\n")[:2] for part in parts] == [["# Title", text] for text in TEXTS]


@pytest.mark.parametrize(
    "text",
    [
        TEXTS[0],
        "\n\n".join(TEXTS),
        f"A title\n\n\n{TEXTS[0]}\n\n\n{TEXTS[1]}",
        f"{TEXTS[0]}\n---\nPosted by a shepherd",
        f"A title\n=======\n{TEXTS[0]}\n\nAnother title\n-----\n{TEXTS[1]}",
    ],
)
def test_sections_of_one_text_stay_together(text: str) -> None:
    assert divide(text) == [text]


def test_the_first_kind_that_fits_is_taken() -> None:
    texts = [f"{text}\n---\nsigned\n\n\n{text}" for text in TEXTS]
    assert [part.count("signed") for part in divide("\n====\n\n".join(texts))] == [1, 1, 1]
