"""A web in which relevant pages are behind irrelevant ones: clusters on a topic, connected only by hubs that are not on
it.

Rules: no cluster links to another; a hub's text is as far from the topic as that of any other page outside the
clusters. A hub can be recognised by its path, by the list in which links to it are, and by what it leads to. All
numbers are in docs/made-webs.md and were fixed before the first crawl.

Invariant: every page of every cluster can be reached from any other. The same seed and texts give the same bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import count, cycle, repeat
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from opilio.keep import payload_digest, response_record

from .draw import Draw
from .library import Library
from .passage import Passage
from .write import web_files

CLUSTERS: Final = 20
_CLUSTER_PAGES: Final = 15
_OTHER_PAGES: Final = 2_640
_HOSTS: Final = 30
_NEAR_LINKS, _FAR_LINKS = 5, 20  # links of a relevant page into its cluster, and to pages off the topic
_HUB_STEPS: Final = ((1, 2), (4, 5), (7, 8))  # for each hub of a cluster: how many clusters ahead its targets are
_ENTRANCES: Final = 2  # pages of a cluster that a hub links to
_PAGE_LINKS: Final = 30  # links of a hub or another page off the topic
_RECORDED_TIME: Final = "2026-01-01T00:00:00Z"
_LANGUAGE: Final = "en"

Kind = Literal["relevant", "hub", "other"]


class Page(NamedTuple):
    number: int
    kind: Kind
    cluster: int  # 0 for pages that have none
    text: Passage

    @property
    def url(self) -> str:
        folder = "lists" if self.kind == "hub" else "texts"
        return f"https://www.mw--tunnel{self.number % _HOSTS:02}.com/{folder}/{self.number}"

    @property
    def labels(self) -> list[str]:
        return ["topic", f"cluster.{self.cluster + 1:02}"] if self.kind == "relevant" else [f"off.{self.kind}"]


class Tunnel:
    def __init__(self, library: Library, seed: int) -> None:
        self._seed = seed
        on, off = _texts(library)
        self.pages = [
            Page(number, kind, cluster, next(on if kind == "relevant" else off))
            for number, (kind, cluster) in enumerate(Draw("tunnel", seed).shuffled(_places()))
        ]
        self._clusters = [self._of("relevant", cluster) for cluster in range(CLUSTERS)]
        self._hubs = [self._of("hub", cluster) for cluster in range(CLUSTERS)]
        self._others = self._of("other", 0)

    def show(self, page: Page) -> str:
        links, hubs = self._links(page)
        paragraphs = "\n".join(f"<p>{escape(text, quote=False)}</p>" for text in page.text.paragraphs)
        title = escape(page.text.title, quote=False)
        return (
            f'<!DOCTYPE html>\n<html lang="{_LANGUAGE}"><head><meta charset="utf-8"><title>{title}</title></head>\n<body>'
            f'<div class="text"><h1>{title}</h1>\n{paragraphs}\n</div>\n{_list("texts", links)}{_list("lists", hubs)}'
            "</body></html>\n"
        )

    def _links(self, page: Page) -> tuple[list[Page], list[Page]]:
        """Returns the links to texts, in random order, and those to hubs."""
        draw = Draw("tunnel", self._seed, page.number)
        if page.kind == "other":
            return _some(self._others, _PAGE_LINKS, draw), []
        if page.kind == "relevant":
            own, place = self._clusters[page.cluster], self._clusters[page.cluster].index(page)
            following = own[place + 1 :] + own[:place]
            # the next page is always among them, so that all can be reached
            near = [following[0], *_some(following[1:], _NEAR_LINKS - 1, draw)]
            hub = self._hubs[page.cluster][place % len(_HUB_STEPS)]
            return draw.shuffled([*near, *_some(self._others, _FAR_LINKS, draw)]), [hub]
        steps = _HUB_STEPS[self._hubs[page.cluster].index(page)]
        joined = [self._clusters[(page.cluster + step) % CLUSTERS] for step in steps]
        entrances = [each for cluster in joined for each in _some(cluster, _ENTRANCES, draw)]
        return draw.shuffled([*entrances, *_some(self._others, _PAGE_LINKS - len(entrances), draw)]), []

    def _of(self, kind: Kind, cluster: int) -> list[Page]:
        return [page for page in self.pages if (page.kind, page.cluster) == (kind, cluster)]


def make_tunnel(output: Path, library: Library | None = None, seed: int = 7) -> dict[str, Any]:
    """Writes the web, its labels and its seeds, and returns its figures. The seed URL is a page of the first
    cluster."""
    warc, labels, seeds = web_files(output)
    tunnel = Tunnel(library or Library.find(), seed)
    with warc.open("wb") as file:
        for page in tunnel.pages:
            body = tunnel.show(page).encode()
            headers = (("Content-Type", "text/html; charset=utf-8"),)
            file.write(response_record(page.url, _RECORDED_TIME, "", 200, headers, body, payload_digest(body), 1))
    lines = [f"{page.url}\t{label}\n" for page in tunnel.pages for label in page.labels]
    labels.write_text("".join(["url\tlabel\n", *lines]), "utf-8")
    first = next(page.url for page in tunnel.pages if (page.kind, page.cluster) == ("relevant", 0))
    seeds.write_text(f"{first}\n", "utf-8")
    relevant = CLUSTERS * _CLUSTER_PAGES
    hubs = CLUSTERS * len(_HUB_STEPS)
    return {"pages": len(tunnel.pages), "relevant": relevant, "clusters": CLUSTERS, "hubs": hubs, "hosts": _HOSTS}


def _places() -> Iterator[tuple[Kind, int]]:
    for cluster in range(CLUSTERS):
        yield from repeat(("relevant", cluster), _CLUSTER_PAGES)
        yield from repeat(("hub", cluster), len(_HUB_STEPS))
    yield from repeat(("other", 0), _OTHER_PAGES)


def _texts(library: Library) -> tuple[Iterator[Passage], Iterator[Passage]]:
    """Returns texts on the topic, and texts on the topics of other branches in turn."""
    topics = sorted(library.topics(_LANGUAGE), key=lambda topic: (-topic.weight, topic.name))
    branch = topics[0].name.partition(".")[0]
    others = [topic.name for topic in topics if topic.name.partition(".")[0] != branch]
    on = library.shelf(_LANGUAGE, topics[0].name)
    off = [library.shelf(_LANGUAGE, name) for name in others]
    return map(on.passage, count()), (shelf.passage(number // len(off)) for number, shelf in enumerate(cycle(off)))


def _some(pages: Sequence[Page], wanted: int, draw: Draw) -> list[Page]:
    """Draws different pages. Shuffling thousands for each page would take a minute."""
    if len(pages) < 10 * wanted:
        return draw.shuffled(pages)[:wanted]
    found: dict[int, Page] = {}
    while len(found) < wanted:
        page = draw.pick(pages)
        found[page.number] = page
    return list(found.values())


def _list(name: str, pages: Iterable[Page]) -> str:
    items = "\n".join(f'<li><a href="{page.url}">{escape(page.text.title, quote=False)}</a></li>' for page in pages)
    return f'<div class="{name}"><ul>\n{items}\n</ul></div>\n' if items else ""
