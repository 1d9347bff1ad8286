"""The judge that goes by CSS class names, and how its keywords are learned."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.items import Verdict
from opilio.core.plugin import Context, build_plugin
from opilio.judge import Comments, Judge
from opilio.judge.comment_examples import Example, read_examples
from opilio.judge.comment_training import Quality, cross_validate, learn_keywords
from opilio.judge.comments import read_comment_keywords
from tests.builders import page

REMARK = "I have thought about this for a long while and do not agree with you"


def _verdict(judge: Judge, *classes: str) -> Verdict:
    return judge.judge(page("Text", classes=classes))


def _build(folder: Path | None, *settings: str) -> Judge:
    config = load_config(recipe="comments", settings=settings)
    judge: Judge = build_plugin("judge", config.judge, Context(config, folder))
    return judge


# --- judging


def test_a_class_name_that_contains_a_keyword_is_enough() -> None:
    judge = Comments({"comment-author": 0.9, "commentlist": 0.6}, missed=0.1)
    found = _verdict(judge, "post", "Comment-Author-Name", "commentlist")
    assert (found.belongs, found.score) == (True, 0.9)
    [opinion] = found.opinions
    assert opinion.judge == "comments"
    assert "Comment-Author-Name" in opinion.reason
    assert opinion.measure == 2


def test_a_page_without_a_keyword_scores_as_often_as_one_is_missed() -> None:
    judge = Comments({"comment-author": 0.9}, missed=0.1)
    for classes in ((), ("post", "comment", "author")):
        verdict = _verdict(judge, *classes)
        assert (verdict.belongs, verdict.score) == (False, 0.1)


def test_a_keyword_is_not_found_across_two_class_names() -> None:
    assert not _verdict(Comments({"commentbody": 0.9}), "comment", "body").belongs


def test_shipped_keywords_know_a_common_blog_engine() -> None:
    judge = _build(None)
    assert _verdict(judge, "comment", "even", "thread-even", "depth-1", "comment-author", "vcard").belongs
    assert not _verdict(judge, "comments-link", "comment-form", "entry").belongs


def test_shipped_keywords_are_few_and_have_shares() -> None:
    shipped = read_comment_keywords()
    assert 0 < len(shipped.keywords) <= 25
    assert all(0.5 < share < 1 for share in shipped.keywords.values())
    assert 0 < shipped.missed < 0.5


def test_words_of_the_operator_are_added_and_believed() -> None:
    judge = _build(None, 'judge.keywords=["postbody"]')
    assert _verdict(judge, "postbody").score == 1.0
    assert _verdict(judge, "comment-author").belongs


def test_a_file_is_found_beside_the_crawl(tmp_path: Path) -> None:
    learned = learn_keywords(_examples(6), "pages")
    (tmp_path / "own.json").write_bytes(learned.encode())
    judge = _build(tmp_path, "judge.file=own.json")
    assert _verdict(judge, "remark-text").belongs
    assert not _verdict(judge, "comment-author").belongs


@pytest.mark.parametrize("content", [b"{}", b"\xff", b'{"format": "another", "keywords": {}}', None])
def test_a_file_that_holds_no_keywords_is_named(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "own.json").write_bytes(content)
    with pytest.raises(ConfigError, match=r"own\.json"):
        _build(tmp_path, "judge.file=own.json")


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    text = learn_keywords(_examples(6), "pages").encode().replace(b"keywords 1", b"keywords 9")
    (tmp_path / "own.json").write_bytes(text)
    with pytest.raises(ConfigError, match="keywords 9"):
        _build(tmp_path, "judge.file=own.json")


def test_no_keywords_at_all_are_refused() -> None:
    with pytest.raises(ConfigError, match="keywords"):
        Comments({})


# --- learning


def _examples(count: int) -> list[Example]:
    """Every page can be commented on; where somebody did, the remark has a class."""
    near = frozenset({"remark", "remark-text", "text", "comments"})
    with_ = Example("comments\nform\nremark-text", near, has_comments=True)
    without = Example("comments\nform\ntext-wide", frozenset(), has_comments=False)
    return [with_, without] * count


def test_a_word_that_stands_on_all_pages_is_not_learned() -> None:
    learned = learn_keywords(_examples(6), "pages")
    assert list(learned.keywords) == ["remark-text"]
    assert learned.keywords["remark-text"] == 0.875  # (6 + 1) / (6 + 2)
    assert (learned.pages, learned.with_comments, learned.missed) == (12, 6, 0.125)


def test_learning_tells_when_there_is_nothing_to_learn() -> None:
    with pytest.raises(ConfigError, match="has_comments"):
        learn_keywords([Example("post", frozenset(), has_comments=False)] * 9, "pages")


def test_no_more_keywords_are_learned_than_asked_for() -> None:
    examples = [
        Example(f"word{letter}", frozenset({f"word{letter}"}), has_comments=True)
        for letter in "abcdefgh"
        for _ in range(3)
    ]
    assert len(learn_keywords(examples, "pages", most=5).keywords) == 5


def test_each_page_is_judged_by_what_the_other_folds_taught() -> None:
    alone = Example("unique-word", frozenset({"unique-word"}), has_comments=True)
    quality = cross_validate([*_examples(6), alone], 4)
    assert quality == Quality(13, 6, 0, 1)
    assert quality.accuracy == pytest.approx(12 / 13)
    assert quality.f1 == pytest.approx(12 / 13)
    assert quality.majority == pytest.approx(7 / 13)
    with pytest.raises(ConfigError, match="folds"):
        cross_validate(_examples(1), 3)


def _row(number: int, *, has_comments: bool) -> dict[str, Any]:
    remark = f'<div class="remark-text x{number}"><p>{REMARK}</p></div>' if has_comments else ""
    html = f'<body><div class="Post"><p>{number} words of the author</p></div>{remark}<div class=formfield></div>'
    return {"html": html, "has_comments": has_comments, "comments": REMARK if has_comments else "", "id": number}


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_class_names_around_a_comment_are_read(tmp_path: Path, ending: str) -> None:
    rows = [_row(number, has_comments=bool(number % 2)) for number in range(8)]
    content = "\n".join(map(json.dumps, rows)).encode() + b"\n\n"
    path = tmp_path / f"pages{ending}"
    path.write_bytes(gzip.compress(content) if ending.endswith(".gz") else content)
    examples = read_examples(path)
    assert len(examples) == 8
    assert examples[0] == Example("post\nformfield", frozenset(), has_comments=False)
    assert examples[1].near == {"remark", "remark-text", "text"}
    assert list(learn_keywords(examples, "pages").keywords) == ["remark-text"]


def test_what_the_author_wrote_is_no_comment(tmp_path: Path) -> None:
    row = _row(1, has_comments=True) | {"text": REMARK}
    (tmp_path / "pages.jsonl").write_text(json.dumps(row), "utf-8")
    assert read_examples(tmp_path / "pages.jsonl")[0].near == frozenset()


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.jsonl", None, "missing"),
        ("pages.jsonl", b'{"html": "x", "has_comments": true}\nnonsense', "page 2"),
        ("pages.jsonl", b'{"html": "x"}', "has_comments"),
        ("pages.jsonl.gz", b"no gzip", "pages"),
    ],
)
def test_training_pages_that_cannot_be_read_are_named(
    tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=says):
        read_examples(tmp_path / name)
