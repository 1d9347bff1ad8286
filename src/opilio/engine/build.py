"""Builds a crawl from its settings: the only place that sees every stage."""

import os
from collections.abc import Container, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random
from sqlite3 import DatabaseError
from typing import Any

from msgspec.structs import replace

from opilio.core.clock import SIMULATED_START_S, Clock, SimulatedClock, SystemClock, iso_time
from opilio.core.config import NO_CUT, Config, change_config
from opilio.core.events import EventLog, Events
from opilio.core.items import Origin, Page
from opilio.core.plugin import Context, build_plugin
from opilio.core.version import __version__
from opilio.enqueue import SCHEMA as LINK_SCHEMA
from opilio.enqueue import Admission, Frontier, Listener, Politeness, QueryCounts, SqliteStore, build_policy, only_due
from opilio.fetch import ROBOTS_SCHEMA, Fetcher, RobotsCache, is_public
from opilio.fetch.address import is_literal
from opilio.folder import MARK_SCHEMA, CrawlFolder, Tally
from opilio.folder.database import Database
from opilio.folder.meta import QueueBounds
from opilio.folder.other_crawl import saved_lead
from opilio.glean import glean
from opilio.glean.pdf import readable_endings
from opilio.judge import Everything, Judge, Judging, build_judge
from opilio.keep import SCHEMA as CORPUS_SCHEMA
from opilio.keep import Corpus, CorpusShards, info_record
from opilio.lead import Lead, ParentPerplexity

from .access import build_fetcher, build_robots, check_contact, check_files
from .court import Court
from .documents import Documents
from .extraction import CorpusExtraction
from .follow import Follow
from .listeners import DropCounts, DropEvents, ForgottenLinks
from .listings import Listings
from .loop import Crawl
from .marking import Marking, Teach
from .origin import origin_of
from .pool import InlinePool, ProcessPool, Setup
from .readmission import Change, Readmission, anything, changes, refusing_settings, tell_unfollowed
from .retrial import Retrial, acquaint
from .revisits import Revisits
from .sample_languages import check_languages
from .samples import sample_reader, warn_small
from .visit import Parts
from .work import Gleaner, Workshop

SCHEMAS = (LINK_SCHEMA, ROBOTS_SCHEMA, CORPUS_SCHEMA, MARK_SCHEMA)


class Blueprint:
    """What a crawl is built from. `judge` and `lead` may be objects of the caller's own. With `web`, which is WARC files or a
    fetcher that has them open, recorded pages are replayed instead of asking the network. `gleaner` may be a faster one that
    gives the same pages. `clock` may be one in which recorded answers take time. `again` visits known pages that are
    due, and no other link."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        *,
        judge: Judging | None = None,
        lead: Lead | None = None,
        web: Sequence[Path] | Fetcher = (),
        gleaner: Gleaner = glean,
        events: Events | None = None,
        clock: Clock | None = None,
        again: bool = False,
    ) -> None:
        self.config = config
        self.folder = CrawlFolder(folder)
        self.judge = judge
        self.lead = lead
        self.web = tuple(web) if isinstance(web, Sequence) else web
        self.gleaner = gleaner
        self.events = events or Events()
        self.clock = clock
        self.again = again


def build_crawl(plan: Blueprint) -> Crawl:
    """Returns the crawl, resumed if its folder holds one. The caller holds the folder's lock."""
    check_files(plan.web)  # before a judge writes a model into the folder
    database = Database(plan.folder.database, SCHEMAS)
    if database.meta.config is None:  # the numbers of links begin anew
        plan.folder.handed.unlink(missing_ok=True)
    with ExitStack() as after_failure:
        after_failure.callback(database.close)
        try:
            crawl = _build(plan, database)
        except DatabaseError as error:
            raise database.refused(error) from error
        after_failure.pop_all()
    return crawl


