"""The judge that tells running text by its most frequent words."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from opilio.cli.train import train
from opilio.core.config import load_config
from opilio.core.errors import ConfigError
from opilio.core.plugin import Context, build_plugin
from opilio.judge import Judge
from opilio.model.badness import Profile, read_profile_file, write_profiles
from opilio.webs.demo import articles
from tests.builders import page

SAMPLES = Path(__file__).parents[3] / "src/opilio/demo/samples"
GERMAN = page((SAMPLES / "cat.de.txt").read_text("utf-8"), language="de")
ENGLISH = page((SAMPLES / "cat.en.txt").read_text("utf-8"))


def _judge(*settings: str, folder: Path | None = None) -> Judge:
    config = load_config(recipe="quality", settings=settings)
    judge: Judge = build_plugin("judge", config.judge, Context(config, folder))
    return judge


def test_a_wanted_language_is_told_from_another_whatever_the_identifier_says() -> None:
    judge = _judge('corpus.languages=["de"]')
    good, other = judge.judge(replace(GERMAN, language="en")), judge.judge(replace(ENGLISH, language="de"))
    assert good.belongs
    assert good.score > 0.5 > other.score
    assert not other.belongs
    assert "missing" in other.opinions[0].reason


def test_of_several_wanted_languages_the_one_that_fits_best_counts() -> None:
    judge = _judge('corpus.languages=["de", "en"]')
    assert judge.judge(GERMAN).belongs
    assert "in en" in judge.judge(ENGLISH).opinions[0].reason


def test_where_no_language_is_wanted_the_pages_own_counts() -> None:
    judge = _judge()
    assert judge.judge(GERMAN).belongs
    assert judge.judge(ENGLISH).belongs
    assert not judge.judge(replace(GERMAN, language="fr")).belongs
    nothing = judge.judge(replace(GERMAN, language="tlh"))
    assert not nothing.belongs
    assert nothing.abstains
    assert nothing.opinions[0].reason == "cannot tell, because there is no profile for tlh"


def test_the_measure_is_the_badness_and_the_score_falls_with_it() -> None:
    judge = _judge()
    verdicts = [judge.judge(replace(ENGLISH, text=text)) for text in (ENGLISH.text, ENGLISH.text[:300], "x", "")]
    measures = [verdict.opinions[0].measure or 0.0 for verdict in verdicts]
    assert measures == sorted(measures)
    assert measures[-1] == 50.0
    scores = [verdict.score for verdict in verdicts]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_the_threshold_is_a_setting_at_which_the_score_is_a_half() -> None:
    measure = _judge().judge(ENGLISH).opinions[0].measure or 0.0
    assert _judge(f"judge.threshold={measure}").judge(ENGLISH).score == pytest.approx(0.5)
    assert _judge(f"judge.threshold={measure}").judge(ENGLISH).belongs
    assert not _judge(f"judge.threshold={measure / 2}").judge(ENGLISH).belongs


def test_profiles_of_ones_own_are_found_beside_the_settings(tmp_path: Path) -> None:
    write_profiles({"tlh": Profile({"cat": (-2.0, 0.5)})}, tmp_path / "own.json")
    judge = _judge('judge.languages=["tlh"]', "judge.profiles=own.json", folder=tmp_path)
    assert judge.judge(replace(ENGLISH, text="The cat.")).belongs


def test_a_wanted_language_without_a_profile_is_refused_and_the_remedy_named() -> None:
    with pytest.raises(ConfigError, match=r"tlh.*judge train badness"):
        _judge('judge.languages=["tlh"]')
    with pytest.raises(ConfigError, match=r"judge\.threshold"):
        _judge("judge.threshold=-1")


# --- building profiles


def _train(*arguments: object) -> Result:
    return CliRunner().invoke(train, ["badness", *map(str, arguments)])


def test_a_profile_is_built_from_files_and_from_lists_and_joins_those_that_are_there(tmp_path: Path) -> None:
    texts = {code: [each.text for each in articles(f"cats.{code}")] for code in ("de", "en")}
    lists, book, output = tmp_path / "texts.json", tmp_path / "book.txt", tmp_path / "profiles.json"
    lists.write_bytes(msgspec.json.encode({"de": texts["de"]}))
    book.write_text("\n\n".join(texts["en"]), "utf-8")
    assert _train(lists, "-o", output).exit_code == 0
    done = _train(book, "-o", output, "--language", "en")
    assert done.exit_code == 0
    assert "the" in done.output
    profiles = read_profile_file(output)
    assert set(profiles) == {"de", "en"}
    assert {"die", "der"} < set(profiles["de"].words)


def test_texts_need_a_language_and_lists_a_form(tmp_path: Path) -> None:
    text, lists = tmp_path / "a.txt", tmp_path / "b.json"
    text.write_text("A sentence.")
    lists.write_text("[]")
    assert "--language" in str(_train(text, "-o", tmp_path / "out.json").exception)
    assert "b.json" in str(_train(lists, "-o", tmp_path / "out.json").exception)
