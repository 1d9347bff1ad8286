"""Badness and the language of URLs on real pages; the floors only go up."""

import gzip
import json
import os
from importlib import resources
from pathlib import Path
from random import Random

import pytest

from bench.quality_signs import LEARNED, guess_languages
from opilio.lab.shelf import Shelf
from opilio.model.badness import badness, read_profiles, train_profile, write_profiles

CLEAN_FLOOR = 0.94  # of long pages in their own language that are within the threshold
FOREIGN_CEILING = 0.01  # of long pages in another language
URL_FLOOR = 0.90  # F1 by pages
STEP = 12  # one page in this many is read; all of them take half a minute
LONG_CHARS = 4_000
PROFILE_LANGUAGES = ("de", "fi", "ru", "zh")  # `opilio judge train badness` makes all of them, in five seconds


@pytest.fixture(scope="module")
def languages() -> dict[str, str]:
    folder = os.environ.get("OPILIO_DATA")
    path = Path(folder or "") / "webs" / "fsfe-plain.labels.tsv"
    if not folder or not path.exists():
        pytest.skip("OPILIO_DATA names no folder with webs/fsfe-plain.labels.tsv")
    pairs = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    return {url: language for url, language in pairs if language}


def test_long_pages_are_within_the_threshold_of_their_language_and_no_other(languages: dict[str, str]) -> None:
    shelf, profiles = Shelf(Path(os.environ["OPILIO_DATA"]) / "webs/fsfe-plain.warc.gz"), read_profiles()
    own: list[bool] = []
    foreign: list[bool] = []
    for url in sorted(languages)[::STEP]:
        page, language = shelf.page(url), languages[url]
        if page is None or len(page.prose) < LONG_CHARS or language not in profiles:
            continue
        for code in {language, "de", "en", "fr"}:
            within = badness(page.prose, profiles[code]).total <= profiles[code].threshold
            (own if code == language else foreign).append(within)
    assert len(own) > 100
    assert sum(own) / len(own) >= CLEAN_FLOOR
    assert sum(foreign) / len(foreign) <= FOREIGN_CEILING


def test_the_language_of_real_urls_is_told(languages: dict[str, str]) -> None:
    urls = sorted(languages)
    Random(1).shuffle(urls)
    assert guess_languages(urls, languages)[LEARNED][0] >= URL_FLOOR


def test_the_profiles_that_are_shipped_can_be_made_again(tmp_path: Path) -> None:
    file = Path(os.environ.get("OPILIO_DATA") or "nowhere") / "text/sentences.json.gz"
    if not file.exists():
        pytest.skip("OPILIO_DATA names no folder with text/sentences.json.gz")
    sentences = json.loads(gzip.decompress(file.read_bytes()))
    write_profiles({code: train_profile(sentences[code]) for code in PROFILE_LANGUAGES}, tmp_path / "again.json")
    shipped = (resources.files("opilio.model") / "badness.json").read_text("utf-8").replace(",\n", "\n").splitlines()
    again = (tmp_path / "again.json").read_text("utf-8").replace(",\n", "\n").splitlines()
    assert len(again) == len(PROFILE_LANGUAGES) + 2
    assert set(again) <= set(shipped)
