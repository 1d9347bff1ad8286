"""The scout's directory: one SQLite file with every URL that was found, who mentioned it, and what its page is like.

Rules:
* Nothing vanishes: a URL that is never a seed has a row with its drop and the reason.
* A URL is "unresolved" until it is known where it leads, "found" when it may be drawn, "drawn" while it is being probed, then
  "probed"; or "dropped" at any time. A URL that leads to another one is dropped as redirected, and the target has its finds too.
* A source's batch and its memory are one transaction, and so are a page's metadata and its links. Whoever writes calls `commit`.

Invariant: which URLs are drawn depends on the URLs of their domain, the seed and the settings, and not on the order of the finds.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection, DatabaseError
from typing import Final, NamedTuple

from opilio.core.database import VersionedDatabase, connect_to_read, is_unbegun
from opilio.core.draw import hash_number
from opilio.core.errors import CrawlDirError
from opilio.core.outcome import Drop
from opilio.core.url import Url, fingerprint, registered_domain

from .find import Find
from .memory import MEMORY_SCHEMA, StoredMemory
from .probe_rows import PROBE_SCHEMA, ProbeRows
from .short_url import is_to_be_resolved
from .url_filter import Refusal, UrlFilter

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS urls (
    id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, domain TEXT NOT NULL,
    state TEXT NOT NULL, "drop" TEXT, detail TEXT NOT NULL DEFAULT '', target INTEGER, drawn INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS urls_by_state ON urls (state);
CREATE TABLE IF NOT EXISTS finds (
    url INTEGER NOT NULL, source TEXT NOT NULL, origin TEXT NOT NULL, "group" TEXT NOT NULL, set_aside INTEGER NOT NULL,
    language TEXT NOT NULL, topic TEXT NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (url, source, origin, "group", set_aside)
) WITHOUT ROWID
"""
_TEXT_CHARS: Final = 300  # of an origin or a topic
_URL_CHARS: Final = 2_000  # of something that is not a URL
_MESSAGE_CHARS: Final = 5_000
_FURTHER_DRAWS: Final = 2  # of a domain whose drawn URLs have failed


class Taken(NamedTuple):
    """What became of a batch."""

    finds: int = 0
    new: int = 0  # URLs that nobody had found before
    dropped: int = 0  # of these

    def plus(self, other: "Taken") -> "Taken":
        return Taken(*(one + another for one, another in zip(self, other, strict=True)))


class Listed(NamedTuple):
    id: int
    url: str


class DirectoryFile(VersionedDatabase):
    version = 1
    error = CrawlDirError
    if_damaged = "Restore it from a backup, or name another file."
    if_other_version = "use the version that wrote it, or name another file."


