"""A web as the experiments on quality see it: every page once, with its Badness and its links.

Good targets, after the paper: over 2 KB of HTML and "not perfect duplicates of other documents", that is, no other page has
the same main text. Retained, as in the recipe `quality`: not a duplicate, 1,000 characters of main text, and a Badness
within the threshold of the page's identified language; of duplicates, the first URL is. Planted: what a made web was given
as good.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.items import Page
from opilio.judge import BadnessJudge
from opilio.lab.labels import Labels, read_labels
from opilio.lab.maker import Parameters, make_web
from opilio.lab.runner import labels_beside
from opilio.lab.shelf import Shelf

MADE_WEB: Final = "made web"
WASTE_WEB: Final = "made web of stubs and duplicates"
_WASTE: Final = ("waste=1", "farms=0", "author_links=0", "spam_links=0")  # docs/made-webs.md says why
PLAIN: Final = "fsfe-plain"
_LISTS: Final = "fsfe"  # the same sites with lists of translations: for the language of URLs only
_RECORDED_WEBS: Final = ((PLAIN, ("nl",)), (_LISTS, ()))
_STUB_BYTES: Final = 2_048
_RETAINED_CHARS: Final = 1_000


class Web(NamedTuple):
    name: str
    shelf: Shelf
    labels: Labels
    languages: dict[str, str]  # page → language, by the labels
    targets: tuple[str, ...]  # languages that crawls of the experiments want; none: no crawls for quality here


class Known(NamedTuple):
    good: bool
    retained: bool
    planted: bool
    badness: float
    links: tuple[tuple[str, float, bool], ...]  # target, boilerplate score of the block, and whether it is another host


def webs(folder: Path, pages: int, domains: int, seed: int, progress: Callable[[int, int], None]) -> Iterator[Web]:
    """Yields made webs, and the recorded ones that OPILIO_DATA has."""
    sizes = [f"pages={pages}", f"domains={domains}", f"seed={seed}"]
    made, waste = folder / "made.warc.gz", folder / "waste.warc.gz"
    make_web(made, Parameters.read(sizes), progress=progress)
    yield open_web(MADE_WEB, made, ("en", "de"))
    make_web(waste, Parameters.read([*sizes, *_WASTE]), progress=progress)
    yield open_web(WASTE_WEB, waste, ())
    for name, targets in _RECORDED_WEBS:
        recorded = Path(os.environ.get("OPILIO_DATA") or "nowhere") / f"webs/{name}.warc.gz"
        if recorded.is_file():
            yield open_web(name, recorded, targets)


def look(web: Web, progress: Callable[[int, int], None]) -> dict[str, Known]:
    """Gleans every labelled page in the order of URLs, 3 ms each."""
    judge, texts, found = BadnessJudge(), dict[str, bytes](), dict[str, Known]()
    seen = Counter[bytes]()
    addresses, planted = sorted(web.languages), web.labels.relevant("quality.good")
    for number, url in enumerate(addresses):
        page = web.shelf.page(url)
        if page is not None:
            digest = texts[url] = blake2b(page.text.encode(), digest_size=16).digest()
            known = _know(page, len(web.shelf.body(url)), judge, duplicate=digest in seen)
            found[url] = known._replace(planted=url in planted)
            seen[digest] += 1
        if number % 100 == 99:
            progress(number + 1, len(addresses))
    return {url: known._replace(good=known.good and seen[texts[url]] == 1) for url, known in found.items()}


def _know(page: Page, size_bytes: int, judge: BadnessJudge, *, duplicate: bool) -> Known:
    verdict = judge.judge(page)
    badness = verdict.opinions[0].measure
    assert badness is not None
    retained = verdict.belongs and len(page.text) >= _RETAINED_CHARS and not duplicate
    links = tuple((link.url, link.boilerplate, link.host != page.host) for link in page.links)
    return Known(size_bytes > _STUB_BYTES, retained, False, badness, links)


def open_web(name: str, path: Path, targets: tuple[str, ...]) -> Web:
    shelf = Shelf(path)
    labels = read_labels(labels_beside(path), shelf)
    languages = {}
    for topic, urls in labels.topics.items():
        code = topic.removeprefix("lang.")
        if len(code) <= 3 and (topic.startswith("lang.") or name not in (MADE_WEB, WASTE_WEB)):
            languages.update(dict.fromkeys(urls, code))
    return Web(name, shelf, labels, languages, targets)