def _build(plan: Blueprint, database: Database) -> Crawl:
    config, clock = _one_by_one(plan), _clock(plan, database.meta.clock_s)
    before = _refused_by(database)
    _forget_others(config, database)
    check_contact(config, recorded=bool(plan.web))
    read = sample_reader(plan.folder.path)
    samples = read(config.corpus.like)
    other_lead = partial(saved_lead, plan.folder.path)
    context = Context(config, plan.folder.path, samples, database.meta.judge, read, other_lead)
    lead = Lead.adopt(plan.lead if plan.lead is not None else build_plugin("lead", config.lead, context))
    judge = build_judge(context, plan.judge)
    mismatch = check_languages(judge, samples, config.corpus.only)
    config = _with_bounds(config, judge, lead)
    context = context._replace(config=config)
    database.meta.config, database.meta.recorded = config, bool(plan.web)
    _load_lead(lead, database.meta.lead)  # before the frontier opens, because it may report links that have ended
    store, tally = SqliteStore(database.connection), database.meta.tally
    listeners = (DropCounts(tally), DropEvents(plan.events, clock), ForgottenLinks(lead))
    frontier = _frontier(plan, config, database, clock, store, listeners)
    corpus = Corpus(database.connection, _shards(config, plan.folder, database, clock))
    corpus.recover()
    database.meta.lead_object = type(plan.lead).__name__ if plan.lead is not None else ""
    database.meta.judge_object = type(plan.judge).__name__ if plan.judge is not None else ""
    origin = origin_of(config, database.meta, clock.now())
    with_context = lead.sightings > 0 or not isinstance(judge, Everything)
    court = _court(plan, context, judge, origin, with_context=with_context)
    documents = Documents(corpus, tally)
    marking = _marking(database, frontier, documents, lead, court)
    robots = build_robots(config, database.connection)
    follow = _follow(config, lead, frontier, tally, recorded=bool(plan.web))
    database.meta.refusing = now = refusing_settings(config)
    due = [] if before is None else _due(before, now, tally)
    notes = [
        *_bring_back(due, Readmission(frontier, follow, documents, lead.sightings), robots, clock.now()),
        *tell_unfollowed(before or {}, now, store.count_unfollowed),
    ]
    fetcher = build_fetcher(config, plan.web, clock)
    parts = Parts(
        frontier, fetcher, robots, court, corpus, documents, follow,
        Listings(follow, config.scope, _recorded(fetcher) if plan.web else None), marking,
        Revisits(frontier, documents, tally), tally, clock, plan.events,
    )  # fmt: skip
    if config.crawl.event_log:
        plan.events.subscribe(EventLog(plan.folder.events.open("ab")))
    warned = (warn_small(samples) if samples else None, mismatch, _warn_endless(config, lead))
    return Crawl(config, parts, lead, database, [warning for warning in warned if warning], notes)


def _clock(plan: Blueprint, resumed_s: float) -> Clock:
    """Returns the clock of the run. That of a recorded web goes on where the last run ended."""
    if plan.clock is not None or not plan.web:
        return plan.clock or SystemClock()
    return SimulatedClock(max(SIMULATED_START_S, resumed_s))


def _frontier(
    plan: Blueprint, config: Config, database: Database, clock: Clock, store: SqliteStore, listeners: Sequence[Listener]
) -> Frontier:
    policy = build_policy(config.policy, config.stop.pages)
    policy = only_due(policy) if plan.again else policy
    random = Random(config.crawl.seed)
    frontier = Frontier(store, policy, Politeness.of(config), random, plan.folder.seen, listeners)
    frontier.open(clock.now(), store.highest(), after_kill=database.meta.clean is False, saved_s=database.meta.clock_s)
    _follow_bounds(frontier, database, clock)
    return frontier


def _marking(database: Database, frontier: Frontier, documents: Documents, lead: Lead, court: Court) -> Marking:
    """Builds the marking, and teaches the lead what was marked while nobody could tell it."""

    def teach(page: Page, belongs: bool) -> bool:
        lead.teach(page, belongs)
        return court.teach(page, belongs)

    marking = Marking(database.connection, frontier, documents, teach)
    for marked in marking.recall(database.meta.untold):
        lead.teach(*marked)
    database.meta.untold = []
    return marking


def _load_lead(lead: Lead, state: bytes | None) -> None:
    if state is not None:
        lead.load(state)
    else:
        lead.inherit()


def build_marking(
    database: Database, folder: CrawlFolder, config: Config, tally: Tally, teach: Teach, now_s: float
) -> Marking:
    """Builds just the parts of a crawl that know its pages, to mark some of one that does not run."""
    store = SqliteStore(database.connection)
    politeness, policy = Politeness.of(config), build_policy(config.policy, config.stop.pages)
    frontier = Frontier(store, policy, politeness, Random(0), folder.seen, [DropCounts(tally)])
    frontier.open(now_s, store.highest(), after_kill=False)
    corpus = Corpus(database.connection, _shards(config, folder, database, SystemClock()))
    corpus.recover()
    return Marking(database.connection, frontier, Documents(corpus, tally), teach)


