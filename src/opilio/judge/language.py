"""Is the page in a wanted language? The language identifier alone decides."""

from typing import Final

from opilio.core.account import Account
from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.languages import language_codes, list_languages
from opilio.core.plugin import Context

from .seam import Judge

NAME: Final = "language"


class Language(Judge):
    """`threshold` is how sure the identifier must be."""

    def __init__(self, languages: tuple[str, ...], threshold: float = 0.5) -> None:
        self._languages = frozenset(languages)
        self._threshold = threshold

    @classmethod
    def build(cls, context: Context, *, languages: tuple[str, ...] = (), threshold: float = 0.5) -> "Language":
        if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
            raise ConfigError(f"judge.threshold (how sure the identifier must be) is from 0 to 1, not {threshold!r}.")
        return cls(language_codes(languages) or _wanted(context.config), threshold)

    def judge(self, page: Page) -> Verdict:
        # Without prose there are only lists of titles, which may be in any language.
        language, sureness = (page.language, page.language_confidence) if page.prose else ("", 0.0)
        wanted = language in self._languages
        score = sureness if wanted else min(1.0 - sureness, 0.49)
        shown = f"{language} ({sureness:.2f})" if language else "its language cannot be told"
        reason = f"{shown}; wanted: {', '.join(sorted(self._languages))}"
        belongs = wanted and score >= self._threshold
        opinion = Opinion(NAME, score if language else None, reason, sureness)
        return Verdict(score, belongs=belongs, opinions=(opinion,))

    def describe(self) -> list[Account]:
        wanted = list_languages(sorted(self._languages))
        return [Account(NAME, f"a page must be in {wanted}, with a confidence of at least {self._threshold:g}")]


def _wanted(config: Config) -> tuple[str, ...]:
    if not config.corpus.languages:
        raise ConfigError(
            "the language judge needs to know which language you want: add --language, such as --language de, set "
            'corpus.languages, such as ["de"], or add --recipe breadth-first to keep pages in any language.'
        )
    return config.corpus.languages
