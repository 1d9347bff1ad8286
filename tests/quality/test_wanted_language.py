"""What a crawl for a language fetches and keeps, from one seed, in as many fetches as there are pages; floors only go up.

The webs are three real sites in 36 languages; labels say the language of each page. The samples are two texts of our own.
"""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

import pytest

import opilio
from opilio.folder import CrawlFolder, View

LANGUAGES: Final = ("de", "es", "fr", "it", "nl")
SEED: Final = "https://fsfe.org/index.{}.html"
ROUTERS: Final = "https://fsfe.org/activities/routers/routers.de.html"
LIKE: Final = Path(__file__).parent.parent / "fixtures" / "routers.de"
LIKE_PAGES: Final = 300
# The mean of five languages, since a word more or less on a few pages moves a single crawl by up to 0.05. Measured 0.832 and
# 0.842; German alone 0.817 and 0.841, where breadth first has 0.257 and 0.421, and the recipe `language` 0.138 and 0.427.
HARVEST_FLOOR: Final = 0.82
KEPT_FLOOR: Final = 0.95  # of those fetched that have the language; measured 0.994 and 0.972: the rest is too short
PRECISION_FLOOR: Final = 0.99  # measured 1


class Found(NamedTuple):
    fetched: list[str]
    kept: set[str]
    right: set[str]  # of the whole web


def crawl(folder: Path, web: Path, language: str, pages: int = 0, like: tuple[Path, ...] = ()) -> Found:
    labels = _labels(web)
    right = {url for url, label in labels.items() if label == language}
    options = {"language": language, "like": like, "url": SEED.format(language), "web": web, "workers": 1}
    options["pages"] = pages or len(right)
    opilio.crawl(folder, **options).to_end()  # type: ignore[arg-type]
    with View(CrawlFolder(folder)) as view:
        ended = [link for link, _ in view.links.fetched() if link.url in labels]
    return Found([link.url for link in ended], {link.url for link in ended if link.drop is None}, right)


def _labels(web: Path) -> Mapping[str, str]:
    lines = web.with_name(web.name.replace("warc.gz", "labels.tsv")).read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


@pytest.mark.parametrize("name", ["fsfe", "fsfe-plain"])
def test_a_language_alone_finds_nearly_all_that_can_be_found(name: str, schools_web: Path, tmp_path: Path) -> None:
    web = schools_web.with_name(f"{name}.warc.gz")
    harvests = []
    for language in LANGUAGES:
        fetched, kept, right = crawl(tmp_path / language, web, language)
        found = right.intersection(fetched)
        assert len(fetched) == len(right) > 300
        assert len(found & kept) / len(found) >= KEPT_FLOOR
        assert len(found & kept) / len(kept) >= PRECISION_FLOOR
        harvests.append(len(found) / len(right))
    assert fmean(harvests) >= HARVEST_FLOOR, harvests


def test_a_language_and_samples_in_it_keep_the_page_that_is_meant(schools_web: Path, tmp_path: Path) -> None:
    _, kept, right = crawl(tmp_path, schools_web.with_name("fsfe.warc.gz"), "de", LIKE_PAGES, (LIKE,))
    assert ROUTERS in kept
    assert len(kept & right) / len(kept) >= PRECISION_FLOOR
    assert len(kept) < LIKE_PAGES / 2  # not whatever is German
