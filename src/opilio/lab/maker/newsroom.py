"""The events of a news web, and the stories that its sites write about them. All numbers are in docs/made-webs.md.

Rules: an event has texts of its own for each day of its life, because news develop. A third of their sentences is for the
stories of the sites that are crawled, a third for those that are held out, and a third for what front pages say about stories.
A story is written on one day and stays as it is.

Invariant: a story depends on the seed, its site, its day and its number, whichever were asked for before.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from .draw import Draw, Pool
from .library import Library
from .passage import Passage, short_title, split_sentences

SITES: Final = 40
HELD_OUT_SITES: Final = 10
STORIES: Final = 8  # of a site on a day
KEPT_DAYS: Final = 4  # before the day itself: older stories are gone
FIRST_DAY: Final = -KEPT_DAYS - 5  # no event that lives on the first day that is shown began earlier
GUIDES: Final = 20  # of a site
_EVENTS: Final = 6  # that begin on a day
_LIFE: Final = (2, 5)  # days
_PASSAGES: Final = 12  # of an event for each day
_SENTENCES: Final = (10, 16)  # of a story
_LANGUAGE: Final = "en"
_PARTS: Final = 3
CRAWLED, HELD_OUT, TEASERS = range(_PARTS)  # whose sentences these are
_WORD: Final = re.compile(r"[^\W_]+")


class Event(NamedTuple):
    number: int
    topic: str
    first_day: int
    last_day: int
    passages: tuple[Passage, ...]

    @property
    def section(self) -> str:
        return section_of(self.topic)

    def sentences(self, day: int, part: int) -> list[str]:
        """Returns a third of what there is to say about it on a day."""
        first = (day - self.first_day) * _PASSAGES
        texts = (text for passage in self.passages[first : first + _PASSAGES] for text in passage.paragraphs)
        return [each for text in texts for each in split_sentences(text)][part::_PARTS]


class Story(NamedTuple):
    site: int
    day: int
    number: int  # of its site and day
    event: Event
    sentences: tuple[str, ...]
    teaser: str  # what lists say about it

    @property
    def id(self) -> int:
        return (self.day - FIRST_DAY) * STORIES + self.number

    @property
    def title(self) -> str:
        return short_title(self.teaser, _LANGUAGE)


class Newsroom:
    """`last_day` is the last day on which anything happens. Sites from `SITES` on are held out."""

    def __init__(self, library: Library, last_day: int, seed: int = 7) -> None:
        self._library, self._seed = library, seed
        self._used: dict[str, int] = {}  # passages of each topic
        topics = library.topics(_LANGUAGE)
        self._names = [topic.name for topic in topics]
        self._pool = Pool(range(len(topics)), [topic.weight for topic in topics])
        self.sections = sorted({section_of(name) for name in self._names})
        self.events = [self._event(day, number) for day in range(FIRST_DAY, last_day + 1) for number in range(_EVENTS)]
        self._guides = [self._guide(number) for number in range(SITES * GUIDES)]
        self.stories = cache(self._stories)
        self._texts = cache(lambda number, day, part: self.events[number].sentences(day, part))

    def guide(self, site: int, number: int) -> Passage:
        return self._guides[site * GUIDES + number]

    def alive(self, day: int) -> list[Event]:
        return [event for event in self.events if event.first_day <= day <= event.last_day]

    def about(self, event: Event, day: int) -> list[Story]:
        """Returns the day's stories about an event on the sites that are crawled."""
        return self._about(day).get(event.number, [])

    @cache  # noqa: B019 - a newsroom lives as long as its web
    def _about(self, day: int) -> dict[int, list[Story]]:
        found: dict[int, list[Story]] = {}
        for story in (one for site in range(SITES) for one in self.stories(site, day)):
            found.setdefault(story.event.number, []).append(story)
        return found

    def _stories(self, site: int, day: int) -> list[Story]:
        alive = self.alive(day)
        pool = Pool(range(len(alive)), [1 / (1 + day - event.first_day) for event in alive])
        return [self._write(site, day, number, alive, pool) for number in range(STORIES)]

    def _write(self, site: int, day: int, number: int, alive: list[Event], pool: Pool) -> Story:
        draw = Draw("story", self._seed, site, day, number)
        event = alive[pool.draw(draw)]
        texts = self._texts(event.number, day, HELD_OUT if site >= SITES else CRAWLED)
        chosen = sorted(draw.shuffled(range(len(texts)))[: draw.between(*_SENTENCES)])
        teaser = draw.pick(self._texts(event.number, day, TEASERS))
        return Story(site, day, number, event, tuple(texts[at] for at in chosen), teaser)

    def _event(self, day: int, number: int) -> Event:
        draw = Draw("event", self._seed, day, number)
        topic = self._names[self._pool.draw(draw)]
        life = draw.between(*_LIFE)
        passages = tuple(self._passage(topic) for _ in range(life * _PASSAGES))
        return Event((day - FIRST_DAY) * _EVENTS + number, topic, day, day + life - 1, passages)

    def _guide(self, number: int) -> Passage:
        return self._passage(self._names[self._pool.draw(Draw("guide", self._seed, number))])

    def _passage(self, topic: str) -> Passage:
        """Takes the next passage of a topic, which nobody else gets."""
        number = self._used.get(topic, 0)
        self._used[topic] = number + 1
        return self._library.shelf(_LANGUAGE, topic).passage(number)


def section_of(topic: str) -> str:
    return topic.partition(".")[0].lower().replace("_", "-")


def slug(title: str) -> str:
    return "-".join(_WORD.findall(title.lower())) or "untitled"


def paragraphs(sentences: tuple[str, ...], size: int = 4) -> Iterator[str]:
    for at in range(0, len(sentences), size):
        yield " ".join(sentences[at : at + size])
