"""How a crawl stands, read from its folder alone: also for one that runs, was stopped or was killed."""

import fcntl
import sqlite3
from typing import Any

import msgspec

from opilio.core.config import Config, load_config, restore_config
from opilio.core.errors import OpilioError
from opilio.core.plugin import Context, build_plugin, find_plugin
from opilio.engine import outlook
from opilio.folder import CrawlFolder, decode_tally
from opilio.folder.database import open_readonly
from opilio.lead import Lead


def standing(folder: CrawlFolder) -> dict[str, Any]:
    """What `opilio status --json` prints. Numbers are those of the last commit."""
    connection = open_readonly(folder.database)
    try:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        tally = decode_tally(meta.get("tally"))
        config = used_config(connection)
        counts = dict(connection.execute("SELECT state, count(*) FROM links GROUP BY state").fetchall())
        running = _is_running(folder)
        return {
            "folder": str(folder.path),
            "state": _state(running=running, clean=meta.get("clean") == b"1"),
            "recipe": config.crawl.recipe,
            "stop_reason": "" if running else tally.stop_reason,
            "pages": tally.pages,
            "kept": tally.kept,
            "tokens": tally.tokens,
            "kept_bytes": tally.kept_bytes,
            "document_yield": round(tally.document_yield, 4),
            "byte_yield": round(tally.byte_yield, 4),
            **outlook(tally, _saved_lead(folder, config, meta)),
            "size_bytes": tally.size_bytes,
            "requests": tally.requests,
            "robots": tally.robots,
            "seconds": round(tally.seconds, 3),
            "runs": tally.runs,
            "met": sum(counts.values()),
            "queued": counts.get(0, 0),
            "waiting": counts.get(1, 0),
            "leased": counts.get(2, 0),
            "hosts": _one(connection, "SELECT count(*) FROM hosts"),
            "closed_hosts": _one(connection, "SELECT count(*) FROM hosts WHERE closed IS NOT NULL"),
            "languages": dict(
                connection.execute(
                    "SELECT language, count(*) FROM records GROUP BY language ORDER BY count(*) DESC LIMIT 20"
                ).fetchall()
            ),
            "outcomes": _most_first(tally.outcomes),
            "drops": _most_first(tally.drops),
            "changed_settings": msgspec.json.decode(meta.get("changed", b"[]")),
        }
    finally:
        connection.close()


def used_config(connection: sqlite3.Connection) -> Config:
    """The settings of the crawl's last run, those of the command line included."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'config'").fetchone()
    return restore_config(row[0]) if row else load_config()


def _saved_lead(folder: CrawlFolder, config: Config, meta: dict[str, bytes]) -> Lead | None:
    """As it was saved; none where it estimates nothing, or cannot be built any more."""
    try:
        if "lead" not in meta or meta.get("lead_object") or not _estimates(config):
            return None
        lead = Lead.adopt(build_plugin("lead", config.lead, Context(config, folder.path)))
        lead.load(meta["lead"])
    except OpilioError:
        return None
    return lead


def _estimates(config: Config) -> bool:
    """Whether the lead estimates what remains; told by its class, since building a lead may take a second."""
    return bool(getattr(find_plugin("lead", str(config.lead.get("name", ""))), "estimates", False))


def _state(*, running: bool, clean: bool) -> str:
    if running:
        return "running"
    return "stopped" if clean else "interrupted"


def _is_running(folder: CrawlFolder) -> bool:
    """Whether somebody holds the folder's lock."""
    if not folder.lock_file.exists():
        return False
    with folder.lock_file.open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _most_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def _one(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])
