"""The directory for whoever only looks: an `Entry` for each URL, joined from all tables.

Costs: listing reads the whole directory once, and a few hundred bytes of memory per URL; the pairs are read only for figures that
need them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

import msgspec

from opilio.core.outcome import Drop

from .directory import open_to_read
from .probe import Probe
from .probe_rows import PROBE_COLUMNS, stored_probe


class Entry(Probe, frozen=True, kw_only=True):
    """All that is known of a URL; the fields that `--where` can name. Those of a page are empty until it was probed."""

    url: str
    host: str
    domain: str  # registered
    state: str  # unresolved, found, drawn, probed, dropped or gone
    drop: Drop | None
    detail: str
    sources: tuple[str, ...]
    origins: tuple[str, ...]
    groups: tuple[str, ...]
    topics: tuple[str, ...]
    mention_languages: tuple[str, ...]
    finds: int
    drawn: bool  # it was probed, or at least tried
    set_aside: bool  # all that mention it failed the language filter
    indegree: int = 0  # other domains of the directory that link to its domain
    changed: str = ""  # what the last refresh found changed: "text", "language" or nothing
    expected: float = 0.0  # the yield that is expected of it as a seed

    @property
    def is_viable(self) -> bool:
        """Returns whether it may be handed to a crawl."""
        return self.state == "probed" and not self.apart


ENTRY_COLUMNS: Final = (
    "url", "host", "domain", "state", "language", "confidence", "tokens", "expected", "score", "belongs", "sources", "finds",
    "indegree", "html_chars", "text_chars", "main_chars", "in_links", "out_links", "address", "digest", "badness", "licence",
    "feed", "sitemap", "translated", "apart", "cloaking", "changed", "language_by", "declared_language", "probed", "drop",
    "detail", "origins", "groups", "topics", "mention_languages", "drawn", "set_aside",
)  # fmt: skip
_NOTHING: Final = msgspec.structs.asdict(
    Probe("", 0, 0, 0, 0, 0, 0, "", "", "", 0.0, "", "", None, "", feed=False, translated="", apart="", belongs=False)
)
_URLS: Final = f"""
SELECT u.id, u.url, u.host, u.domain, u.state, u."drop", u.detail, u.drawn, p.before, p.url IS NOT NULL,
{", ".join(f"p.{name}" for name in PROBE_COLUMNS)} FROM urls u LEFT JOIN probes p ON p.url = u.id ORDER BY u.id
"""  # noqa: S608
_FINDS: Final = 'SELECT url, source, origin, "group", topic, language, set_aside FROM finds ORDER BY url'
_INDEGREES: Final = """
SELECT p.domain, count(DISTINCT u.domain) FROM pairs p JOIN urls u ON u.id = p.origin WHERE u.domain != p.domain GROUP BY p.domain
"""
_MOST_ORIGINS: Final = 5


class DirectoryReader:
    def __init__(self, path: Path) -> None:
        self._connection: Connection = open_to_read(path)

    def __enter__(self) -> "DirectoryReader":
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def entries(self) -> Iterator[Entry]:
        """Yields every URL, in the order in which they were found."""
        indegrees = dict(self._connection.execute(_INDEGREES))
        mentions = groupby(self._connection.execute(_FINDS), key=lambda row: row[0])
        at, rows = next(mentions, (None, iter(())))
        for row in self._connection.execute(_URLS):
            finds: list[Any] = []
            if row[0] == at:
                finds = list(rows)
                at, rows = next(mentions, (None, iter(())))
            yield _entry(row, finds, indegrees)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yields origin and target of every link that was seen."""
        return self._connection.execute(
            "SELECT u.url, p.target FROM pairs p JOIN urls u ON u.id = p.origin ORDER BY u.id, p.target"
        )

    def linked_domains(self) -> Mapping[str, Mapping[str, int]]:
        """Returns for each probed URL how many links lead to which other domains."""
        query = """SELECT u.url, p.domain, count(*) FROM pairs p JOIN urls u ON u.id = p.origin WHERE p.domain != u.domain
                   GROUP BY p.origin, p.domain"""
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for origin, domain, links in self._connection.execute(query):
            found[origin][domain] = links
        return found

    def noted(self, key: str) -> bytes | None:
        found = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None


def _entry(row: tuple[Any, ...], finds: list[tuple[Any, ...]], indegrees: Mapping[str, int]) -> Entry:
    _, url, host, domain, state, drop, detail, drawn, before, has_probe, *values = row
    probe = stored_probe(values) if has_probe else None
    known = msgspec.structs.asdict(probe) if probe else _NOTHING
    return Entry(
        **known,
        url=url, host=host, domain=domain, drop=Drop(drop) if drop else None, detail=detail,
        state="gone" if probe and state == "dropped" and drop not in _NOT_GONE else state,
        sources=_distinct(finds, 1), origins=_distinct(finds, 2)[:_MOST_ORIGINS], groups=_distinct(finds, 3),
        topics=_distinct(finds, 4), mention_languages=_distinct(finds, 5), finds=len(finds),
        drawn=bool(drawn or has_probe), set_aside=bool(finds) and all(find[6] for find in finds),
        indegree=indegrees.get(domain, 0), changed=_change(before or "", probe) if probe else "",
    )  # fmt: skip


_NOT_GONE: Final = (Drop.SET_ASIDE, Drop.REDIRECTED)


def _distinct(finds: list[tuple[Any, ...]], column: int) -> tuple[str, ...]:
    return tuple(sorted({find[column] for find in finds} - {""}))


def _change(before: str, probe: Probe) -> str:
    digest, _, language = before.partition(" ")
    if not before:
        return ""
    return "language" if language != probe.language else "text" if digest != probe.digest else ""
