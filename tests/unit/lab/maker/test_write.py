"""Made webs keep what their parameters and labels promise, as a crawler would see it."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator as OtherReader

from opilio.cli.lab import lab
from opilio.core.errors import ConfigError
from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import parse, registered_domain
from opilio.fetch.recorded import RecordedWeb
from opilio.glean import glean
from opilio.lab.labels import read_labels
from opilio.lab.maker import PURE_SETTINGS, Library, Parameters, make_tunnel, make_web
from opilio.lab.maker.draw import Draw, Pool, apportion, falling
from opilio.lab.maker.engine import Engine

DOCUMENT = Path(__file__).parents[4] / "docs/made-webs.md"
SMALL = Parameters(pages=600, domains=20, seed=3)


class Made(NamedTuple):
    warc: Path
    facts: dict[str, Any]
    pages: dict[str, Page]
    sizes: dict[str, int]
    labels: dict[str, set[str]]

    def seeds(self) -> list[str]:
        return self.warc.with_name("web.seeds.txt").read_text("utf-8").split()

    def having(self, label: str) -> list[Page]:
        return [page for url, page in self.pages.items() if any(each.startswith(label) for each in self.labels[url])]

    def across(self) -> Iterator[tuple[Page, str, float]]:
        """Links from one host to another, those of farms left out, with the score of the block around them."""
        for url, page in self.pages.items():
            if "type.spam.farm" not in self.labels[url]:
                yield from ((page, link.url, link.boilerplate) for link in page.links if link.host != page.host)


def read(warc: Path, facts: dict[str, Any], *, context: bool = False) -> Made:
    labels: dict[str, set[str]] = defaultdict(set)
    for line in warc.with_name("web.labels.tsv").read_text("utf-8").splitlines()[1:]:
        url, _, label = line.partition("\t")
        labels[url].add(label)
    web, pages, sizes = RecordedWeb([warc]), {}, {}
    for href in web.urls():
        url_ = parse(href)
        assert not isinstance(url_, Drop)
        fetched = web.answer(url_)
        page = glean(url_, 0, fetched.headers, fetched.body, Limits(), context=context)
        assert isinstance(page, Page)
        pages[href], sizes[href] = page, len(fetched.body)
    return Made(warc, facts, pages, sizes, labels)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    warc = tmp_path_factory.mktemp("made") / "web.warc.gz"
    return read(warc, make_web(warc, SMALL, Library.of_demo()))


def test_there_are_as_many_pages_and_domains_as_asked_for(made: Made) -> None:
    assert len(made.pages) == made.facts["pages"] == SMALL.pages
    hosts = {page.host for page in made.pages.values()}
    assert len({registered_domain(host) for host in hosts}) == SMALL.domains < len(hosts) == made.facts["hosts"]


def test_no_name_could_belong_to_somebody(made: Made) -> None:
    """Labels with hyphens in third and fourth place are reserved, and only `xn--` is ever given away."""
    assert all(registered_domain(page.host).startswith("mw--") for page in made.pages.values())


def test_other_readers_of_warc_files_agree(made: Made) -> None:
    with made.warc.open("rb") as file:
        records = ArchiveIterator(file, record_types=WarcRecordType.response, verify_digests=False)
        assert [record.headers["WARC-Target-URI"] for record in records] == list(made.pages)
    with made.warc.open("rb") as file:
        kinds = Counter(record.rec_type for record in OtherReader(file, check_digests="raise"))
    assert kinds == {"warcinfo": 1, "response": SMALL.pages}


def test_every_link_leads_to_a_page_and_every_page_is_reached_from_the_seeds(made: Made) -> None:
    reached, todo = set[str](), made.seeds()
    assert len(todo) == SMALL.seeds
    while todo:
        url = todo.pop()
        if url not in reached:
            reached.add(url)
            todo += [link.url for link in made.pages[url].links]
    assert reached == set(made.pages)


def test_every_page_has_one_label_for_language_type_and_quality(made: Made) -> None:
    assert set(made.labels) == set(made.pages)
    for labels in made.labels.values():
        facets = Counter(label.partition(".")[0] for label in labels)
        assert (facets["lang"], facets["type"], facets["quality"]) == (1, 1, 1)


def test_the_lab_reads_the_labels_by_prefix(made: Made) -> None:
    labels = read_labels(made.warc.with_name("web.labels.tsv"), made.pages)
    assert (labels.missing, labels.malformed) == (0, 0)
    kinds = (
        "topic.cats",
        "topic.tech",
        "lang.de",
        "type.comments",
        "type.index",
        "quality.good",
        "quality.poor",
        "copy.near",
    )
    assert all(labels.relevant(kind) for kind in kinds)
    assert labels.relevant("topic.cats") > labels.relevant("topic.cats.breeds") > frozenset()


def test_good_pages_are_long_enough_for_a_corpus_and_stubs_are_not(made: Made) -> None:
    assert all(len(page.text) >= 1_000 for page in made.having("quality.good"))
    assert all(made.sizes[page.url] < 2_000 for page in made.having("quality.poor.stub"))
    assert all(made.sizes[page.url] > 2_000 for page in made.having("quality.good"))


def test_the_text_of_a_good_page_is_gleaned_without_what_stands_around_it(made: Made) -> None:
    """Menu, blogroll and footer are boilerplate to the scorer, whatever the engine."""
    for page in made.having("type.article"):
        kept = [block for block in page.blocks if block.boilerplate < 0.5]
        assert sum(block.words for block in kept if block.link_density > 0.8) <= 0.1 * page.words


def test_the_language_is_the_one_that_the_label_says(made: Made) -> None:
    good = made.having("quality.good")
    right = sum(f"lang.{page.language}" in made.labels[page.url] for page in good)
    assert right >= 0.98 * len(good)


def test_only_exact_copies_share_their_text(made: Made) -> None:
    urls: dict[str, list[str]] = defaultdict(list)
    for page in (*made.having("quality.good"), *made.having("copy.exact")):
        urls[page.text].append(page.url)
    assert all(sum("quality.good" in made.labels[url] for url in group) == 1 for group in urls.values())
    assert sum(len(group) - 1 for group in urls.values()) == len(made.having("copy.exact")) > 0


def test_a_near_copy_shares_most_sentences_with_another_page(made: Made) -> None:
    sentences = {page.url: set(page.text.replace("\n", ". ").split(". ")) for page in made.having("quality.good")}
    for page in made.having("copy.near"):
        own = sentences[page.url]
        most = max(len(own & theirs) / len(own) for url, theirs in sentences.items() if url != page.url)
        assert 0.3 < most < 1


def test_comment_pages_are_marked_as_their_engines_do(made: Made) -> None:
    assert all(any("comment" in name for name in page.classes) for page in made.having("type.comments.blog"))
    names = {name for page in made.having("type.comments") for name in page.classes}
    assert {"comment-list", "comment-thread", "comment-wrapper", "comments-content", "dsq-comment"} & names
    assert {"postbody", "postcontent"} & names


def test_poor_text_lacks_the_small_words(made: Made) -> None:
    def share(page: Page) -> float:
        words = page.text.lower().split()
        return sum(word in {"the", "of", "and", "a", "die", "der", "und"} for word in words) / len(words)

    good, salad = made.having("quality.good"), made.having("quality.poor.salad")
    assert max(map(share, salad)) < 0.06 < sum(map(share, good)) / len(good)


def test_stale_pages_say_so_in_their_headers(made: Made) -> None:
    web = RecordedWeb([made.warc])
    for page in made.pages.values():
        url = parse(page.url)
        assert not isinstance(url, Drop)
        year = int(web.answer(url).header("last-modified").split()[3])
        assert ("age.stale" in made.labels[page.url]) == (year < 2016)


def test_links_in_texts_lead_to_good_pages_more_often_than_boilerplate_does(made: Made) -> None:
    found: dict[bool, list[bool]] = defaultdict(list)
    for _, target, score in made.across():
        found[score < 0.5].append("quality.good" in made.labels[target])
    content, boilerplate = (sum(found[side]) / len(found[side]) for side in (True, False))
    assert content > 0.4 > 0.25 > boilerplate


def test_the_statistics_are_what_a_crawler_sees(made: Made) -> None:
    pages = made.pages.values()
    every = sum(link.times for page in pages for link in page.links)
    away = sum(link.times for page in pages for link in page.links if link.host != page.host)
    # Engines put a link home into the masthead besides the menu; the statistics count each page's links as planned.
    assert made.facts["links"] * 0.9 < every < made.facts["links"] * 1.15
    assert away == pytest.approx(made.facts["across_hosts"] * made.facts["links"], rel=0.02)
    assert made.facts["labels"]["quality.good"] == len(made.having("quality.good"))
    assert made.facts["in_degree"]["most"] > 10 * made.facts["in_degree"]["median"] > 0


def test_farms_are_dense(made: Made) -> None:
    farm = made.having("type.spam.farm")
    hosts = {page.host for page in farm}
    assert all(sum(link.times for link in page.links if link.host in hosts) >= 15 for page in farm)


def test_the_same_seed_gives_the_same_bytes_and_another_one_another_web(made: Made, tmp_path: Path) -> None:
    again, other = tmp_path / "again.warc.gz", tmp_path / "other.warc.gz"
    assert make_web(again, SMALL, Library.of_demo()) == made.facts
    make_web(other, Parameters(pages=600, domains=20, seed=4), Library.of_demo())
    for ending in ("warc.gz", "labels.tsv", "seeds.txt"):
        assert (tmp_path / f"again.{ending}").read_bytes() == made.warc.with_name(f"web.{ending}").read_bytes()
    assert other.read_bytes() != again.read_bytes()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(("homophily", "low", "high"), [(0.0, 0.0, 0.6), (1.0, 0.85, 1.0)])
def test_homophily_is_what_was_asked_for(homophily: float, low: float, high: float, tmp_path: Path) -> None:
    settings = Parameters(pages=800, domains=40, homophily=homophily, tongue=0.0)
    facts = make_web(tmp_path / "web.warc.gz", settings, Library.of_demo())
    assert low <= facts["same_language_and_branch"] <= high


def test_real_texts_give_many_languages_and_topics(tmp_path: Path) -> None:
    library = Library.find()
    if library.name == "demo":
        pytest.skip(f"OPILIO_DATA={os.environ.get('OPILIO_DATA', '')} has no texts for made webs")
    facts = make_web(tmp_path / "web.warc.gz", SMALL, library)
    assert len([label for label in facts["labels"] if label.startswith("lang.")]) >= 8
    assert len([label for label in facts["labels"] if label.startswith("topic.")]) >= 5


def test_the_command_makes_a_web_and_says_what_it_became(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPILIO_DATA", "")
    options = ["--pages", "400", "--domains", "20", "--set", "farms=0.2", "--quiet"]
    shown = CliRunner().invoke(lab, ["make", "-o", str(tmp_path / "web.warc.gz"), *options])
    assert shown.exit_code == 0
    assert "quality.poor.farm" in shown.stdout
    told = CliRunner().invoke(lab, ["make", "-o", str(tmp_path / "web.warc.gz"), *options, "--json"])
    assert '"pages":400' in told.stdout


def test_a_web_that_cannot_be_written_or_has_an_unknown_parameter_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPILIO_DATA", "")
    (tmp_path / "file").touch()
    for kind in (["--pages", "400", "--domains", "20"], ["--tunnel"]):
        asked = ["make", "-o", str(tmp_path / "file" / "web.warc.gz"), "--quiet", *kind]
        assert "cannot write" in str(CliRunner().invoke(lab, asked).exception)
    asked = ["make", "-o", str(tmp_path / "web.warc.gz"), "--set", "nope=1"]
    assert "Known: pages, domains," in str(CliRunner().invoke(lab, asked).exception)


def test_the_document_has_every_parameter_with_its_default() -> None:
    told: dict[str, float] = {}
    section = DOCUMENT.read_text("utf-8").partition("\n## Parameters\n")[2].partition("\n## ")[0]
    for row in re.findall(r"^\| (`[a-z_`, ]+`) \| ([\d., ]+) \|", section, re.MULTILINE):
        names, values = (re.findall(r"[a-z_.\d]+", cell) for cell in row)
        told |= dict(zip(names, map(float, values), strict=True))
    default = msgspec.structs.asdict(Parameters())
    assert told == {name: value for name, value in default.items() if not isinstance(value, str)}
    options = re.findall(r"^\| `--([a-z]+) ([a-z]+)` \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert options == [("urls", "numbers"), ("anchors", "same"), ("links", "all"), ("hosts", "pure")]


def made_with(folder: Path, *settings: str) -> Made:
    folder.mkdir(exist_ok=True)
    warc = folder / "web.warc.gz"
    parameters = Parameters.read(["pages=600", "domains=20", "seed=3", *settings])
    return read(warc, make_web(warc, parameters, Library.of_demo()), context=True)


def test_addresses_that_are_numbers_say_nothing(tmp_path: Path) -> None:
    web = made_with(tmp_path, "urls=numbers")
    assert all(re.fullmatch(r"https://[^/]+/\d*", url) for url in web.pages)
    assert len(web.pages) == 600


def test_anchors_that_are_the_same_say_nothing_nor_do_words_around_them(tmp_path: Path) -> None:
    web = made_with(tmp_path, "anchors=same")
    links = [link for page in web.pages.values() for link in page.links if urlsplit(link.url).path != "/"]
    assert {link.anchor for link in links} == {"read more"}
    # what is left are comments around their authors, and headings and dates of engines that put them into one block with links
    around = Counter(len(f"{link.before} {link.after}".replace("read more", "").split()) for link in links)
    assert around[0] > 0.8 * len(links)


def test_links_that_lead_anywhere_are_no_better_from_relevant_pages(tmp_path: Path) -> None:
    def advantage(web: Made) -> float:
        """How much more often pages about cats link pages about cats than others do."""
        cats = {page.url for page in web.having("topic.cats")}
        hits: dict[bool, list[bool]] = defaultdict(list)
        for url, page in web.pages.items():
            if "quality.good" in web.labels[url]:
                hits[url in cats] += [link.url in cats for link in page.links]
        return sum(hits[True]) / len(hits[True]) - sum(hits[False]) / len(hits[False])

    assert advantage(made_with(tmp_path / "near", "links=near")) > 0.15
    web = made_with(tmp_path / "all", "links=all")
    assert abs(advantage(web)) < 0.05
    assert reached(web) == set(web.pages)


def test_a_pure_host_has_one_language_and_topic(tmp_path: Path) -> None:
    web = made_with(tmp_path, *PURE_SETTINGS)
    told: dict[str, set[str]] = defaultdict(set)
    for page in web.having("topic"):
        told[page.host] |= {label for label in web.labels[page.url] if label.startswith(("lang.", "topic."))}
    assert told
    assert all(len(labels) == 2 for labels in told.values())


def test_where_links_are_wasted_they_lead_to_good_pages_or_to_stubs_and_copies(tmp_path: Path) -> None:
    web = made_with(tmp_path, "waste=1", "farms=0", "author_links=0", "spam_links=0")
    targets = [web.labels[target] for _, target, _ in web.across()]
    good = sum("quality.good" in labels for labels in targets)
    waste = sum(bool(labels & {"quality.poor.stub", "copy.exact"}) for labels in targets)
    assert good / len(targets) == pytest.approx(0.184, abs=0.06)
    assert good + waste > 0.93 * len(targets)  # the others are the home pages through which everything can be reached


def test_posts_link_each_other_as_often_as_they_are_told_to(tmp_path: Path) -> None:
    def share(web: Made) -> float:
        talks = {page.url for page in web.having("type.comments")}
        homes = {page.url for kind in ("type.index", "type.service") for page in web.having(kind)}
        links = [link.url for url in talks for link in web.pages[url].links if link.url not in homes]
        return sum(url in talks for url in links) / len(links)

    silent, talking = (share(made_with(tmp_path / each, f"conversation={each}")) for each in ("0", "0.72"))
    assert 1 - talking == pytest.approx((1 - 0.72) * (1 - silent), abs=0.08)
    assert talking > 0.7


def test_clusters_are_joined_by_nothing_but_hubs(tmp_path: Path) -> None:
    warc = tmp_path / "web.warc.gz"
    facts = make_tunnel(warc, Library.of_demo())
    web = read(warc, facts)
    clusters = {
        page.url: next(each for each in web.labels[page.url] if each != "topic") for page in web.having("topic")
    }
    assert Counter(Counter(clusters.values()).values()) == {15: 20}
    hubs = {page.url for page in web.having("off.hub")}
    for url, page in web.pages.items():
        leads_to = {clusters[link.url] for link in page.links if link.url in clusters}
        if url in clusters:
            assert leads_to == {clusters[url]}
            assert sum(link.url in hubs for link in page.links) == 1
        else:
            assert len(leads_to) == (2 if url in hubs else 0)
        assert url in clusters or not any(link.url in hubs for link in page.links)
    assert reached(web) >= clusters.keys() | hubs
    assert {"/lists/" in url for url in hubs} == {True}


def reached(web: Made) -> set[str]:
    """Returns the URLs that can be reached from the seeds."""
    found, ahead = set(web.seeds()), web.seeds()
    while ahead:
        new = {link.url for link in web.pages[ahead.pop()].links} & web.pages.keys() - found
        found |= new
        ahead += new
    return found


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["farm=0.1"], 'Did you mean "farms"'),
        (["farms"], "NAME=NUMBER"),
        (["farms=many"], "cannot have these parameters"),
        (["urls=letters"], "cannot have these parameters"),
        (["farms=1.2"], "between 0 and 1"),
        (["farms=0.6", "blogs=0.6"], "their sum"),
        (["pages=300"], "too small"),
        (["seeds=0"], "seeds must be at least 1"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(settings: list[str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Parameters.read(settings)


def test_a_web_is_named_like_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"does not end in \.warc\.gz"):
        make_web(tmp_path / "web.warc", SMALL)


def test_an_engine_with_an_unknown_part_is_a_bug() -> None:
    with pytest.raises(ValueError, match="cannot have the parts"):
        Engine("page\n=== sidebar\nx")


@given(st.integers(0, 5_000), st.lists(st.floats(0.001, 1_000), min_size=1, max_size=40), st.integers(0, 5))
def test_what_is_apportioned_sums_to_the_total(total: int, weights: list[float], least: int) -> None:
    total = max(total, least * len(weights))
    parts = apportion(total, weights, least)
    assert sum(parts) == total
    assert min(parts) >= least


@settings(max_examples=50)
@given(st.sets(st.integers(0, 500), min_size=1, max_size=60), st.integers(0, 500), st.integers(1, 200), st.integers())
def test_a_draw_outside_a_range_is_never_inside_it(numbers: set[int], start: int, size: int, seed: int) -> None:
    pool, draw = Pool(sorted(numbers), falling(len(numbers), 0.9)), Draw("test", seed)
    outside = numbers - set(range(start, start + size))
    for _ in range(20):
        found = pool.draw_outside(range(start, start + size), draw)
        assert found in outside if outside else found is None


def test_early_numbers_of_a_pool_are_drawn_by_their_weights() -> None:
    pool, draw = Pool(range(4), [8.0, 4.0, 2.0, 1.0]), Draw("test")
    counts = Counter(pool.draw(draw) for _ in range(15_000))
    assert [round(counts[number] / 1_000) for number in range(4)] == [8, 4, 2, 1]
