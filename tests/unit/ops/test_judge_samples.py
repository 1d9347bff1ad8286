"""What was made of samples: their words and language, what the judge understood, and what speaks against them."""

import json
import re
from pathlib import Path

import pytest

import opilio
from opilio.core.errors import ConfigError
from tests.builders import demo_texts, page, run_opilio, write_web

CATS, TECH = demo_texts("cats.en"), demo_texts("tech.en")
GERMAN = (
    "Der Schäfer führt seine Herde vor dem Abend über die Hügel, und der Hund läuft ihnen allen voran. Im Winter bleiben die "
    "Schafe in der Nähe des Dorfes, wo es genug Heu für die ganze Herde gibt."
)
TERMS_ALONE = ("judge.vectors=none",)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


@pytest.mark.usefixtures("folder")
def test_good_samples_are_described_without_a_warning() -> None:
    like = [write("a.txt", CATS[0]), write("b.txt", CATS[1])]
    made = opilio.judge_samples(like=like)
    assert [(text.name, text.language) for text in made.texts] == [("a.txt", "en"), ("b.txt", "en")]
    assert made.words == sum(text.words for text in made.texts) == made.languages["en"] > 500
    assert {"cat", "cats"} & set(made.keywords[:5])
    assert [account.judge for account in made.judges] == ["topic"]
    assert all("0.35" in account.line for account in made.judges)
    assert made.warnings == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ([CATS[0][:100]], "words in all"),
        ([" ".join(CATS[0].split()[:120])], "five of a page each"),
        ([CATS[0], CATS[1], "Four words, not more"], r"next to nothing: 2\.txt"),
        ([CATS[0], CATS[1], GERMAN], r"several languages \(en: 0\.txt, 1\.txt; de: 2\.txt\)"),
        ([CATS[0], CATS[1], CATS[0] + " And so on."], r"2\.txt repeats 0\.txt"),
        (
            [CATS[0], TECH[0], CATS[1], TECH[1], CATS[2]],
            r"2 different things: 0\.txt, 2\.txt, 4\.txt; 1\.txt, 3\.txt\.",
        ),
    ],
)
def test_what_speaks_against_samples_is_said_with_a_remedy(texts: list[str], says: str) -> None:
    like = [write(f"{number}.txt", text) for number, text in enumerate(texts)]
    [warning] = opilio.judge_samples(like=like, settings=TERMS_ALONE).warnings
    assert re.search(says, warning)


def test_the_samples_of_a_crawl_are_shown_with_its_judge_in_its_present_state(folder: Path) -> None:
    pages = {f"http://a.test/{number}": f"<p>{text}</p>" for number, text in enumerate(CATS)}
    web, tables = (
        write_web(folder / "web.warc", pages),
        {"crawl": {"workers": 1}, "judge": {"name": "topic", "vectors": "none"}},
    )
    list(opilio.crawl(tables, folder / "c", web=web, like=write("a.txt", CATS[0]), url=list(pages)))
    made = opilio.judge_samples(folder / "c")
    assert [text.name for text in made.texts] == ["a.txt"]
    assert "by a guess" not in made.judges[0].line


def test_without_samples_the_answer_says_how_to_name_some(folder: Path) -> None:
    (folder / "crawl.toml").write_text("[crawl]\nrecipe = 'breadth-first'\n", "utf-8")
    with pytest.raises(ConfigError, match="--like"):
        opilio.judge_samples(folder)


def test_the_command_fits_into_80_columns_and_has_the_same_facts_as_json(folder: Path) -> None:
    like = [
        option
        for number in (0, 1)
        for option in ("--like", write(f"{'long-name-' * 6}{number}.txt", (CATS, TECH)[number][0]))
    ]
    shown = run_opilio("judge", "samples", *like, "--set", TERMS_ALONE[0], folder=folder, COLUMNS="80")
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "different things" in " ".join(shown.stdout.split())
    facts = json.loads(run_opilio("judge", "samples", *like, "--set", TERMS_ALONE[0], "--json", folder=folder).stdout)
    assert [text["language"] for text in facts["texts"]] == ["en", "en"]
    assert facts["judges"][0]["judge"] == "topic"
    assert len(facts["warnings"]) == 1


def test_a_judge_of_ones_own_may_say_nothing() -> None:
    class Own(opilio.Judge):
        def judge(self, page: opilio.Page) -> opilio.Verdict:
            return opilio.Verdict(float(bool(page.text)), belongs=True)

    assert Own().judge(page("x")).belongs
    assert list(Own().describe()) == []
