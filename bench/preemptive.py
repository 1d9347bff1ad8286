"""Downloads for the same number of relevant pages: links judged before the download, against pages judged after it.

It runs on a made web, for its two largest topics; pages with their labels are relevant. All crawlers share one judge, a
classifier that was trained on labelled pages of the web (a seventh of those of the topic, so that most are new to it);
they begin at the same page and stop after twice as many fetches as there are relevant pages. A *depth* is what it takes
to get a twentieth of these. What `preemptive` fetches before it knows enough counts like everything else.

The published skyline takes the links of pages that belong as they come, here by chance. Our recipe `skyline` follows
links of the best pages first, which is stronger; so both are there. The goal is about whichever needs fewer downloads, of
these two and breadth first. Five more crawlers show what the parts of `preemptive` are worth: the eight features as
published, the kinds of weights on their own, a shorter start, and a start in the order of our skyline.
"""

import tempfile
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from opilio.core.config import load_config
from opilio.lab.labels import Labels, read_labels
from opilio.lab.layers import SETTINGS
from opilio.lab.maker import Library, Parameters, make_web
from opilio.lab.protocol import SCALES
from opilio.lab.runner import crawl
from opilio.lab.shelf import Shelf

from . import Goal, Progress, Report
from .chart import CurveChart, Panel
from .form import Cell

_PREEMPTIVE: Final = "preemptive"
_SKYLINE: Final = "skyline"
_PUBLISHED_SKYLINE: Final = "skyline as published"
_CRAWLERS: Final = {
    _PREEMPTIVE: (_PREEMPTIVE,),
    _SKYLINE: (_SKYLINE,),
    _PUBLISHED_SKYLINE: (_SKYLINE, "lead.name=commd", "policy.bounds=[1.0]"),
    "breadth first": ("breadth-first",),
    "preemptive, bootstrap of 100": (_PREEMPTIVE, "lead.bootstrap=100"),
    "preemptive, parents first": (_PREEMPTIVE, "lead.first=parents"),
    "preemptive, eight features as published": (_PREEMPTIVE, "lead.weights=frequencies"),
    "preemptive, contrast alone": (_PREEMPTIVE, "lead.weights=contrast"),
    "preemptive, odds alone": (_PREEMPTIVE, "lead.weights=odds"),
}
_RIVALS: Final = (_SKYLINE, _PUBLISHED_SKYLINE, "breadth first")
_TOPICS: Final = 2
_LABELLED_PART: Final = 7  # one page of the topic in this many, and as many others
_DEPTHS: Final = 20
_CHART_CRAWLERS: Final = 4  # crawlers in the chart
_COLUMNS: Final = (
    "topic",
    "R",
    "crawler",
    "fetched",
    "relevant",
    "for R/4",
    "for R/2",
    "for 3R/4",
    "fewer than skyline",
)


class Web(NamedTuple):
    shelf: Shelf
    labels: Labels


Story = list[int]  # how many relevant pages there were after each download


