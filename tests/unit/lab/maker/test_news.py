"""The news web: what is there on a day, what has changed since the day before, and what garbage is."""

from collections import Counter
from functools import cache
from pathlib import Path

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.glean import glean
from opilio.lab.maker import Library, Newsroom, NewsWeb, make_news
from opilio.lab.maker.news import SERVICES, garbage_kind, label_of
from opilio.lab.maker.newsroom import CRAWLED, HELD_OUT, HELD_OUT_SITES, KEPT_DAYS, SITES, STORIES, TEASERS, Event
from opilio.lab.maker.passage import Passage


@cache
def library() -> Library:
    return Library.of_demo()


@cache
def room() -> Newsroom:
    return Newsroom(library(), 2)


@cache
def web(day: int, garbage: float = 0.0) -> NewsWeb:
    return NewsWeb(room(), day, garbage, library=library())


def _read(there: NewsWeb, href: str) -> Page:
    url = parse(href)
    assert isinstance(url, Url)
    answer = there.answer(url)
    assert answer is not None
    page = glean(url, 0, *answer, Limits())
    assert isinstance(page, Page)
    return page


def test_a_day_has_stories_of_some_days_and_pages_that_never_change() -> None:
    counts = Counter(label_of(page) for page in web(2).pages.values())
    days = {f"day.{day}" for day in range(2 - KEPT_DAYS, 3)}
    assert {label: counts[label] for label in days} == dict.fromkeys(days, SITES * STORIES)
    assert {counts[kind] for kind in SERVICES} == {5 * SITES}
    assert counts["archive"] == KEPT_DAYS * SITES


def test_every_page_can_be_reached_from_the_front_pages() -> None:
    there = web(1)
    met, waiting = set(there.seeds[:1]), there.seeds[:1]
    while waiting:
        for link in _read(there, waiting.pop()).links:
            if link.url in there.pages and link.url not in met:
                met.add(link.url)
                waiting.append(link.url)
        if len(met) > 0.97 * len(there.pages):
            return
    raise AssertionError(f"{len(met)} of {len(there.pages)} were met")


def test_a_story_stays_as_it_is_and_front_pages_change() -> None:
    both = web(1).pages.keys() & web(2).pages.keys()
    stories = [url for url in sorted(both) if web(1).pages[url].story is not None][::40]
    for url in stories:
        assert _read(web(1), url).text == _read(web(2), url).text
    front = web(1).seeds[0]
    assert _read(web(1), front).text != _read(web(2), front).text


def test_held_out_stories_share_no_sentence_with_those_that_are_crawled() -> None:
    passage = Passage("Title", ("a",), ("One is here. Two is there. Three is far.", "Four is near. Five is gone."))
    later = Passage("Title", ("a",), ("Six is later.",))
    event = Event(0, "a.b", 3, 4, (passage, *[passage._replace(paragraphs=())] * 11, later))
    assert event.sentences(3, CRAWLED) == ["One is here.", "Four is near."]
    assert event.sentences(3, HELD_OUT) == ["Two is there.", "Five is gone."]
    assert event.sentences(3, TEASERS) == ["Three is far."]
    assert event.sentences(4, CRAWLED) == ["Six is later."]
    texts = web(1).held_out()
    assert len(texts) == HELD_OUT_SITES * STORIES
    assert all(len(text.split()) > 50 for text in texts)


def test_events_live_for_some_days_and_are_written_about_while_they_do() -> None:
    for site in range(0, SITES, 7):
        for story in room().stories(site, 1):
            assert story.event.first_day <= 1 <= story.event.last_day
            assert 2 <= story.event.last_day - story.event.first_day + 1 <= 5


def test_a_tenth_of_the_pages_are_garbage_where_that_is_asked_for() -> None:
    there = web(1, 0.1)
    bad = {url: page for url, page in there.pages.items() if page.kind == "garbage"}
    assert 0.095 < len(bad) / len(there.pages) < 0.105
    assert {garbage_kind(page.key) for page in bad.values()} == {"strings", "foreign", "words"}
    foreign = next(url for url, page in bad.items() if garbage_kind(page.key) == "foreign")
    assert _read(there, foreign).language == "de"
    front = _read(there, there.seeds[0])
    assert sum(link.url in bad for link in front.links) in (2, 3)


def test_a_day_is_written_as_a_recorded_web(tmp_path: Path) -> None:
    facts = make_news(tmp_path / "day0.warc.gz", 0, library())
    assert facts["pages"] == len(web(0).pages)
    assert facts["stories of the day"] == SITES * STORIES
    assert (tmp_path / "day0.seeds.txt").read_text("utf-8").split() == web(0).seeds
