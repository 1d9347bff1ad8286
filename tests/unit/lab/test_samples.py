"""The same words in other files."""

import re
from pathlib import Path

import pytest

from opilio.engine.samples import read_samples
from opilio.lab.samples import FORMS, cut_words, write_samples

_TEXTS = (
    'Sheep eat grass. They are shorn in spring; "wool" is what they give.\n\nA flock has one ram. It weighs 90.5 kg!',
    "Lambs are born in March, mostly at night.\n\nDo shepherds sleep? Hardly.",
)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_changes_no_word(form: str, tmp_path: Path) -> None:
    files = write_samples(_TEXTS, form, tmp_path)
    assert len(files) == (1 if form == "one-file" else 2)
    read = " ".join(sample.text for sample in read_samples([Path(file) for file in files]))
    assert _words(read) == _words(" ".join(_TEXTS))


def test_sentences_have_a_line_each_and_no_full_stop(tmp_path: Path) -> None:
    (file, _) = write_samples(_TEXTS, "sentences", tmp_path)
    lines = Path(file).read_text("utf-8").splitlines()
    assert lines == [
        "Sheep eat grass", 'They are shorn in spring; "wool" is what they give', "A flock has one ram", "It weighs 90.5 kg!",
    ]  # fmt: skip


def test_wrapped_lines_have_at_most_72_columns_and_paragraphs_stay(tmp_path: Path) -> None:
    (file,) = write_samples(["word " * 40 + "\n\nend"], "wrapped", tmp_path)
    lines = Path(file).read_text("utf-8").splitlines()
    assert max(map(len, lines)) <= 72
    assert lines[-2:] == ["", "end"]


def test_markdown_and_html_are_markup(tmp_path: Path) -> None:
    (markdown,), (html,) = (write_samples(_TEXTS[:1], form, tmp_path) for form in ("markdown", "html"))
    assert Path(markdown).read_text("utf-8").startswith("# Sheep eat grass.\n\nThey")
    assert "&quot;wool&quot;" in Path(html).read_text("utf-8")


def test_a_text_is_cut_after_a_number_of_words() -> None:
    assert cut_words("one two\n\nthree four", 3) == "one two\n\nthree"
    assert cut_words("one two", 5) == cut_words("one two", 0) == "one two"
