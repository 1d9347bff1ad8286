"""The loop: lease → fetch → glean → judge → keep → lead → ack. It moves values between the stages and holds no policy.

A page's bytes are fsynced before the transaction that names them, and listeners are told of a page only after that
commit. Between two commits lie at most `commit_pages` pages or `commit_s` seconds, and little more than `in_flight` pages
are under way, apart from answers that take long: together they bound what a kill can cost.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from opilio.core.config import Config, change_config
from opilio.core.errors import ConfigError
from opilio.core.items import Gleaned, Seed
from opilio.core.tables import NO_STOP, Stop
from opilio.enqueue import ALL_KINDS, Kinds, Politeness, graded
from opilio.folder.control import ControlServer
from opilio.folder.database import Database
from opilio.folder.meta import QueueBounds
from opilio.lead import Lead

from .stopping import enough, outlook
from .visit import Judgement, Parts, Visit

_SEEN_CACHE_LINKS = 500_000  # met between two saves of the seen table
_SEEDS = 10_000  # queued at a time, which bounds the memory that they take
_COOLING = "only cooling hosts"  # the one end with links left that is not a limit of the operator's
_LOOK_S = 1.0  # the loop checks everything at least this often
_DRAIN_S = 5.0  # a stop waits this long for requests that are under way
_DOMAIN_PARTS = 4  # hosts in doubt of one registered domain get one part in this many of the requests
_DOUBT_PARTS = 16  # hosts in doubt have one part in this many of in_flight in any case, and of in_flight_bytes at most


class Crawl:
    def __init__(
        self,
        config: Config,
        parts: Parts,
        lead: Lead,
        database: Database,
        warnings: Sequence[str] = (),
        notes: Sequence[str] = (),
    ) -> None:
        self.config = config
        self.parts = parts
        self.warnings = tuple(warnings)  # what the operator should know before it starts
        self.notes = tuple(notes)  # what changed settings have brought about
        self.paused = False
        self._is_recorded = database.meta.recorded
        self._lead = lead
        self._database = database
        self._visit = Visit(parts, config)
        self._tasks: set[asyncio.Task[Gleaned | None]] = set()
        self._news = asyncio.Event()
        self._kept: list[Gleaned] = []  # since the last commit
        self._uncommitted = 0
        self._wished = False  # settings were changed since the last commit
        self._committed_s = self._started_s = parts.clock.now()
        self._seen_saved = len(parts.frontier)
        self._stop_reason = ""
        self._called_off = False
        self._failure: BaseException | None = None

    # --- from outside

    def stop(self, reason: str) -> None:
        """Ends the crawl cleanly, because somebody wants it to: requests under way are finished, and all other links wait for
        the next run."""
        self._called_off = self._called_off or not self._stop_reason
        self._run_out(reason)

    @property
    def is_called_off(self) -> bool:
        """Returns whether somebody has stopped it."""
        return self._called_off

    @property
    def is_fruitless(self) -> bool:
        """Returns whether the crawl has come to its end by itself without ever having fetched a page with a text. A limit of the
        operator's excuses it if pages were answered and links are left, since those may still lead to text."""
        tally, frontier = self.parts.tally, self.parts.frontier
        is_cut_short = self._stop_reason != _COOLING and (frontier.queued or frontier.waiting)
        return not self._called_off and tally.is_fruitless and not (tally.pages and is_cut_short)

    def control(self, message: dict[str, Any]) -> dict[str, Any]:
        """Carries out a command from the control channel, and returns the answer."""
        command = message.get("command")
        if command == "mark":
            marked = self.parts.marking.mark(str(message.get("url")), bool(message.get("belongs")), self._now())
            self.parts.events.emit(self._now(), "mark", url=marked.url, detail="yes" if marked.belongs else "no")
            self._uncommitted += 1
            self._news.set()
            return msgspec.structs.asdict(marked)
        if command == "set":
            self.change(msgspec.convert(message.get("settings", []), list[str]))
        elif command == "stop":
            self.stop("stopped by control")
        elif command in ("pause", "resume"):
            self.paused = command == "pause"
            self._news.set()
        elif command != "status":
            raise ConfigError(f'there is no command "{command}". Commands: pause, resume, stop, status, set, mark.')
        self.parts.events.emit(self._now(), "control", detail=str(command))
        return self.status()

    def change(self, settings: list[str]) -> None:
        """Changes settings for the rest of the crawl, even after it is resumed. Settings that the stages were built with
        take effect only in the next run."""
        config = change_config(self.config, settings)
        self.parts.court.retune(config)
        self.config = self._visit.config = config
        frontier = self.parts.frontier
        frontier.schedule.politeness = Politeness.of(self.config)
        drawn = QueueBounds(graded(config.policy.bounds, config.policy.step), config.policy.cut)
        if QueueBounds(frontier.policy.bounds, frontier.policy.cut) != drawn:
            frontier.redraw(drawn.bounds, drawn.cut, self._now())
            self._database.meta.bounds = drawn
        self._database.meta.config = config
        self._database.meta.changed = [*self._database.meta.changed, *settings]
        self._wished = True  # commit at once, so that whoever reads the folder, or resumes after a kill, finds them
        self._news.set()

    def commit_if_due(self) -> None:
        """Commits, if it is time to, while the stream is held up by a caller that reads the documents from the disk."""
        if self._commit_is_due():
            self._commit()

    def status(self) -> dict[str, Any]:
        tally, frontier = self.parts.tally, self.parts.frontier
        return {
            "paused": self.paused, "pages": tally.pages, "documents": tally.kept, "kept": tally.kept,
            "queued": frontier.queued, "waiting": frontier.waiting, "leased": frontier.leased, "met": len(frontier),
            "hosts": len(frontier.schedule), "size_bytes": tally.size_bytes, "tokens": tally.tokens,
            "seconds": tally.seconds + self._elapsed_s(), "drops": dict(tally.drops), **outlook(tally, self._lead),
            "goes_by": self.parts.court.goes_by, "links_by": self._lead.goes_by or f"the lead {type(self._lead).__name__}",
            "last_kept": _shown(self._visit.last_kept), "last_refused": _shown(self._visit.last_refused),
            "trouble": self._visit.trouble if tally.is_fruitless and frontier.queued else "",
        }  # fmt: skip

    # --- the loop

    async def stream(self, seeds: Sequence[Seed], control: ControlServer | None = None) -> AsyncIterator[list[Gleaned]]:
        """Crawls until there is a reason to stop. Yields after every commit, from the first, which has the seeds, to the last:
        the pages that were kept since the one before."""
        try:
            self._begin(seeds)
            if control is not None:
                await control.start()
            yield []
            while not self._over():
                self._lease()
                await self._wait()
                if self._failure is not None:
                    raise self._failure
                if self._commit_is_due():
                    yield self._commit()
            await self._drain()
            yield self._end()
        except sqlite3.DatabaseError as error:
            raise self._database.refused(error) from error
        finally:
            left = list(self._tasks)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            if control is not None:
                await control.close()
            await self.parts.court.close()
            await self.parts.fetcher.close()
            self.parts.corpus.close()
            self.parts.events.close()
            self._database.close()

    def _begin(self, seeds: Sequence[Seed]) -> None:
        if not seeds and not len(self.parts.frontier):
            raise ConfigError(
                "there is nothing to crawl. Name seeds in crawl.toml, with --seeds FILE or with --url URL."
            )
        self.parts.tally.runs += 1
        for start in range(0, len(seeds), _SEEDS):
            self.parts.follow.seeds(seeds[start : start + _SEEDS], self._now())
        self._database.meta.clean = False
        self._commit()

    def _over(self) -> bool:
        stop, tally = self._limits, self.parts.tally
        self._stop_reason = (
            self._stop_reason or tally.limit_reached(stop, self._elapsed_s()) or enough(stop, tally, self._lead)
        )
        return bool(self._stop_reason)

    @property
    def _limits(self) -> Stop:
        """Returns the operator's limits. They are those of new pages: visits to known ones end when no more is due."""
        return self.config.stop if self.parts.frontier.policy.crosses else NO_STOP

    def _run_out(self, reason: str) -> None:
        """Ends the crawl because there is nothing left to do."""
        self._stop_reason = self._stop_reason or reason
        self._news.set()

    def _room(self) -> Kinds:
        """Returns the kinds of hosts of which one more may be asked. Hosts in doubt have half as much room as proven ones, and
        less for bodies: otherwise hosts that trickle or send heavy pages would take all of it. A crawl of one page at a time, or
        of a recorded web, has no such hosts, and one room for all."""
        settings, stop = self.config.crawl, self._limits
        leases, connections = self.parts.frontier.leases, self.config.fetch.connections
        held_bytes, most_bytes = self._visit.held_bytes, settings.in_flight_bytes
        if self.paused or 0 < stop.pages <= self.parts.tally.pages + len(self._tasks):
            return ()
        if settings.in_flight == 1 or self._is_recorded:
            fits = len(self._tasks) < settings.in_flight and leases.on_wire < connections
            return ALL_KINDS if fits and sum(held_bytes.values()) <= most_bytes else ()
        most, proven, young = settings.in_flight, len(self._tasks) - leases.doubtful, leases.young(self._now())
        # Together they bound what a kill can cost; each kind has some room in any case.
        is_loose = proven + young < most
        fits = proven < most and leases.proven_on_wire < connections and (is_loose or proven < most // 2)
        others_fit = (
            leases.doubtful < connections and young < most // 2 and (is_loose or young < max(1, most // _DOUBT_PARTS))
        )
        rooms = {True: fits, False: others_fit}
        shares = {True: most_bytes // 2, False: most_bytes // _DOUBT_PARTS}
        return tuple(kind for kind, has_room in rooms.items() if has_room and held_bytes[kind] <= shares[kind])

    def _lease(self) -> None:
        """Hands out leases while there is room."""
        share = 0 if self._is_recorded else max(1, self.config.fetch.connections // _DOMAIN_PARTS)
        while (kinds := self._room()) and (lease := self.parts.frontier.lease(self._now(), kinds, share)) is not None:
            task = asyncio.create_task(self._visit.run(lease))
            self._tasks.add(task)
            task.add_done_callback(self._visited)

    def _visited(self, task: asyncio.Task[Gleaned | None]) -> None:
        self._tasks.discard(task)
        self._news.set()
        if task.cancelled():
            return
        failure = task.exception()  # is asked of each task, because asyncio complains about those that nobody asked for
        self._failure = self._failure or failure
        if self._failure is None:
            self._uncommitted += 1
            gleaned = task.result()
            self._kept += [gleaned] if gleaned is not None else []

    async def _wait(self) -> None:
        """Waits until a visit ends, a host may be asked, a commit is due, or the operator wants something."""
        frontier, clock, settings = self.parts.frontier, self.parts.clock, self.config.crawl
        ready_s = frontier.schedule.next_ready_s(self._now()) if self._room() else None
        if not self._tasks and not self.paused:
            if self._cross():
                return
            if ready_s is None or not frontier.has_more:
                self._run_out(frontier.policy.emptied)
                return
            if ready_s - self._now() > settings.max_wait_s:
                self._run_out(_COOLING)
                return
        due_s = settings.commit_s - clock.passed_s(self._committed_s) if self._uncommitted else _LOOK_S
        await clock.wait(self._news, ready_s, at_most_s=due_s, working=frontier.leases.on_wire > 0)

    def _cross(self) -> bool:
        """Queues the next wave if one is due. Returns whether the loop should go on at once."""
        frontier = self.parts.frontier
        if not frontier.at_boundary:
            return False
        if 0 < self.config.stop.layers <= self.parts.tally.layers:
            self._run_out("layers reached")
            return True
        count = self.parts.follow.boundary(self._now())
        self.parts.tally.layers += 1
        self.parts.events.emit(self._now(), "boundary", detail=f"{count} links")
        return count > 0

    # --- committing

    def _commit_is_due(self) -> bool:
        """Returns whether it is time to commit. Only real seconds count, not simulated ones: a kill loses no others."""
        settings = self.config.crawl
        if self._wished or self._uncommitted >= settings.commit_pages:
            return True
        return self._uncommitted > 0 and self.parts.clock.passed_s(self._committed_s) >= settings.commit_s

    def _commit(self) -> list[Gleaned]:
        """Syncs the shards, then commits one transaction. Returns what was kept and may now be handed to the caller."""
        if (state := self._lead.save()) is not None:
            self._database.meta.lead = state
        if (state := self.parts.court.save(ending=bool(self._stop_reason))) is not None:
            self._database.meta.judge = state
        self.parts.frontier.schedule.save()
        self.parts.corpus.sync()
        self._spend()
        self._database.meta.clock_s = self._now()
        self._database.meta.tally = self.parts.tally
        self._database.commit()
        self._committed_s, self._uncommitted, self._wished = self._now(), 0, False
        if len(self.parts.frontier) - self._seen_saved >= _SEEN_CACHE_LINKS:
            self._save_seen()
        kept, self._kept = self._kept, []
        return kept

    async def _drain(self) -> None:
        """Waits for the visits that are under way. Those that take too long go back to the queue."""
        clock, since_s = self.parts.clock, self._now()
        while self._tasks and (left_s := _DRAIN_S - clock.passed_s(since_s)) > 0 and self._failure is None:
            await clock.wait(self._news, None, at_most_s=left_s, working=self.parts.frontier.leases.on_wire > 0)
        if self._failure is not None:
            raise self._failure

    def _end(self) -> list[Gleaned]:
        self.parts.tally.stop_reason = self._stop_reason
        self.parts.events.emit(self._now(), "stop", detail=self._stop_reason)
        if not self._tasks:
            self._database.meta.clean = True
        kept = self._commit()
        self.parts.corpus.sweep(self._database.commit)
        self._save_seen()
        return kept

    def _save_seen(self) -> None:
        self.parts.frontier.save_seen()
        self._seen_saved = len(self.parts.frontier)

    def _spend(self) -> None:
        self.parts.tally.seconds += self._elapsed_s()
        self._started_s = self._now()

    def _elapsed_s(self) -> float:
        return self._now() - self._started_s

    def _now(self) -> float:
        return self.parts.clock.now()


def _shown(judgement: Judgement | None) -> dict[str, Any] | None:
    return None if judgement is None else judgement._asdict()
