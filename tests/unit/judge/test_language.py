"""The judge that goes by the language alone."""

import pytest
from msgspec.structs import replace

from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.plugin import Context, build_plugin
from opilio.judge import Judge
from tests.builders import page

PAGE = page("Text", language="de")


def _judge(*settings: str) -> Judge:
    config = load_config(recipe="language", settings=settings)
    judge: Judge = build_plugin("judge", config.judge, Context(config, None))
    return judge


def test_a_wanted_language_belongs_as_far_as_the_identifier_is_sure() -> None:
    judge = _judge('corpus.languages=["de", "nl"]')
    assert [judge.judge(replace(PAGE, language=code)).belongs for code in ("de", "nl", "en", "")] == [
        True,
        True,
        False,
        False,
    ]
    assert judge.judge(PAGE).score == 0.9
    assert not judge.judge(replace(PAGE, language_confidence=0.4)).belongs


def test_another_language_never_scores_like_a_wanted_one() -> None:
    judge = _judge('corpus.languages=["de"]')
    assert judge.judge(replace(PAGE, language="en", language_confidence=0.3)).score < 0.5


def test_a_text_that_has_no_known_language_is_not_voted_on() -> None:
    verdict = _judge('corpus.languages=["de"]').judge(replace(PAGE, language="", language_confidence=0.0))
    assert verdict.abstains
    assert verdict.opinions[0].reason == "its language cannot be told; wanted: de"


def test_the_judge_must_know_what_is_wanted() -> None:
    with pytest.raises(ConfigError, match=r"corpus\.languages"):
        _judge()