def build_retrial(database: Database, folder: CrawlFolder, config: Config, own: Judging | None = None) -> Retrial:
    """Builds the parts of a crawl that know its stored pages, to judge them again by these settings, or by a judge of the
    caller's own. They are the folder's settings from then on. A judge that the folder's last run did not have begins without a
    state, and meets stored pages first."""
    saved = database.meta.config
    _forget_others(config, database)
    if saved is None or (saved.judge, saved.corpus.like) != (config.judge, config.corpus.like):
        database.meta.judge = None
    state, tally, now_s = database.meta.judge, database.meta.tally, SystemClock().now()
    read = sample_reader(folder.path)
    context = Context(config, folder.path, read(config.corpus.like), state, read)
    judge = build_judge(context, own)
    check_languages(judge, context.samples, config.corpus.only)
    marking = build_marking(database, folder, config, tally, lambda _page, _belongs: False, now_s)
    if state is None and judge.state() is not None:
        acquaint(judge, marking.documents.corpus, marking.marks, config.limits)
    database.meta.config, database.meta.judge = config, judge.state()
    plan = Blueprint(config, folder.path, judge=own)
    court = _court(plan, context, judge, origin_of(config, database.meta, now_s), with_context=False, is_stored=True)
    return Retrial(database, marking.documents, marking.frontier, marking.marks, court, tally)


def build_extraction(database: Database, folder: CrawlFolder, config: Config) -> CorpusExtraction:
    """Builds the parts of a crawl that know its corpus, to take the texts out of the stored bytes once more. Nobody is judged."""
    tally = database.meta.tally
    marking = build_marking(database, folder, config, tally, lambda _page, _belongs: False, SystemClock().now())
    plain = replace(config, judge={"name": "everything"}, corpus=replace(config.corpus, like=(), languages=()))
    workers = config.crawl.workers or os.cpu_count() or 1
    setup = Setup(plain, str(folder.path), context=False)
    return CorpusExtraction(database, marking.documents, ProcessPool(workers, setup), tally)


def _follow(config: Config, lead: Lead, frontier: Frontier, tally: Tally, *, recorded: bool) -> Follow:
    nofollow = config.scope.follow_nofollow or recorded  # replaying a recorded web burdens nobody
    counts = QueryCounts(config.scope.queries_per_path)
    alone = config.scope.max_depth == 0
    admission = build_admission(config)
    follow = Follow(frontier, lead, admission, counts, tally, nofollow=nofollow, seeds_alone=alone)
    if len(frontier):
        follow.take_up()
    return follow


def _warn_endless(config: Config, lead: Lead) -> str | None:
    if not config.stop.saturation:
        return None
    if lead.estimates:
        if config.lead.get("explore") != 0:
            return None
        return (
            "the crawl will not stop by stop.saturation: with lead.explore=0 its lead estimates nothing. Set lead.explore to "
            "0.02 or more, or stop.precision."
        )
    return (
        "the crawl will not stop by stop.saturation: its lead does not estimate what remains. Take the recipe learned, or "
        "stop.precision."
    )


def build_admission(config: Config) -> Admission:
    guard = not config.fetch.allow_private_addresses

    def refused(host: str) -> bool:
        return guard and is_literal(host) and not is_public(host.strip("[]"))

    return Admission(config.scope, config.limits.redirects, refused, readable_endings(config.limits))


def _one_by_one(plan: Blueprint) -> Config:
    """Returns the settings, with one page at a time for a recorded web and one worker, so that each such crawl is the same.
    Whoever brings a clock knows how many pages it can time at once."""
    one_by_one = plan.web and plan.config.crawl.workers == 1 and plan.clock is None
    return change_config(plan.config, ["crawl.in_flight=1"]) if one_by_one else plan.config


