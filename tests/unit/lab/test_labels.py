"""Labels of a recorded web."""

from pathlib import Path

import pytest

from opilio.core.errors import ConfigError
from opilio.lab.labels import read_labels, sample_topics


def _read(
    folder: Path, text: str, web: tuple[str, ...] = ("http://a.test/1", "http://a.test/2")
) -> dict[str, tuple[str, ...]]:
    (folder / "labels.tsv").write_text(text, "utf-8")
    return read_labels(folder / "labels.tsv", web).topics


def test_a_topic_takes_in_what_lies_below_it(tmp_path: Path) -> None:
    topics = _read(tmp_path, "url\tlabel\nhttp://a.test/1\tScience.Biology.Mammals\nhttp://a.test/2\tScience\n")
    assert topics["Science"] == ("http://a.test/1", "http://a.test/2")
    assert topics["Science.Biology"] == topics["Science.Biology.Mammals"] == ("http://a.test/1",)


def test_a_page_with_several_labels_belongs_to_each(tmp_path: Path) -> None:
    topics = _read(tmp_path, "http://a.test/1\tA\nhttp://a.test/1\tB\n")
    assert topics == {"A": ("http://a.test/1",), "B": ("http://a.test/1",)}


def test_a_label_is_no_part_of_a_longer_word(tmp_path: Path) -> None:
    assert "Art" not in _read(tmp_path, "http://a.test/1\tArts.Music\n")


def test_an_empty_label_says_nothing(tmp_path: Path) -> None:
    assert _read(tmp_path, "http://a.test/1\t\n") == {}


def test_what_cannot_be_used_is_counted_and_the_rest_counts(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text("http://a.test/1\tA\nno tab\n\nhttp://gone.test/\tA\nhttp://gone.test/\tB\nhttp://:x\tA\n", "utf-8")
    labels = read_labels(path, {"http://a.test/1"})
    assert labels.topics == {"A": ("http://a.test/1",)}
    assert (labels.missing, labels.malformed) == (1, 2)


def test_labels_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.tsv"):
        read_labels(tmp_path / "nowhere.tsv", ())


def test_a_sample_of_topics_is_the_same_every_time_in_any_order() -> None:
    topics = [f"T{number}" for number in range(40)]
    drawn = sample_topics(topics, 7)
    assert len(set(drawn)) == 7
    assert sample_topics(topics[::-1], 7) == drawn
    assert sample_topics(topics, 0) == sample_topics(topics, 99) == sorted(topics)
