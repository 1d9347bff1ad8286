"""A crawl that an operator has asked for, from the command line or from Python.

A `Running` is made by `crawl` and by the other verbs that crawl (`sample`, `pilot`, `judge run`, the demo). Nothing happens
before somebody iterates over it, or calls `to_end`; from then on it holds the folder's lock until it ends. A loop that is left
early stops the crawl cleanly when the iterator is let go; one that has a name is let go by `close`, or by a `with` block.

Iterating hands out every document of the corpus that no earlier loop over this folder was given (`folder/handout.py`). While
there are any, nothing new is fetched; requests that are under way go on, and the control channel is answered.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from typing import NamedTuple, Self

from opilio.core.items import Gleaned, Record, Seed
from opilio.engine.build import Blueprint, build_crawl
from opilio.engine.loop import Crawl
from opilio.engine.run import event_loop
from opilio.folder import ControlServer, FolderLock, Handout

from .unfetched import nothing_fetched
from .watching import Watch, heed_signals, keep_ticking

Seeds = Sequence[Seed] | Callable[[Crawl], Sequence[Seed]]


class Running(Iterator[Record]):
    """A crawl that is about to run. `reason` says why it stopped, once it has."""

    def __init__(
        self,
        plan: Blueprint,
        seeds: Seeds,
        warnings: Sequence[str] = (),
        prepare: Callable[[], object] = lambda: None,
        notes: Sequence[str] = (),
    ) -> None:
        """`prepare` is called before the crawl is built, when nobody else can write to the folder any more."""
        self.folder = plan.folder
        self.warnings = list(warnings)  # what the operator should know; more may come when the crawl is built
        self.notes = list(notes)  # how the operator was understood; more may come in the same way
        self._plan = plan
        self._seeds = seeds
        self._prepare = prepare
        self._stopped: list[str] = []  # the reason
        # Lists are shared with the generator instead of this object, which would live as long as the generator.
        self._documents = _documents(plan, seeds, (self.warnings, self.notes), self._stopped, prepare)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        """Closes. If the block was left by an error, the document that it was working on is handed out again by the next call."""
        if error is None:
            self.close()
            return
        try:
            self._documents.throw(error)
        except BaseException as raised:
            if raised is not error:
                raise

    def __next__(self) -> Record:
        return next(self._documents)

    def close(self) -> None:
        """Stops the crawl, if it runs. What was kept is safe on disk."""
        self._documents.close()

    @property
    def reason(self) -> str:
        return self._stopped[0] if self._stopped else ""

    def to_end(self, watch: Watch | None = None) -> str:
        """Crawls in the foreground until there is a reason to stop, and returns it. The first Ctrl-C stops cleanly."""
        with event_loop() as runner, FolderLock(self.folder):
            self._prepare()
            self._stopped[:] = [runner.run(_to_end(self._plan, self._seeds, self.notes, watch or Watch()))]
        return self.reason


class _Started(NamedTuple):
    crawl: Crawl
    stream: AsyncIterator[list[Gleaned]]
    most_pages: int  # 0 if unknown


def _documents(
    plan: Blueprint,
    seeds: Seeds,
    told: tuple[list[str], list[str]],
    stopped: list[str],
    prepare: Callable[[], object],
) -> Generator[Record, None, None]:
    with event_loop() as runner, FolderLock(plan.folder):
        prepare()
        crawl, stream, _ = runner.run(_start(plan, seeds))
        warnings, notes = told
        warnings += crawl.warnings
        notes += crawl.notes
        try:
            with Handout(plan.folder) as handout:
                while runner.run(_advance(stream)):
                    while (document := handout.next()) is not None:
                        yield document
                        runner.run(asyncio.sleep(0))  # requests under way and the control channel get a turn
                        crawl.commit_if_due()
        finally:
            crawl.stop("left by the caller")
            while runner.run(_advance(stream)):
                pass
            stopped[:] = [crawl.parts.tally.stop_reason]
        _check_fruits(crawl, plan, seeds)


async def _start(plan: Blueprint, seeds: Seeds) -> _Started:
    crawl = build_crawl(plan)
    chosen = seeds(crawl) if callable(seeds) else seeds
    stream = crawl.stream(chosen, ControlServer(plan.folder, crawl.control))
    return _Started(crawl, stream, _most_pages(crawl, len(chosen)))


async def _advance(stream: AsyncIterator[list[Gleaned]]) -> bool:
    """Crawls until the next commit. Returns False at the end."""
    return await anext(stream, None) is not None


async def _to_end(plan: Blueprint, seeds: Seeds, notes: list[str], watch: Watch) -> str:
    crawl, stream, most_pages = await _start(plan, seeds)
    notes += crawl.notes
    watch.note(notes)
    watch.start(crawl.status, crawl.warnings, most_pages)
    ticker = asyncio.create_task(keep_ticking(watch))

    def stop() -> None:
        watch.stopping()
        crawl.stop("stopped by the operator")

    try:
        async with heed_signals(stop):
            async for _ in stream:
                pass
    finally:
        ticker.cancel()
        watch.end()
    _check_fruits(crawl, plan, seeds)
    return crawl.parts.tally.stop_reason


def _most_pages(crawl: Crawl, seeds: int) -> int:
    """Returns the most pages that the crawl can fetch, 0 if that is unknown. Without links those are its seeds, old and new."""
    limit, known = crawl.config.stop.pages, max(seeds, len(crawl.parts.frontier))
    return min(limit or known, known) if crawl.config.scope.max_depth == 0 else limit


def _check_fruits(crawl: Crawl, plan: Blueprint, seeds: Seeds) -> None:
    """Raises if the crawl has come to its end without a page. A crawl over given pages, which has no seeds, may do so."""
    if crawl.is_fruitless and not callable(seeds):
        raise nothing_fetched(plan.folder)
