"""A crawl for `bench focus` and `bench languages`, and what its documents do for a language model.

Rules: pages come one after the other, and waiting takes simulated time, so what is measured is the order that the recipe
chooses. A crawl is seen as that order alone: whether a document would be kept is the judge's business, and the
published experiment counts what was downloaded.

What a model says of the held-out text can be compared between models, because the words that count are always the same:
with OOV all of them, an unknown one at the same probability in every model; without OOV those that the samples know,
whatever the model has learned since.
"""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from opilio.core.config import load_config
from opilio.core.items import Headers, Page, Seed
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import Url
from opilio.engine import Crawl
from opilio.engine.build import Blueprint, build_crawl
from opilio.engine.run import event_loop
from opilio.fetch import Fetcher
from opilio.glean import glean
from opilio.model import Training, train

from .focus_web import GERMAN, Document, LabelledWeb

RECIPES: Final = ("breadth-first", "perplexity", "language")  # the first is the unfocused one
TRAINING: Final = Training(order=5, unknown=1e-7)  # as in the recipe's judge
_SETTINGS: Final = ("crawl.workers=1",)


class Start(NamedTuple):
    """What a crawl begins with."""

    samples: Sequence[str]  # texts of the domain
    seeds: Sequence[str]  # URLs


class HeldOut:
    """Held-out sentences that stand nowhere else, since what templates repeat would be learned by heart; and the samples."""

    def __init__(self, samples: Iterable[str], held_out: Iterable[str], elsewhere: Iterable[str]) -> None:
        """All are texts as lines; `elsewhere` are those in which no held-out sentence may stand."""
        self._samples = unique(samples)
        others = unique(elsewhere) | self._samples
        self.lines = "\n".join(line for line in unique(held_out) if line not in others)
        self._domain = train(["\n".join(self._samples)], TRAINING)
        self._oov = self._domain.token_log10(self.lines)[1]

    @property
    def words(self) -> int:
        return len(self._oov)

    @property
    def oov(self) -> int:
        return int(self._oov.sum())

    def domain_perplexities(self, web: LabelledWeb) -> dict[str, float]:
        """Perplexities of the documents that have a sentence, under a model of the samples alone."""
        scores = self._domain.score_many([document.lines for document in web.documents.values()])
        return {url: score.perplexity for url, score in zip(web.documents, scores, strict=True) if score.words}

    def perplexities(self, documents: Iterable[Document]) -> tuple[float, float]:
        """Returns perplexity with and without OOV, under a model of the samples and these documents, each sentence once."""
        lines = {**self._samples, **unique(document.lines for document in documents)}
        log10 = train(["\n".join(lines)], TRAINING).token_log10(self.lines)[0]
        return float(10 ** -log10.mean()), float(10 ** -log10[~self._oov].mean())


def unique(texts: Iterable[str]) -> dict[str, None]:
    """Returns their sentences, each once, in the order in which they come."""
    return dict.fromkeys(line for text in texts for line in text.split("\n") if line)


class Point(NamedTuple):
    """How far a crawl has come. Numbers of documents and words are floats, since points are averaged."""

    tokens: float = 0.0
    documents: float = 0.0
    german_documents: float = 0.0
    german_tokens: float = 0.0
    perplexity: float = 0.0  # of the held-out text, by a model that takes all documents
    known_perplexity: float = 0.0  # without OOV
    german_perplexity: float = 0.0  # by a model that takes the German documents only
    german_known_perplexity: float = 0.0

    @property
    def german_share(self) -> float:
        return self.german_tokens / self.tokens if self.tokens else 0.0


def mean_point(points: Sequence[Point]) -> Point:
    return Point(*np.mean(points, axis=0).tolist())


def replay(
    web: Sequence[Path] | Fetcher,
    start: Start,
    recipe: str,
    tokens: int,
    read: Callable[[Page], Document | None],
    settings: Sequence[str] = (),
) -> list[Document]:
    """Returns the documents in the order of their download, until they have that many words. `read` makes a document of a
    page, or nothing of one that does not count."""
    order: list[Document] = []
    left = tokens

    def note(url: Url, depth: int, headers: Headers, body: bytes, limits: Limits, *, context: bool) -> Page | Drop:
        nonlocal left
        page = glean(url, depth, headers, body, limits, context=context)
        document = read(page) if isinstance(page, Page) and page.words else None
        if document is not None:
            order.append(document)
            left -= document.words
            if left <= 0:
                running[0].stop("enough")
        return page

    running: list[Crawl] = []
    with tempfile.TemporaryDirectory(prefix="opilio-focus-") as name:
        like = Path(name) / "samples.txt"
        like.write_text("\n\n".join(text.replace("\n", "\n\n") for text in start.samples), "utf-8")
        config = load_config(recipe=recipe, settings=[*_SETTINGS, *settings], tables=_tables(recipe, like))
        plan = Blueprint(config, Path(name), web=web, gleaner=note)
        with event_loop() as runner:
            runner.run(_crawl(plan, start.seeds, running))
    return order


def trace(documents: Sequence[Document], held_out: HeldOut, checkpoints: Iterable[int]) -> list[Point]:
    """Returns one point for each checkpoint; beyond the end of the crawl, its last one."""
    words = np.cumsum([document.words for document in documents])
    ends = [int(np.searchsorted(words, tokens)) + 1 for tokens in checkpoints]
    return [measure(documents[:end], held_out) for end in ends]


def measure(documents: Sequence[Document], held_out: HeldOut) -> Point:
    german = [document for document in documents if document.language == GERMAN]
    return Point(
        sum(document.words for document in documents),
        len(documents),
        len(german),
        sum(document.words for document in german),
        *held_out.perplexities(documents),
        *held_out.perplexities(german),
    )


async def _crawl(plan: Blueprint, seeds: Sequence[str], running: list[Crawl]) -> None:
    running.append(build_crawl(plan))
    async for _ in running[0].stream([Seed(url, "drawn") for url in seeds]):
        pass


def _tables(recipe: str, like: Path) -> Mapping[str, Any]:
    """Gives each recipe the settings that it asks for, and no others."""
    corpus: dict[str, Any] = {"perplexity": {"like": [str(like)]}, "language": {"languages": [GERMAN]}}.get(recipe, {})
    return {"corpus": corpus}