def _forget_others(config: Config, database: Database) -> None:
    """Deletes the state of another judge or lead, because the one that takes its place cannot use it. The same goes for the
    state of a lead that has learned with other samples, languages or signals."""
    saved = database.meta.config
    if saved is None:
        return
    if saved.judge.get("name") != config.judge.get("name"):
        database.meta.judge = None
    is_other = any(saved.lead.get(key) != config.lead.get(key) for key in ("name", "signals"))
    if is_other or (saved.corpus.like, saved.corpus.only) != (config.corpus.like, config.corpus.only):
        database.meta.lead = None


def _follow_bounds(frontier: Frontier, database: Database, clock: Clock) -> None:
    """Moves the open links where bounds or the cut were edited between two runs."""
    drawn = QueueBounds(frontier.policy.bounds, frontier.policy.cut)
    if (database.meta.bounds or drawn) != drawn:
        frontier.redraw(drawn.bounds, drawn.cut, clock.now())
    database.meta.bounds = drawn


def _refused_by(database: Database) -> dict[str, Any] | None:
    """Returns the settings by which links were refused in earlier runs, or None before the first one has begun. Older versions
    did not save them; there the settings of the last run count."""
    saved = database.meta.config
    if saved is None or database.meta.clean is None:
        return None
    return database.meta.refusing or refusing_settings(saved)


def _due(before: dict[str, Any], now: dict[str, Any], tally: Tally) -> list[Change]:
    found = changes(before, now)
    return [anything(found)] if tally.is_fruitless else found


def _bring_back(due: Sequence[Change], readmission: Readmission, robots: RobotsCache, now_s: float) -> list[str]:
    """Brings links back that settings had refused. Returns what to tell the operator."""
    notes = []
    for change in due:
        if change.forgets_robots:
            robots.forget()
        asked, back = readmission.bring_back(change, now_s)
        if not asked:
            continue
        if change.settings:
            names = f"{', '.join(change.settings)} changed"
            notes.append(f"{names}: {back:,} of {asked:,} links that were refused before are back in the queue.")
        else:
            notes.append(f"no page with text was fetched so far, so {back:,} of {asked:,} links are tried again.")
    return notes


def _shards(config: Config, folder: CrawlFolder, database: Database, clock: Clock) -> CorpusShards:
    fields = [
        ("software", f"Opilio/{__version__}"),
        ("format", "WARC File Format 1.1"),
        ("robots", "RFC 9309"),
        ("http-header-user-agent", config.user_agent),
    ]
    if config.operator.contact:
        fields.insert(1, ("operator", config.operator.contact))

    def head(name: str) -> bytes:
        return info_record(name, iso_time(clock.now()), fields, config.keep.gzip_level)

    return CorpusShards.of(database.connection, folder.path, config.keep.shard_bytes, head)


def _recorded(web: Fetcher) -> Container[str]:
    """Returns the URLs that were recorded, or none if the web does not say."""
    return web if isinstance(web, Container) else ()


def _with_bounds(config: Config, judge: Judge, lead: Lead) -> Config:
    """Takes the bounds for perplexities that the judge proposes from its samples, unless the settings have bounds."""
    bounds = judge.bounds() if isinstance(lead, ParentPerplexity) else None
    if bounds is None:
        return config
    high, medium, cut = bounds
    settings = [] if config.policy.bounds else [f"policy.bounds=[{-high}, {-medium}]"]
    if config.policy.cut == NO_CUT:
        settings.append(f"policy.cut={-cut}")
    return change_config(config, settings)


def _court(
    plan: Blueprint, context: Context, judge: Judge, origin: Origin, *, with_context: bool, is_stored: bool = False
) -> Court:
    """Builds the judge's pool. A judge or a gleaner that is an object runs in this process: objects cannot be sent to another
    one. So does one worker of a recorded web, because that is faster. Otherwise pages of the network are never read in this
    process, which has to obey signals and to ask other hosts whatever they hold."""
    config = context.config
    workers = config.crawl.workers or os.cpu_count() or 1
    setup = Setup(config, str(plan.folder.path), with_context, judge.state(), origin)
    has_objects = plan.judge is not None or plan.gleaner is not glean
    inline = has_objects or (workers == 1 and (plan.web or is_stored))
    workshop = Workshop(config, judge, context=with_context, gleaner=plan.gleaner, origin=origin)
    pool = InlinePool(workshop) if inline else ProcessPool(workers, setup)
    return Court(judge, pool, setup, context, fixed=plan.judge is not None)