class Directory:
    """A directory that is open for writing. It is made if there is none."""

    def __init__(self, path: Path, *more_schemas: str) -> None:
        """`more_schemas` are tables that others keep in the same file."""
        self._file = DirectoryFile(path, (_SCHEMA, MEMORY_SCHEMA, PROBE_SCHEMA, *more_schemas))
        self.connection = self._file.connection
        self._execute = self.connection.execute
        self.probes = ProbeRows(self.connection)
        self.commit, self.close = self._file.commit, self._file.close

    def __enter__(self) -> "Directory":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def memory(self, source: str) -> StoredMemory:
        return StoredMemory(self.connection, source)

    def note(self, key: str, value: bytes) -> None:
        """Remembers something about the directory as a whole."""
        self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def noted(self, key: str) -> bytes | None:
        found = self._execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None

    # --- finds

    def take(
        self, source: str, finds: Iterable[Find], rules: UrlFilter, short_chars: int, *, messages: bool = False
    ) -> Taken:
        """Writes what a source has found. A URL that was found before gets one more find."""
        taken = Taken()
        for find in finds:
            read = rules.read(find.url)
            refusal = read if isinstance(read, Refusal) else None
            if find.set_aside and refusal is None:
                refusal = Refusal(Drop.SET_ASIDE)
            short = not isinstance(read, Refusal) and is_to_be_resolved(read, short_chars)
            row, is_new = self._meet(read.href if isinstance(read, Url) else _readable(find.url), refusal, short)
            self._put_find(row, source, find, messages=messages)
            taken = taken.plus(Taken(1, is_new, is_new and refusal is not None))
        return taken

    def _meet(self, url: str, refusal: Refusal | None, short: bool) -> tuple[int, bool]:
        """Returns the row of a URL, and whether it is new. A URL that only messages in other languages had named is found for
        good as soon as anybody else names it."""
        key = fingerprint(url)
        known = self._execute('SELECT id, "drop", target FROM urls WHERE key = ?', (key,)).fetchone()
        state = "dropped" if refusal else "unresolved" if short else "found"
        if known is None:
            host = _host(url)
            drop, detail = refusal or (None, "")
            row = self._execute(
                'INSERT INTO urls (key, url, host, domain, state, "drop", detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
                (key, url, host, registered_domain(host), state, drop, detail),
            ).lastrowid
            assert row is not None
            return row, True
        if known[1] == Drop.SET_ASIDE and refusal is None:
            self._execute("UPDATE urls SET state = ?, \"drop\" = NULL, detail = '' WHERE id = ?", (state, known[0]))
        return known[0], False

    def _put_find(self, row: int, source: str, find: Find, *, messages: bool) -> None:
        message = find.message[:_MESSAGE_CHARS] if messages else ""
        values = (
            source, find.origin[:_TEXT_CHARS], find.group, find.set_aside, find.language, find.topic[:_TEXT_CHARS], message,
        )  # fmt: skip
        for url in self._way(row):
            self._execute("INSERT OR IGNORE INTO finds VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (url, *values))

    def _way(self, row: int) -> Iterator[int]:
        """Yields a URL, then those that it leads to."""
        seen = []
        while row is not None and row not in seen:
            seen.append(row)
            yield row
            row = self._execute("SELECT target FROM urls WHERE id = ?", (row,)).fetchone()[0]

    # --- where short URLs lead

    def unresolved(self) -> list[Listed]:
        return self._listed("unresolved")

    def keep(self, row: int) -> None:
        """Takes an unresolved URL as it is."""
        self._execute("UPDATE urls SET state = 'found' WHERE id = ?", (row,))

    def lead(self, row: int, target: str, refusal: Refusal | None, state: str = "found") -> int:
        """Notes that a URL leads to another one, and returns the row of that one. It gets the finds of the first."""
        to, is_new = self._meet(target, refusal, short=False)
        if is_new and refusal is None:
            self._execute("UPDATE urls SET state = ? WHERE id = ?", (state, to))
        if to != row:
            self._execute(
                "UPDATE urls SET state = 'dropped', \"drop\" = ?, detail = ?, target = ? WHERE id = ?",
                (Drop.REDIRECTED, target, to, row),
            )
            columns = 'source, origin, "group", set_aside, language, topic, message'
            for url in self._way(to):
                self._execute(
                    f"INSERT OR IGNORE INTO finds SELECT ?, {columns} FROM finds WHERE url = ?",  # noqa: S608
                    (url, row),
                )
        return to

    def drop(self, row: int, drop: Drop, detail: str = "") -> None:
        self._execute(
            "UPDATE urls SET state = 'dropped', \"drop\" = ?, detail = ? WHERE id = ?",
            (drop, detail[:_TEXT_CHARS], row),
        )

    # --- one URL of each domain

    def draw(self, per_domain: int, seed: int, *, archived: bool = False) -> int:
        """Draws URLs of domains that have too few, by a hash of the URL. A domain whose URLs fail may be drawn from again, a few
        times. With `archived`, URLs are drawn whose place in the archive is known, and no others. Returns how many were drawn."""
        key = seed.to_bytes(8, "little", signed=True)
        in_archive = f"state IN ('found', 'unresolved') AND id IN (SELECT url FROM finds WHERE {_ARCHIVED})"  # noqa: S608
        wanted = in_archive if archived else "state = 'found'"
        rows = self._execute(f"SELECT id, url, domain FROM urls WHERE {wanted}").fetchall()  # noqa: S608
        standing = {domain: (good, tried) for domain, good, tried in self._execute(_STANDING)}
        drawn = []
        for row, _, domain in sorted(rows, key=lambda each: (hash_number(each[1], 8, key), each[1])):
            good, tried = standing.get(domain, (0, 0))
            if good < per_domain and tried < per_domain + _FURTHER_DRAWS:
                standing[domain] = good + 1, tried + 1
                drawn.append((row,))
        self.connection.executemany("UPDATE urls SET state = 'drawn', drawn = 1 WHERE id = ?", drawn)
        return len(drawn)

    def drawn(self) -> list[Listed]:
        return self._listed("drawn")

    def draw_again(self) -> int:
        """Puts all URLs that were probed before back among those to be probed. Returns how many there are."""
        self.probes.remember_state()
        return self._execute(
            "UPDATE urls SET state = 'drawn', \"drop\" = NULL, detail = '' WHERE id IN (SELECT url FROM probes) AND drawn < ?",
            (_AUDITED,),
        ).rowcount

    def draw_these(self, urls: Iterable[str]) -> None:
        """Puts URLs among those to be probed, whatever they are now."""
        rows = [(fingerprint(url),) for url in urls]
        self.connection.executemany(
            "UPDATE urls SET state = 'drawn', drawn = 1, \"drop\" = NULL, detail = '' WHERE key = ?", rows
        )

    def draw_for_audit(self, count: int, seed: int, *, set_aside: bool) -> int:
        """Draws URLs that were not probed from those that messages in other languages name, or from all that anybody names. They
        are probed once, and stay what they are."""
        aside = "f.set_aside" if set_aside else "1"
        query = (
            f"SELECT u.id, u.url FROM urls u JOIN finds f ON f.url = u.id WHERE {aside} AND {_UNPROBED} GROUP BY u.id"  # noqa: S608
        )
        key = seed.to_bytes(8, "little", signed=True)
        rows = sorted(self._execute(query, (Drop.SET_ASIDE,)), key=lambda each: (hash_number(each[1], 8, key), each[1]))
        drawn = [(_AUDITED, row) for row, _ in rows[:count]]
        self.connection.executemany("UPDATE urls SET state = 'drawn', drawn = ? WHERE id = ?", drawn)
        return len(drawn)

    def end(self, row: int) -> None:
        """Notes that a URL's page was probed. A URL that was only audited is again what it was before."""
        audited, drop = self._execute('SELECT drawn = ?, "drop" FROM urls WHERE id = ?', (_AUDITED, row)).fetchone()
        state = "probed" if not audited else "dropped" if drop else "found"
        self._execute("UPDATE urls SET state = ? WHERE id = ?", (state, row))

    def is_audited(self, row: int) -> bool:
        return bool(self._execute("SELECT drawn = ? FROM urls WHERE id = ?", (_AUDITED, row)).fetchone()[0])

    def take_over(self, row: int, final: int) -> None:
        """Gives an audited URL the page that its redirects have led to, unless somebody has found that one."""
        if final != row and self._execute("SELECT 1 FROM finds WHERE url = ?", (final,)).fetchone() is None:
            self._execute("UPDATE OR REPLACE probes SET url = ? WHERE url = ?", (row, final))
            self._execute("UPDATE OR REPLACE pairs SET origin = ? WHERE origin = ?", (row, final))
            self._execute("DELETE FROM urls WHERE id = ?", (final,))

    def meet_probed(self, url: str) -> int:
        """Returns the row of a URL whose page is being probed. It may be new, because a redirect has led there."""
        row, is_new = self._meet(url, None, short=False)
        if is_new:
            self._execute("UPDATE urls SET state = 'probed' WHERE id = ?", (row,))
        return row

    def place(self, url: str) -> str:
        """Returns where the page of a URL lies in the archive of Common Crawl, or "" if its index has not named it."""
        query = f"SELECT origin FROM finds JOIN urls ON id = finds.url WHERE key = ? AND {_ARCHIVED}"  # noqa: S608
        found = self._execute(query, (fingerprint(url),)).fetchone()
        return found[0] if found else ""

    def row(self, url: str) -> int | None:
        found = self._execute("SELECT id FROM urls WHERE key = ?", (fingerprint(url),)).fetchone()
        return found[0] if found else None

    def _listed(self, state: str) -> list[Listed]:
        rows = self._execute("SELECT id, url FROM urls WHERE state = ? ORDER BY url", (state,))
        return [Listed(*row) for row in rows]


_AUDITED: Final = 2  # in `drawn`, which is 1 for URLs that were drawn to become seeds
_ARCHIVED: Final = "source GLOB 'common-crawl*'"  # whose finds have their place in the archive as their origin
_UNPROBED: Final = """(u.state = 'found' OR (u.state = 'dropped' AND u."drop" = ?))
AND NOT EXISTS (SELECT 1 FROM probes p WHERE p.url = u.id)"""
_STANDING: Final = """
SELECT domain, sum(state IN ('drawn', 'probed') OR "drop" = 'redirected'), count(*)
FROM urls WHERE drawn = 1 OR (state = 'probed' AND drawn = 0) GROUP BY domain
"""


def open_to_read(path: Path) -> Connection:
    """Opens a directory that a running scout may be writing to."""
    if not path.exists():
        raise CrawlDirError(f"there is no directory {path}. `opilio scout run {path} --source …` makes one.")
    connection = connect_to_read(path)
    with suppress(DatabaseError):
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == DirectoryFile.version and not is_unbegun(connection):
            return connection
    with closing(connection):
        raise CrawlDirError(
            f"{path} is not a directory that this version of Opilio can read. Name one that `opilio scout run` has made."
        )


def _readable(raw: str) -> str:
    """Returns what a row shows for something that is not a URL."""
    return raw.strip()[:_URL_CHARS].encode("utf-8", "replace").decode()


def _host(url: str) -> str:
    return url.split("/")[2].rpartition("@")[2].partition(":")[0] if "://" in url else ""
