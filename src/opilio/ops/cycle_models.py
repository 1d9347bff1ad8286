"""The language models of cycles: Algorithm 1 of Barbosa & Bangalore (2011).

From what a cycle kept, a model is trained. Mixed with the models that guided the cycle it is the *current* mixture, the best
model of now. Of the models of the last cycles, those that together make the development text most likely are the mixture that
guides the *next* cycle.

The text of a model are the lines of the documents' main text, one for each block of the page. Menus and footers, which the
paper keeps, are the same on all pages of a site: they would make a model know them well and all pages look alike.

The *development text* are the seeds' pages of the cycle, which show what is new, and it is never trained on. If they have fewer
than 200 words, every tenth of the other documents is taken too, and kept out as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Literal, NamedTuple

from opilio.core.errors import OpilioError
from opilio.core.tables import CycleSettings
from opilio.folder import View
from opilio.folder.cycles import CyclesFolder
from opilio.judge.novelty import UNKNOWN
from opilio.keep import StoredPage
from opilio.model import LanguageModel, Mixture, Training, best_of_window, open_model, to_lines, train
from opilio.model.mixture import single_perplexities

_LEAST_WORDS: Final = 200  # of a development text
_DEVELOPMENT_STEP: Final = 10


class Texts(NamedTuple):
    """The pages of a cycle, divided: every page is development, training or neither."""

    development: list[str]  # as lines, one item for each page
    training: list[StoredPage]

    @property
    def development_words(self) -> int:
        return sum(len(lines.split()) for lines in self.development)


class Built(NamedTuple):
    """What `build_models` has written."""

    own: LanguageModel
    current: dict[int, float]  # weights by cycle
    next: dict[int, float]
    perplexity_alone: float
    perplexity_merged: float


def divide(view: View) -> Texts:
    fronts: list[str] = []
    others: list[StoredPage] = []
    for link, page in view.stored():
        if link.depth == 0:
            fronts.append(to_lines(view.documents.at(page).text, clean=True))
        elif page.drop is None:
            others.append(page)
    texts = Texts([lines for lines in fronts if lines], others)
    if texts.development_words >= _LEAST_WORDS:
        return texts
    more = [_lines(view, page) for page in others[::_DEVELOPMENT_STEP]]
    return Texts([*texts.development, *more], [page for at, page in enumerate(others) if at % _DEVELOPMENT_STEP])


def build_models(
    folder: CyclesFolder, number: int, view: View, texts: Texts, guides: Mapping[int, float], settings: CycleSettings
) -> Built:
    """Trains the model of a cycle and writes it, with both mixtures. `guides` are the weights of the models that guided it."""
    if not texts.training:
        raise OpilioError(
            f"cycle {number} kept no text to make a model of. `opilio status {folder.crawl(number).path}` says why; "
            "change crawl.toml and run the cycle again."
        )
    folder.make_models()
    training = Training(order=settings.order, smoothing=settings.smoothing, unknown=UNKNOWN)
    train((_lines(view, page) for page in texts.training), training).save(folder.model(number))
    pool = {at: _model(folder, at) for at in (*range(max(0, number + 1 - settings.window), number + 1), *guides)}
    own, development = pool[number], "\n".join(texts.development)
    guide = [Mixture([pool[at] for at in guides], list(guides.values()))] if guides else []
    current = Mixture.fit([*guide, own], development)
    chosen = _save(folder, number, "current", current, [*guides, number])
    window = [at for at in sorted(pool) if at > number - settings.window]
    best = best_of_window([pool[at] for at in window], development, settings.best)
    following = _save(folder, number, "next", best, [window[place] for place in best.chosen])
    alone, merged = single_perplexities([own, current], development)
    return Built(own, chosen, following, alone, merged)


def new_types(folder: CyclesFolder, number: int, own: LanguageModel) -> int:
    """Counts the words that no earlier model knows."""
    words = set(own.vocabulary.words())
    for earlier in range(number):
        words.difference_update(_model(folder, earlier).vocabulary.words())
    return len(words)


def _save(
    folder: CyclesFolder, number: int, kind: Literal["current", "next"], mixture: Mixture, cycles: Sequence[int]
) -> dict[int, float]:
    mixture.save(folder.mixture(number, kind), [folder.model(at) for at in cycles])
    return dict(zip(cycles, mixture.weights, strict=True))


def _model(folder: CyclesFolder, number: int) -> LanguageModel:
    model = open_model(folder.model(number), verify=False)
    assert isinstance(model, LanguageModel)
    return model


def _lines(view: View, page: StoredPage) -> str:
    return to_lines(view.documents.at(page).text, clean=True)


def measured(view: View, judge: str) -> Iterator[float]:
    """Yields what a judge has measured on each stored page, if anything."""
    opinions = chain.from_iterable(view.documents.at(page).opinions for _, page in view.stored())
    return (one.measure for one in opinions if one.judge == judge and one.measure is not None)
