"""`opilio pages` and `opilio review`: stored pages are listed, and answers about them are marks that judge and lead learn."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import opilio
from opilio.core.errors import ConfigError
from opilio.lead import PlainLead
from opilio.ops.review import Question
from tests.builders import run_opilio, write_web

WORDS = ("leg", "eye", "web", "silk", "moth", "bark", "leaf", "stone", "moss", "rain", "dusk", "field", "hedge", "path")
SETTINGS = {"crawl": {"workers": 1, "in_flight": 1, "commit_pages": 1}}


def url(page: int) -> str:
    return f"http://a.test/{page}"


def text(page: int) -> str:
    """Even pages are about the harvestman, odd ones about trains; each has words of its own."""
    subject = "harvestman arachnid eight legs opilio" if page % 2 == 0 else "train station rail engine carriage"
    own = " ".join(WORDS[(page + step) % len(WORDS)] for step in range(6))
    return " ".join(f"The {word} of {own} number {page}." for word in subject.split() * 4)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    links = "".join(f'<a href="/{page}">{page}</a> ' for page in range(1, 24))
    pages = {url(page): f"<title>Page {page}</title><p>{text(page)}</p>" for page in range(24)}
    pages[url(0)] += f"<p>{links}</p>"
    pages[url(23)] = pages[url(1)]
    return write_web(tmp_path / "web.warc.gz", pages)


@pytest.fixture
def folder(web: Path, tmp_path: Path) -> Path:
    (tmp_path / "like.txt").write_text(text(100), "utf-8")
    tables = SETTINGS | {
        "judge": {"name": "topic", "vectors": "none"},
        "corpus": {"like": [str(tmp_path / "like.txt")]},
    }
    opilio.crawl(tables, tmp_path / "c", web=web, seeds=[url(0)]).to_end()
    return tmp_path / "c"


def by_number(question: Question) -> str:
    return "yes" if int(question.page.url.rpartition("/")[2]) % 2 == 0 else "no"


# --- the list


def test_every_stored_page_is_listed_the_highest_scores_first(folder: Path) -> None:
    found = opilio.pages(folder, limit=0)
    assert len(found) == 24
    scores = [page.score for page in found]
    assert scores == sorted(scores, reverse=True)
    assert {page.kept for page in found} == {True, False}
    assert all(page.opinions for page in found)
    assert len(opilio.pages(folder)) == 20


def test_pages_are_chosen_by_verdict_host_language_and_expression(folder: Path) -> None:
    kept, refused = opilio.pages(folder, kept=True, limit=0), opilio.pages(folder, refused=True, limit=0)
    assert len(kept) + len(refused) == 24
    assert {page.drop for page in kept} == {None}
    assert {page.kept for page in refused} == {False}
    assert {page.url for page in kept} == {record.url for record in opilio.read(folder)}
    assert opilio.pages(folder, host="b.test") == []
    assert {page.language for page in opilio.pages(folder, language=kept[0].language)} == {kept[0].language}
    chosen = opilio.pages(folder, where='title == "Page 4" or url endswith "/5"')
    assert {page.url for page in chosen} == {url(4), url(5)}


def test_pages_are_sorted_by_nearness_time_or_field(folder: Path) -> None:
    near = opilio.pages(folder, near=True, limit=0)
    assert abs(near[0].score - 0.5) <= abs(near[-1].score - 0.5)
    latest = [page.fetched for page in opilio.pages(folder, latest=True, limit=0)]
    assert latest == sorted(latest, reverse=True)
    assert opilio.pages(folder, sort="title", limit=1)[0].title == "Page 0"
    tokens = [page.tokens for page in opilio.pages(folder, sort="tokens", limit=0)]
    assert tokens == sorted(tokens, reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"refused": True, "kept": True}, "kept or refused"),
        ({"near": True, "sort": "score"}, "Name one of them"),
        ({"sort": "titel"}, 'Did you mean "title"'),
        ({"where": "titel == 3"}, 'Did you mean "title"'),
    ],
)
def test_what_cannot_be_listed_is_said(folder: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        opilio.pages(folder, **options)


def test_the_commands_list_and_export_by_the_same_expression(folder: Path) -> None:
    [first] = opilio.pages(folder, kept=True, limit=1)
    chosen = f'host == "a.test" and title == "{first.title}"'
    shown = run_opilio("pages", folder, "--where", chosen).stdout.splitlines()
    assert len(shown) == 3
    assert shown[2].strip() == first.url
    [page] = msgspec.json.decode(run_opilio("pages", folder, "--where", chosen, "--json").stdout)
    assert page["score"] > 0
    assert page["opinions"][0]["judge"] == "topic"
    out = folder / "out.jsonl"
    run_opilio("export", folder, "--format", "jsonl", "-o", out, "--where", chosen)
    assert [msgspec.json.decode(line)["url"] for line in out.read_bytes().splitlines()] == [first.url]
    assert "column 1" in run_opilio("export", folder, "--where", "nonsense", code=2).stderr
    assert "has stored no such page" in run_opilio("pages", folder, "--host", "b.test").stderr


# --- the review


def test_answers_are_marks_and_the_judge_learns_from_each(folder: Path) -> None:
    asked: list[Question] = []

    def answer(question: Question) -> str:
        asked.append(question)
        return by_number(question)

    reviewed = opilio.review(folder, answer, limit=6)
    assert len({question.page.url for question in asked}) == len(reviewed.marks) == 6
    assert [question.number for question in asked] == [1, 2, 3, 4, 5, 6]
    assert all(marked.learned for marked in reviewed.marks)
    marked = {page.url: page.marked for page in opilio.pages(folder, limit=0) if page.marked is not None}
    assert marked == {question.page.url: by_number(question) == "yes" for question in asked}
    assert {page.kept for page in opilio.pages(folder, where="marked == true")} <= {True}
    asked.clear()
    opilio.review(folder, answer, limit=0)
    assert not {question.page.url for question in asked} & set(marked)  # nobody is asked twice


def test_a_page_may_be_skipped_and_the_review_ended(folder: Path) -> None:
    answers = iter(["skip", "skip", "yes", "quit"])
    reviewed = opilio.review(folder, lambda _question: next(answers))
    assert (len(reviewed.marks), reviewed.skipped) == (1, 2)
    assert opilio.review(folder, lambda _question: "quit").marks == []
    assert len(opilio.review(folder, lambda _question: "skip", where='url endswith "/4"', limit=0).marks) == 0
    with pytest.raises(ConfigError, match='"maybe"'):
        opilio.review(folder, lambda _question: "maybe")


def test_the_review_ends_when_there_are_no_more_pages(folder: Path) -> None:
    reviewed = opilio.review(folder, by_number, limit=0)
    assert len(reviewed.marks) == sum(page.drop != "duplicate" for page in opilio.pages(folder, limit=0))
    kept = {page.url for page in opilio.pages(folder, kept=True, limit=0)}
    assert kept == {url(page) for page in range(0, 24, 2)}


def test_a_script_answers_a_letter_a_line(folder: Path) -> None:
    done = run_opilio("review", folder, "--json", text="y\nNo\n\ns\n", code=2)
    assert '" " is not an answer' in done.stderr
    assert len(opilio.pages(folder, where="marked or marked == false")) == 2
    done = run_opilio("review", folder, "--json", text="s\ny\n")
    found = msgspec.json.decode(done.stdout)
    assert (len(found["marks"]), found["skipped"]) == (1, 1)
    assert "1 answers: 1 yes, 0 no; 1 skipped." in done.stderr


# --- the lead


class Listening(PlainLead):
    def __init__(self) -> None:
        self.told: list[tuple[str, bool]] = []

    def score(self, targets: Any) -> list[float]:
        return [0.0] * len(targets)

    def teach(self, page: opilio.Page, belongs: bool) -> None:
        assert page.text
        self.told.append((page.url, belongs))


def test_the_lead_is_told_of_marks_when_the_crawl_is_resumed_and_once(web: Path, folder: Path) -> None:
    opilio.mark(folder, url(2), belongs=False)
    opilio.mark(folder, url(3), belongs=True)
    for told in ([(url(2), False), (url(3), True)], []):
        lead = Listening()
        opilio.crawl(folder, web=web, lead=lead).to_end()
        assert lead.told == told
