"""The whole story of a URL: found where, worth what, fetched when, judged how, kept or why not. Read from the folder alone."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from opilio.core.clock import iso_time
from opilio.core.config import Config
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.core.items import Target
from opilio.core.outcome import Drop, Outcome
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.core.url import Url, fingerprint, parse
from opilio.engine.build import build_admission
from opilio.engine.samples import sample_reader
from opilio.enqueue import SqliteStore, State
from opilio.folder import CrawlFolder, read_mark
from opilio.folder.database import open_readonly
from opilio.keep import CorpusReader
from opilio.lead import Lead

from .status import used_config

_STATES = {
    State.QUEUED: "queued: not fetched yet",
    State.WAITING: "waiting for the next layer or batch",
    State.LEASED: "being fetched",
}


def story(folder: CrawlFolder, raw: str) -> Iterator[tuple[str, str]]:
    """Steps as (heading, words). Looks the URL up by its fingerprint: a scan, a second for every few million URLs."""
    url = parse(raw)
    if isinstance(url, Drop):
        yield "verdict", f"never queued: {raw!r} is no URL that can be fetched ({url})"
        return
    if url.href != raw:
        yield "URL", f"{url.href} (the canonical form of what you asked for)"
    connection = open_readonly(folder.database)
    try:
        config = used_config(connection)
        row = connection.execute("SELECT * FROM links WHERE key = ?", (fingerprint(url.href),)).fetchone()
        if row is None:
            yield from _unknown(url, config)
        else:
            yield from _known(connection, folder, config, dict(row))
    finally:
        connection.close()


def _unknown(url: Url, config: Config) -> Iterator[tuple[str, str]]:
    yield "verdict", "unknown: no page, seed or redirect of this crawl has named it"
    refused = build_admission(config).refuse(url, 0)
    yield "if it were met", f"it would be refused: {_words(refused)}" if refused else "it would be queued"


def _known(
    connection: sqlite3.Connection, folder: CrawlFolder, config: Config, row: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    yield "found", _found(connection, row)
    yield from _chain(connection, row)
    if row["drop"] is None or row["outcome"] or row["state"] != State.DONE:
        yield (
            "score",
            f"{row['score']:g}, bucket {row['bucket']}: " + "; ".join(_reasons(connection, folder, config, row)),
        )
    mark = read_mark(connection, row["id"])
    marked = [] if mark is None else [("marked", f"{'yes' if mark[0] else 'no'}, by the operator, {iso_time(mark[1])}")]
    if row["state"] != State.DONE:
        yield from marked
        yield "state", _STATES[State(row["state"])] + (f", tried {row['tries']} times" if row["tries"] else "")
        yield "its host", _host(connection, row["host"])
        return
    if row["outcome"]:
        status = f", HTTP {row['status']}" if row["status"] else ""
        yield "fetched", f"{iso_time(row['fetched_s'])}: {_words(Outcome(row['outcome']))}{status}"
    if row["judge_score"] is not None:
        yield "judged", f"{'belongs' if row['belongs'] else 'does not belong'}, score {row['judge_score']:.3f}"
    yield from marked
    yield from _ending(connection, folder, row)


def _ending(connection: sqlite3.Connection, folder: CrawlFolder, row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    detail = f" ({row['detail']})" if row["detail"] else ""
    if row["drop"] is not None:
        yield "verdict", f"not kept: {_words(Drop(row['drop']))}{detail}"
        return
    record = CorpusReader(connection, folder.path).get(row["id"])
    if record is None:
        yield "verdict", "kept, but its record is missing: the folder is damaged"
        return
    for opinion in record.opinions:
        yield f"judge {opinion.judge}", f"{opinion.score:.3f}: {opinion.reason}"
    for signal in record.signals:
        yield "rights signal", f"{signal.source}: {signal.name} {signal.value}".strip()
    yield "verdict", f"kept: “{record.title}”, {record.tokens:,} words, language {record.language or 'unknown'}"
    yield "record", f"{record.warc_record}, text {record.text_digest[:23]}…"


def _found(connection: sqlite3.Connection, row: dict[str, Any]) -> str:
    how = iso_time(row["found_s"])
    if not row["parent"]:
        return f"{how}, as a {row['anchor'] or 'seed'}"
    parent = connection.execute("SELECT url FROM links WHERE id = ?", (row["parent"],)).fetchone()[0]
    if row["hops"]:
        return f"{how}, by a redirect from {parent}"
    return f"{how}, on {parent}, link text “{row['anchor']}”"


def _chain(connection: sqlite3.Connection, row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """How far from a seed, and by which way."""
    way: list[str] = []
    parent = row["parent"]
    while parent and len(way) < 100:
        url, parent = connection.execute("SELECT url, parent FROM links WHERE id = ?", (parent,)).fetchone()
        way.append(url)
    if way:
        shown = way[::-1] if len(way) <= 6 else [*way[:-4:-1], "…", *way[1::-1]]
        yield "way", f"depth {row['depth']}: " + " → ".join(shown)


def _reasons(connection: sqlite3.Connection, folder: CrawlFolder, config: Config, row: dict[str, Any]) -> list[str]:
    used = connection.execute("SELECT value FROM meta WHERE key = 'lead_object'").fetchone()
    if used and used[0]:
        return [f"given by {used[0].decode()}, an object of the caller's that cannot be asked from here"]
    samples, missing = _samples(config, folder)
    lead = Lead.adopt(build_plugin("lead", config.lead, Context(config, folder.path, samples)))
    saved = connection.execute("SELECT value FROM meta WHERE key = 'lead'").fetchone()
    if saved is not None:
        try:
            lead.load(saved[0])
        except CrawlDirError as error:  # of another version, say: all else that the folder tells is still true
            return [f"the lead cannot be asked: {error}"]
    host = connection.execute("SELECT name FROM hosts WHERE id = ?", (row["host"],)).fetchone()[0]
    sightings = SqliteStore(connection).sightings([row["id"]])[0]
    target = Target(row["id"], row["url"], host, row["depth"], row["hops"], sightings, row["score"])
    return [*lead.explain(target), *missing]


def _samples(config: Config, folder: CrawlFolder) -> tuple[tuple[Sample, ...], list[str]]:
    """What the lead was built with. Files that are gone since then are said, and hide no other reason."""
    try:
        return sample_reader(folder.path)(config.corpus.like), []
    except ConfigError as error:
        return (), [f"this is without the samples: {error}"]


def _host(connection: sqlite3.Connection, host: int) -> str:
    row = connection.execute("SELECT * FROM hosts WHERE id = ?", (host,)).fetchone()
    ahead = connection.execute("SELECT count(*) FROM links WHERE state = 0 AND host = ?", (host,)).fetchone()[0]
    failing = f", {row['failures']} failures in a row" if row["failures"] else ""
    return (
        f"{row['name']}: {ahead:,} links queued, {row['fetched']:,} requests so far{failing}, "
        f"next one not before {iso_time(row['ready_s'])}"
    )


def _words(value: Drop | Outcome) -> str:
    return value.value.replace("_", " ")
