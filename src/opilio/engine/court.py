"""Hands pages to the pool for judging, and keeps all copies of the judge the same.

The owner's own copy watches what was judged. When it has a new calibration, or the operator has moved a threshold, the
pool gets the new state: pages handed in before are judged by the old state, later ones by the new state. A pool that works in
this process uses the owner's copy itself.
"""

from typing import Final

from msgspec.structs import replace

from opilio.core.config import Config
from opilio.core.items import Gleaned, Page, Verdict
from opilio.core.languages import list_languages
from opilio.core.plugin import Context
from opilio.judge import InLanguage, Judge, Language, build_judge

from .pool import Pool, Setup
from .work import Order

_JUDGE_TABLES: Final = ("judge", "corpus")  # the tables of settings that a judge is built from


class Court:
    """`fixed` means that the judge is an object of the caller's, which no setting can change."""

    def __init__(self, judge: Judge, pool: Pool, setup: Setup, context: Context, *, fixed: bool = False) -> None:
        self.judge = judge
        self._pool = pool
        self._setup = setup
        self._context = context
        self._fixed = fixed
        self._unsaved = setup.state not in (None, context.state)
        self._watched = False

    @property
    def goes_by(self) -> str:
        """Says in a few words what decides whether a page belongs."""
        only = self._setup.config.corpus.only
        language = f"the language ({list_languages(only)})" if only else ""
        if isinstance(self.judge, Language) and language:
            return language
        alone = self.judge.alone if isinstance(self.judge, InLanguage) else self.judge
        name = type(alone).__name__ if self._fixed else str(self._setup.config.judge.get("name"))
        count = len(self._context.samples)
        samples = f"your {count:,} samples" if count > 1 else "your sample"
        said = f"{samples} (judge {name})" if count else f"the judge {name}"
        return f"{language} and {said}" if language else said

    async def run(self, task: Order, *, proven: bool = True) -> Gleaned:
        return await self._pool.run(task, proven=proven)

    def watch(self, page: Page, verdict: Verdict) -> None:
        self._watched = True
        if self.judge.watch(page, verdict):
            self._renew(self._setup.config)

    def teach(self, page: Page, belongs: bool) -> bool:
        """Tells the judge what the operator says of a page. Returns whether it has learned from it."""
        learned = self.judge.teach(page, belongs)
        if learned:
            self._renew(self._setup.config)
        return learned

    def retune(self, config: Config) -> None:
        """Changes to other settings. Raises, before anything has changed, if no judge can be built from them."""
        if self._fixed or all(getattr(config, table) == getattr(self._setup.config, table) for table in _JUDGE_TABLES):
            return
        same = config.judge.get("name") == self._setup.config.judge.get("name")
        state = self.judge.state() if same else None
        self.judge = build_judge(self._context._replace(config=config, state=state))
        self._renew(config)

    def save(self, *, ending: bool = False) -> bytes | None:
        """Returns the judge's state, or None if there is nothing to save. What it has seen since the last calibration is
        saved only at the end of a run. A kill loses that, which is at most half of what the next calibration would have
        used."""
        if ending and self._watched:
            self._setup = replace(self._setup, state=self.judge.state())
            self._unsaved = True
        unsaved, self._unsaved = self._unsaved, False
        return self._setup.state if unsaved else None

    async def close(self) -> None:
        await self._pool.close()

    def _renew(self, config: Config) -> None:
        state = self.judge.state()
        self._setup = replace(self._setup, config=config, state=state)
        self._unsaved = state is not None
        if not self._fixed:
            self._pool.renew(self._setup, self.judge)
