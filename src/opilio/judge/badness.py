"""Is the page running text in a wanted language? Decides by its Badness (see `model/badness.py`), which also filters
languages.

The profiles of the wanted languages (`corpus.languages`) are compared, and the one that fits best counts; without
wanted languages it is that of the page's identified language. A page in a language without a profile cannot be told
from noise, and does not belong.

Whether a document is retained also depends on what every crawl does: boilerplate is removed, exact duplicates and texts
shorter than `keep.min_chars` are dropped.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context
from opilio.model.badness import MOST_TOTAL, badness, profile_of, read_profiles

from .seam import Judge

NAME: Final = "badness"
_MOST_SHOWN: Final = 3  # how many missing words a reason lists


class BadnessJudge(Judge):
    """`threshold` is the Badness up to which a page belongs; 0 takes that of the language's profile, which is 10 for
    most. The score is a half at the threshold and 1 for a Badness of 0."""

    def __init__(self, languages: Sequence[str] = (), threshold: float = 0.0, profiles: Path | None = None) -> None:
        if threshold < 0:
            raise ConfigError(f"judge.threshold must be a Badness from 0 to 50, not {threshold}.")
        self._profiles = read_profiles(profiles)
        self._threshold = threshold
        self._wanted = tuple(languages)
        without = [code for code in languages if profile_of(code, self._profiles) is None]
        if without:
            raise ConfigError(
                f"there is no Badness profile for {', '.join(without)}. Build one from clean texts with `opilio judge train "
                f"badness` and name it as judge.profiles. Known: {', '.join(sorted(self._profiles))}."
            )

    @classmethod
    def build(
        cls, context: Context, *, languages: Sequence[str] = (), threshold: float = 0.0, profiles: str = ""
    ) -> "BadnessJudge":
        path = (context.folder or Path()) / profiles if profiles else None
        return cls(tuple(languages) or context.config.corpus.languages, threshold, path)

    def judge(self, page: Page) -> Verdict:
        codes = self._wanted or (page.language,)
        found = [(code, profile) for code in codes if (profile := profile_of(code, self._profiles)) is not None]
        if not found:
            why = (
                f"there is no profile for {page.language}"
                if page.language
                else "the text is too short to know its language"
            )
            return Verdict.cannot_tell(NAME, why, MOST_TOTAL)
        opinions = [
            (badness(page.prose, profile), code, self._threshold or profile.threshold) for code, profile in found
        ]
        best, code, bound = min(opinions, key=lambda one: one[0].total / one[2])
        reason = f"Badness {best.total:.1f} as text in {code}, up to {bound:g} is running text"
        if best.missing:
            reason += (
                f"; {len(best.missing)} of its most frequent words are missing: {', '.join(best.missing[:_MOST_SHOWN])}"
            )
        score = bound / (bound + best.total)
        return Verdict(score, belongs=best.total <= bound, opinions=(Opinion(NAME, score, reason, best.total),))
