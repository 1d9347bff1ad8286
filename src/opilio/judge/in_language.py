"""The filter by language: a page in another language than the wanted ones does not belong, whatever a judge says of it.

It stands in front of every judge, those of plug-ins and of callers too, if `corpus.languages` names any and
`corpus.other_languages` is false. `build_judge` is the one place that puts it there. The judge behind it keeps its own settings
and its own state, so it can be tuned, taught and saved as if it were alone, and keeps what it knows when languages change.

Rules: the judge behind it judges every page, because leads use what it measures, and `why` shows what it said; and it learns from
every page as if it were alone. A page in a wanted language has the judge's score. Any other has that score times the probability
that the language was told wrongly.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from opilio.core.account import Account
from opilio.core.items import Page, Verdict
from opilio.core.languages import known_codes
from opilio.core.plugin import Context, build_plugin

from .everything import Everything
from .language import NAME, Language
from .seam import Judge, Judging


class InLanguage(Judge):
    def __init__(self, judge: Judge, languages: Sequence[str]) -> None:
        self.alone = judge  # without the filter
        self.reads_markup = judge.reads_markup
        self.gives_probabilities = judge.gives_probabilities
        self.compares_words = judge.compares_words
        self._language = Language(tuple(languages))

    def judge(self, page: Page) -> Verdict:
        language, alone = self._language.judge(page), self.alone.judge(page)
        score = alone.score if language.belongs else alone.score * language.score
        opinions = (*language.opinions, *alone.opinions)
        return Verdict(score, language.belongs and alone.belongs, opinions, (alone,))

    def watch(self, page: Page, verdict: Verdict) -> bool:
        return self.alone.watch(page, verdict.parts[0] if len(verdict.parts) == 1 else verdict)

    def state(self) -> bytes | None:
        return self.alone.state()

    def teach(self, page: Page, belongs: bool) -> bool:
        return self.alone.teach(page, belongs)

    def describe(self) -> list[Account]:
        return [*self._language.describe(), *self.alone.describe()]

    def bounds(self) -> tuple[float, float, float] | None:
        return self.alone.bounds()


def build_judge(context: Context, own: Judging | None = None) -> Judge:
    """Builds the judge that the settings name, or takes the caller's own, and puts the filter in front of it if there is one."""
    config = context.config
    only = config.corpus.only
    judge = Judge.adopt(own if own is not None else build_plugin("judge", config.judge, context))
    if not only or (own is None and asks_for_language(config.judge, only)):
        return judge
    return Language(only) if isinstance(judge, Everything) else InLanguage(judge, only)


def asks_for_language(table: Mapping[str, Any], only: Collection[str]) -> bool:
    """Returns whether a judge, by its settings, refuses pages in other languages than these by itself."""
    if table.get("name") == NAME:  # without languages of its own, it asks for those of the corpus
        own = table.get("languages")
        return not isinstance(own, list | tuple) or set(known_codes(map(str, own))) <= set(only)
    parts = table.get("parts", ()) if table.get("name") == "all-of" else ()
    return any(asks_for_language(part, only) for part in parts if isinstance(part, Mapping))