def run(pages: int = 30_000, seed: int = 7, progress: Progress | None = None) -> Report:
    """`seed`: the seed of the web, and of what is drawn from it."""
    stories: dict[tuple[str, str], Story] = {}
    with tempfile.TemporaryDirectory(prefix="opilio-preemptive-") as name:
        folder = Path(name)
        make_web(
            folder / "web.warc.gz", Parameters(pages=pages, domains=max(pages // 100, 12), seed=seed), Library.find()
        )
        shelf = Shelf(folder / "web.warc.gz")
        web = Web(shelf, read_labels(folder / "web.labels.tsv", shelf))
        topics = _largest(web.labels)
        for topic in topics:
            for crawler in _CRAWLERS:
                stories[topic, crawler] = _explore(web, topic, crawler, seed)
                if progress is not None:
                    progress(len(stories), len(topics) * len(_CRAWLERS))
    sizes = {topic: len(web.labels.topics[topic]) for topic in topics}
    return Report(
        "preemptive",
        _COLUMNS,
        [_row(topic, sizes[topic], crawler, stories) for topic, crawler in stories],
        [_goal(topic, sizes[topic], stories) for topic in topics],
        ["for R/4, R/2, 3R/4: downloads until that many relevant pages were there. preemptive saves: of those for R/2"],
        _chart(sizes, stories),
    )


def _largest(labels: Labels) -> list[str]:
    """Returns the largest of the first-level topics."""
    first = [topic for topic in labels.topics if topic.startswith("topic.") and topic.count(".") == 1]
    return sorted(first, key=lambda topic: (-len(labels.topics[topic]), topic))[:_TOPICS]


def _explore(web: Web, topic: str, crawler: str, seed: int) -> Story:
    recipe, *own = _CRAWLERS[crawler]
    relevant = web.labels.relevant(topic)
    random = Random(seed)
    yes = random.sample(web.labels.topics[topic], len(relevant) // _LABELLED_PART)
    no = random.sample(sorted(web.labels.labelled - relevant), len(yes))
    settings = [*SETTINGS, f"stop.pages={2 * len(relevant)}", f"crawl.seed={seed}"]
    settings += [*(SCALES[recipe](len(relevant)) if recipe in SCALES else ()), *own]
    with tempfile.TemporaryDirectory(prefix="opilio-preemptive-") as name:
        if recipe in (_PREEMPTIVE, _SKYLINE):
            settings += [
                _labelled(web.shelf, Path(name) / "positive", yes),
                _labelled(web.shelf, Path(name) / "negative", no),
            ]
        config = load_config(recipe=recipe, settings=settings)
        trace = crawl(config, Path(name), web.shelf, (yes[0],), None, None)
    return list(accumulate(one.url in relevant for one in trace.downloads))


def _labelled(shelf: Shelf, folder: Path, urls: Sequence[str]) -> str:
    """Saves them as files and returns the setting that names these."""
    folder.mkdir()
    for number, url in enumerate(urls):
        (folder / f"{number:04}.html").write_bytes(shelf.body(url))
    return f'judge.{folder.name}=["{folder}"]'


def _downloads(story: Story, relevant: float) -> int | None:
    """Counts the downloads until that many relevant pages were found; None if that never happened."""
    return next((number + 1 for number, found in enumerate(story) if found >= relevant), None)


def _saved(story: Story, other: Story, relevant: float) -> float | None:
    """Returns the share of the other's downloads that this crawler saves; negative if it needs more."""
    here, there = _downloads(story, relevant), _downloads(other, relevant)
    return 1 - here / there if here and there else None


def _row(topic: str, size: int, crawler: str, stories: dict[tuple[str, str], Story]) -> list[Cell]:
    story = stories[topic, crawler]
    quarters = [_downloads(story, size * part / 4) for part in (1, 2, 3)]
    saved = _saved(stories[topic, _PREEMPTIVE], story, size / 2)
    return [topic, size, crawler, len(story), story[-1], *quarters, saved]


def _goal(topic: str, size: int, stories: dict[tuple[str, str], Story]) -> Goal:
    """Compares with the rival that needs the fewest downloads; one that never gets that far needs more than any."""
    needed = {rival: _downloads(stories[topic, rival], size / 2) for rival in _RIVALS}
    rival = min(_RIVALS, key=lambda name: needed[name] or len(stories[topic, name]) + 1)
    saved = _saved(stories[topic, _PREEMPTIVE], stories[topic, rival], size / 2)
    return Goal(f"{topic}, downloads for half of its pages", saved or 0.0, 0.25, f"fewer than {rival}")


def _chart(sizes: dict[str, int], stories: dict[tuple[str, str], Story]) -> CurveChart:
    def panel(topic: str) -> Panel:
        depth = sizes[topic] / _DEPTHS
        curves = {crawler: _per_depth(stories[topic, crawler], depth) for crawler in list(_CRAWLERS)[:_CHART_CRAWLERS]}
        title = f"{topic}: downloads for each {depth:.0f} of its {sizes[topic]:,} pages"
        return Panel(title, "downloads", tuple((crawler, points) for crawler, points in curves.items() if points))

    return CurveChart("Judged before or after the download", "depth", tuple(panel(topic) for topic in sizes))


def _per_depth(story: Story, size: float) -> tuple[tuple[float, float], ...]:
    ends = [_downloads(story, depth * size) for depth in range(1, _DEPTHS + 1)]
    reached = [0, *(end for end in ends if end is not None)]
    return tuple((float(depth), float(end - start)) for depth, (start, end) in enumerate(pairwise(reached), 1))
