"""The demo: four small sites served on loopback addresses, crawled like any others, and a look at what came out."""

import sqlite3
from itertools import islice
from typing import Final

from rich.console import Console
from rich.table import Table

from opilio.core.config import load_config
from opilio.flow import CrawlFolder, FolderLock
from opilio.keep import CorpusReader
from opilio.lab.serve import LoopbackServer
from opilio.run import run_crawl
from opilio.wiring import Blueprint, read_seeds

from .site import HOSTS

_DELAY_S: Final = 0.02  # our own server on our own machine


def crawl_demo(folder: CrawlFolder, pages: int, *, quiet: bool) -> str:
    """Serves and crawls the demo web; why the crawl stopped."""
    with LoopbackServer("demo") as server:
        tables = {
            "operator": {"contact": "https://demo.invalid/opilio"},
            "seeds": {"urls": [f"{server.origin(host)}/" for host in HOSTS]},
            "scope": {"hosts": list(server.hosts), "max_depth": 12},
            "fetch": {"delay_s": _DELAY_S, "allow_private_addresses": True, "hosts": dict(server.hosts)},
            "stop": {"pages": pages},
        }
        config = load_config(tables=tables)
        plan = Blueprint(config, folder.path)
        with FolderLock(folder):
            return run_crawl(plan, read_seeds(config, folder.path), quiet=quiet)


def show_demo(connection: sqlite3.Connection, folder: CrawlFolder, reason: str, console: Console) -> None:
    console.print(_sites(connection))
    console.print(
        f"\nThe crawl stopped: {reason}. The corpus lies in {folder.path}; three of its documents:", highlight=False
    )
    for record in islice(CorpusReader(connection, folder.path), 5, 300, 99):
        beginning = " ".join(record.text[:90].split())
        console.print(
            f"  {record.title} ({record.language}): {beginning}…", markup=False, highlight=False, soft_wrap=True
        )
    url = connection.execute("SELECT url FROM links WHERE \"drop\" = 'duplicate' ORDER BY id LIMIT 1").fetchone()
    console.print("\nTry next:")
    console.print(f"  opilio status {folder.path}")
    if url:
        console.print(f"  opilio why {folder.path} '{url[0]}'", markup=False, highlight=False, soft_wrap=True)
    console.print(f"  opilio export {folder.path} --format jsonl -o demo.jsonl")


def _sites(connection: sqlite3.Connection) -> Table:
    table = Table(title="What came out of the demo web", title_justify="left")
    for name in ("site", "pages fetched", "documents kept", "words", "dropped, and why"):
        table.add_column(name, justify="left" if name in ("site", "dropped, and why") else "right")
    rows = connection.execute(
        'SELECT h.name, sum(l.outcome = "ok"), count(r.link), coalesce(sum(r.tokens), 0), h.id '
        "FROM hosts h JOIN links l ON l.host = h.id LEFT JOIN records r ON r.link = l.id "
        "GROUP BY h.id HAVING sum(l.outcome = 'ok')"
    )
    for name, fetched, kept, words, host in rows.fetchall():
        drops = connection.execute(
            'SELECT "drop", count(*) FROM links WHERE host = ? AND "drop" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 4',
            (host,),
        )
        why = ", ".join(f"{drop.replace('_', ' ')} {count}" for drop, count in drops)
        table.add_row(name, f"{fetched:,}", f"{kept:,}", f"{words:,}", why)
    return table
