"""Signs of a good target, and of a page's language, before the download: predictions against what is known afterwards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from opilio.model.url_language import UrlLanguage, language_of_domain

from .quality_web import Known

BLOCK, BADNESS = "block around the link", "Badness of its page"
GOOD, RETAINED, PLANTED = "over 2 KB, no duplicate", "retained", "planted as good"
LEARNED, DOMAIN = "learned", "top-level domain"
_MOST_BOILERPLATE: Final = 0.5
_MOST_BADNESS: Final = 10.0


class Prediction(NamedTuple):
    precision: float
    recall: float
    f1: float


class Signs(NamedTuple):
    links: int
    across: bool  # they lead to other hosts
    bases: dict[str, float]  # what counts as good → its share of the targets
    predictions: dict[tuple[str, str], Prediction]  # predictor and what counts as good


def predict(known: Mapping[str, Known]) -> Signs:
    """Goes over all links to pages of the web on other hosts; where there are none, over those inside hosts."""
    links = [
        (other, score <= _MOST_BOILERPLATE, page.badness <= _MOST_BADNESS, *known[target][:3])
        for page in known.values()
        for target, score, other in page.links
        if target in known
    ]
    across = any(link[0] for link in links)
    facts = np.array([link[1:] for link in links if link[0] == across]).reshape(-1, 5).astype(bool)
    truths = {name: facts[:, 2 + place] for place, name in enumerate((GOOD, RETAINED, PLANTED))}
    truths = {name: good for name, good in truths.items() if good.any()}
    found = {
        (name, truth): _measure(facts[:, column], good)
        for column, name in enumerate((BLOCK, BADNESS))
        for truth, good in truths.items()
    }
    return Signs(len(facts), across, {truth: float(good.mean()) for truth, good in truths.items()}, found)


def guess_languages(urls: Sequence[str], languages: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """Returns F1 of the learned guess and of the top-level domain's; each page is guessed before it is learned from."""
    learner, pairs = UrlLanguage(), {LEARNED: list[tuple[str, str]](), DOMAIN: []}
    for url in urls:
        if url in languages:
            pairs[LEARNED].append((languages[url], learner.guess(url)))
            pairs[DOMAIN].append((languages[url], language_of_domain(url)))
            learner.learn(url, languages[url])
    return {name: _f1(found) for name, found in pairs.items() if found}


def _measure(chosen: np.ndarray, good: np.ndarray) -> Prediction:
    hits = int((chosen & good).sum())
    precision, recall = hits / max(int(chosen.sum()), 1), hits / max(int(good.sum()), 1)
    return Prediction(precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0)


def _f1(pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Returns F1 weighted by pages, and the plain mean over languages."""
    true, told = Counter(gold for gold, _ in pairs), Counter(guess for _, guess in pairs)
    hits = Counter(gold for gold, guess in pairs if gold == guess)
    scores = {language: 2 * hits[language] / (true[language] + told[language]) for language in true}
    return sum(scores[code] * count for code, count in true.items()) / len(pairs), sum(scores.values()) / len(scores)
