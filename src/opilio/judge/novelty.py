"""Does a page say what the corpus does not have yet? By its perplexity under the language models of earlier cycles: Barbosa &
Bangalore (2011). High is good.

Perplexing is also what is not worth having: strings of letters, other languages, lists of words, a sentence over and over. So
guards come first, and a page that one of them refuses does not belong and has the score 0:
* *length*: fewer than 30 words in sentences cannot be told from chance;
* *language*: the page is not in one of the wanted languages, or of those that the corpus has so far;
* *Badness*: the frequent words of its language are missing. The bound is twice that of the judge `badness`, which decides
  about good and poor text; here the question is whether it is text at all;
* *repetition*: more than half of its sequences of four words were on the page before.

A page that passes belongs, however little of it is new: a corpus over many cycles is the sum of what was met. Its score is the
logarithm of its perplexity, as a share of that of unknown words alone. Without a model, in a first cycle, it is a half.

Invariant: a verdict depends only on the page and the model, so it is the same in every process and when it is given again.
"""

from collections.abc import Sequence
from math import log10
from pathlib import Path
from typing import Final

from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context
from opilio.model.badness import badness, profile_of, read_profiles
from opilio.model.scorer import Scorer, open_model
from opilio.model.words import to_lines

from .seam import Judge

NAME: Final = "novelty"
UNKNOWN: Final = 1e-7  # probability of a word that no model knows
LEAST_WORDS: Final = 30  # of a page in sentences; the perplexity of fewer is chance
_LEAST_CONFIDENCE: Final = 0.5  # of the language identifier, before a page is refused for its language
_LENIENCE: Final = 2.0  # times the bound of the judge `badness`
_MOST_REPETITION: Final = 0.5
_SEQUENCE: Final = 4  # words
_NO_MODEL_SCORE: Final = 0.5


class Novelty(Judge):
    """`languages` are those of which a page must have one; if there are none, any with a Badness profile will do."""

    def __init__(self, model: Scorer | None = None, languages: Sequence[str] = ()) -> None:
        self._model = model
        self._languages = tuple(languages)
        self._profiles = read_profiles()

    @classmethod
    def build(cls, context: Context, *, model: str = "", languages: Sequence[str] = ()) -> "Novelty":
        """`model` is a file of a model or a mixture; a relative path begins at the crawl's folder."""
        scorer = open_model((context.folder or Path()) / model, verify=False) if model else None
        return cls(scorer, tuple(languages) or context.config.corpus.only)

    def judge(self, page: Page) -> Verdict:
        lines = to_lines(page.text, clean=True)
        if refused := self._refusal(page, lines.split()):
            return Verdict(0.0, belongs=False, opinions=(Opinion(NAME, 0.0, f"nothing new, because {refused}"),))
        if self._model is None:
            reason = "text, and the first cycle has no model to compare it with"
            return Verdict(_NO_MODEL_SCORE, belongs=True, opinions=(Opinion(NAME, _NO_MODEL_SCORE, reason),))
        found = self._model.score(lines)
        score = min(1.0, max(0.0, log10(found.perplexity) / -log10(UNKNOWN)))
        reason = f"perplexity {found.perplexity:,.0f} under what earlier cycles found; {found.oov} of its words are new"
        return Verdict(score, belongs=True, opinions=(Opinion(NAME, score, reason, found.perplexity),))

    def _refusal(self, page: Page, words: Sequence[str]) -> str:
        """Says what is wrong with the page, or "" if nothing is."""
        if len(words) < LEAST_WORDS:
            return f"it has {len(words)} words in sentences, and {LEAST_WORDS} are needed"
        foreign = self._languages and page.language not in self._languages
        if foreign and page.language_confidence >= _LEAST_CONFIDENCE:
            return f"it is in {page.language or 'an unknown language'}, and not in {', '.join(self._languages)}"
        if unreadable := self._unreadable(page):
            return unreadable
        repeated = repeated_share(words)
        return f"{repeated:.0%} of it repeats itself" if repeated > _MOST_REPETITION else ""

    def _unreadable(self, page: Page) -> str:
        """Says why the text is not running text, by the best of the profiles. A wanted language without one is not checked."""
        codes = self._languages or (page.language,)
        profiles = [profile for code in codes if (profile := profile_of(code, self._profiles))]
        if not profiles:
            return "" if self._languages else f"{page.language or 'its language'} cannot be told from noise"
        best = min(badness(page.text, profile).total / (_LENIENCE * profile.threshold) for profile in profiles)
        return "it is not running text: frequent words are missing" if best > 1 else ""


def repeated_share(words: Sequence[str]) -> float:
    """Returns the share of sequences of four words that stand on the page before."""
    sequences = list(zip(*(words[at:] for at in range(_SEQUENCE)), strict=False))
    return 1 - len(set(sequences)) / len(sequences) if sequences else 0.0
