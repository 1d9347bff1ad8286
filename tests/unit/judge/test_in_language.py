"""The filter by language in front of any judge."""

from typing import Any

import pytest
from msgspec.structs import replace

from opilio.core.config import load_config
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context, Sample
from opilio.judge import InLanguage, Judge, Language, Perplexity, Topical, build_judge
from opilio.judge.in_language import asks_for_language
from tests.builders import demo_texts, page

GERMAN = page("Text", language="de", language_confidence=0.9)
OTHERS = [
    replace(GERMAN, language="en", language_confidence=0.8),
    replace(GERMAN, language="", language_confidence=0.0),
    replace(GERMAN, language_confidence=0.3),
]
ONLY_GERMAN = 'corpus.languages=["german"]'
SAMPLES = tuple(Sample(str(number), text) for number, text in enumerate(demo_texts("cats.de")[:3]))


class Content(Judge):
    """Says yes to everything, and remembers what it was shown."""

    def __init__(self, *, belongs: bool = True) -> None:
        self.belongs = belongs
        self.shown: list[Any] = []

    def judge(self, page: Page) -> Verdict:
        score = 0.8 if self.belongs else 0.2
        return Verdict(score, self.belongs, (Opinion("content", score, "as always"),))

    def watch(self, page: Page, verdict: Verdict) -> bool:
        self.shown.append((page.language, verdict.score))
        return True

    def teach(self, page: Page, belongs: bool) -> bool:
        self.shown.append((page.language, belongs))
        return True

    def state(self) -> bytes:
        return b"what it knows"


def judge_of(
    *settings: str, own: Judge | None = None, recipe: str = "breadth-first", state: bytes | None = None
) -> Judge:
    config = load_config(recipe=recipe, settings=['corpus.like=["samples"]', *settings])
    return build_judge(Context(config, None, SAMPLES, state), own)


def test_a_page_in_another_language_does_not_belong_whatever_the_judge_says() -> None:
    judge = judge_of(ONLY_GERMAN, own=Content())
    assert judge.judge(GERMAN).belongs
    assert [judge.judge(other).belongs for other in OTHERS] == [False, False, False]
    assert not judge_of(ONLY_GERMAN, own=Content(belongs=False)).judge(GERMAN).belongs


def test_a_page_in_a_wanted_language_has_the_score_that_the_judge_gives() -> None:
    judge = judge_of(ONLY_GERMAN, own=Content())
    assert judge.judge(GERMAN).score == 0.8
    assert judge.judge(OTHERS[0]).score == pytest.approx(0.8 * 0.2)


def test_the_reason_names_the_language_first() -> None:
    opinions = judge_of(ONLY_GERMAN, own=Content()).judge(GERMAN).opinions
    assert [(opinion.judge, opinion.reason) for opinion in opinions] == [
        ("language", "de (0.90); wanted: de"),
        ("content", "as always"),
    ]


def test_without_languages_and_where_others_are_welcome_there_is_no_filter() -> None:
    own = Content()
    assert judge_of(own=own) is own
    assert judge_of(ONLY_GERMAN, "corpus.other_languages=true", own=own) is own


def test_a_crawl_without_a_focus_gets_the_language_as_its_judge() -> None:
    judge = judge_of(ONLY_GERMAN)
    assert isinstance(judge, Language)
    assert judge.judge(GERMAN).belongs
    assert not judge.judge(OTHERS[0]).belongs


def test_a_judge_that_asks_for_the_language_itself_is_not_asked_twice() -> None:
    parts = 'judge.parts=[{name="language"}, {name="everything"}]'
    for settings in (("judge.name=language",), ("judge.name=all-of", parts)):
        assert not isinstance(judge_of(ONLY_GERMAN, *settings), InLanguage)
    assert isinstance(judge_of(ONLY_GERMAN, own=Content()), InLanguage)
    assert not asks_for_language({"name": "any-of", "parts": [{"name": "language"}]}, ["de"])


@pytest.mark.parametrize("languages", ['["en"]', '["de", "English"]'])
def test_a_judge_that_asks_for_other_languages_is_filtered_too(languages: str) -> None:
    parts = f'judge.parts=[{{name="language", languages={languages}}}, {{name="everything"}}]'
    for settings in (("judge.name=language", f"judge.languages={languages}"), ("judge.name=all-of", parts)):
        judge = judge_of(ONLY_GERMAN, *settings)
        assert [judge.judge(other).belongs for other in OTHERS] == [False, False, False]


def test_a_judge_that_asks_for_some_of_the_languages_is_not_asked_twice() -> None:
    judge = judge_of('corpus.languages=["de", "en"]', "judge.name=language", 'judge.languages=["German"]')
    assert not isinstance(judge, InLanguage)


class Empty(Content):
    """A judge that has the length of what it holds."""

    def __len__(self) -> int:
        return 0


def test_a_judge_of_the_callers_own_counts_even_if_it_is_empty() -> None:
    own = Empty()
    assert judge_of(own=own) is own


@pytest.mark.parametrize(("recipe", "kind"), [("learned", Topical), ("perplexity", Perplexity)])
def test_the_judge_behind_it_keeps_its_state_its_bounds_and_its_probabilities(recipe: str, kind: type[Judge]) -> None:
    judge = judge_of(ONLY_GERMAN, recipe=recipe)
    assert isinstance(judge, InLanguage)
    alone = judge.alone
    assert isinstance(alone, kind)
    assert (judge.gives_probabilities, judge.compares_words, judge.reads_markup) == (True, True, False)
    assert (judge.state(), judge.bounds()) == (alone.state(), alone.bounds())
    assert type(judge_of(recipe=recipe, state=judge.state())) is kind
    assert next(account.judge for account in judge.describe()) == "language"


def test_a_threshold_is_that_of_the_judge_behind_it() -> None:
    strict = judge_of(ONLY_GERMAN, "judge.threshold=0.99", recipe="learned")
    reasons = [opinion.reason for opinion in strict.judge(GERMAN).opinions]
    assert "0.99 is needed" in reasons[1]


def test_the_judge_behind_it_learns_from_every_page_and_from_the_operator() -> None:
    own = Content()
    judge = judge_of(ONLY_GERMAN, own=own)
    for met in (GERMAN, OTHERS[0]):
        assert judge.watch(met, judge.judge(met))
    assert judge.teach(OTHERS[0], belongs=True)
    assert own.shown == [("de", 0.8), ("en", 0.8), ("en", True)]
