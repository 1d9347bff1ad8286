"""What a crawl's database says about the crawl as a whole: one typed property for each key of the table `meta`.

Rules:
* A property that was never set has the value that a new crawl begins with. Setting one to None removes its key.
* Keys and bytes are part of the folder's format: they change only together with `SCHEMA_VERSION`.
* Nothing here commits; the transaction's owner does.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, overload

import msgspec

from opilio.core.config import Config, restore_config
from opilio.core.errors import CrawlDirError

from .tally import Tally

META_SCHEMA: Final = "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
_encode: Final = msgspec.json.encode
_decode: Final = msgspec.json.decode
Value = TypeVar("Value")


class QueueBounds(msgspec.Struct, frozen=True):
    """The bounds and the cut that the queue's links were last sorted by."""

    bounds: tuple[float, ...]
    cut: float


class Pass(msgspec.Struct, frozen=True):
    """How far a pass that judges all stored pages again has come."""

    judge: str  # a digest of what the verdicts depend on
    kept: int  # the first shard of documents that the pass has written, and likewise for refused pages
    refused: int
    judged: int = 0
    moved_in: int = 0
    moved_out: int = 0
    failed: int = 0


class _Entry(Generic[Value]):
    """A key of the table as a property. `decode` also says what the value is where the key is missing."""

    def __init__(
        self, key: str, decode: Callable[[bytes | None], Value], encode: Callable[[Value], bytes | None]
    ) -> None:
        self._key = key
        self._decode = decode
        self._encode = encode

    @overload
    def __get__(self, meta: None, owner: type) -> "_Entry[Value]": ...

    @overload
    def __get__(self, meta: "Meta", owner: type) -> Value: ...

    def __get__(self, meta: "Meta | None", owner: type) -> "Value | _Entry[Value]":
        if meta is None:
            return self
        try:
            return self._decode(meta.read(self._key))
        except (msgspec.MsgspecError, ValueError) as error:
            raise CrawlDirError(
                f"what this crawl's database says under {self._key!r} is damaged: {error}. Restore the folder from a backup, or "
                "begin in a new one."
            ) from error

    def __set__(self, meta: "Meta", value: Value) -> None:
        meta.write(self._key, None if value is None else self._encode(value))


def _config(saved: bytes | None) -> Config | None:
    return None if saved is None else restore_config(saved)


def _json(kind: type[Value]) -> Callable[[bytes | None], Value | None]:
    """Returns a decoder of JSON. Where the key is missing, the value is None."""
    return lambda saved: None if saved is None else _decode(saved, type=kind)


def _same(saved: bytes | None) -> bytes | None:
    return saved


def _flag(saved: bytes | None) -> bool | None:
    return None if saved is None else saved == b"1"


def _text(saved: bytes | None) -> str:
    return (saved or b"").decode()


def _texts(saved: bytes | None) -> list[str]:
    return _decode(saved or b"[]", type=list[str])


class Meta:
    config = _Entry("config", _config, _encode)  # the settings of the last run; None before the first
    changed = _Entry[list[str]]("changed", _texts, _encode)
    clock_s = _Entry("clock", lambda saved: float(saved or b"0"), lambda now_s: repr(now_s).encode())
    tally = _Entry[Tally]("tally", lambda saved: _decode(saved or b"{}", type=Tally), _encode)
    clean = _Entry("clean", _flag, lambda clean: b"1" if clean else b"0")  # whether the last run came to its end
    # whether the last run read a recorded web; None in folders of older versions
    recorded = _Entry("recorded", _flag, lambda recorded: b"1" if recorded else b"0")
    lead = _Entry("lead", _same, _same)  # what the lead has learned
    crawl = _Entry("crawl", _text, str.encode)  # an identifier; "" in folders of older versions
    lead_object = _Entry("lead_object", _text, str.encode)  # class of a caller's own lead
    judge_object = _Entry("judge_object", _text, str.encode)  # class of a caller's own judge
    # URLs that were marked since the last run, which the lead will be told of
    untold = _Entry[list[str]]("untold", _texts, _encode)
    judge = _Entry("judge", _same, _same)  # what the judge has learned
    bounds = _Entry[QueueBounds | None]("bounds", _json(QueueBounds), _encode)
    # the settings by which links were refused so far: table.key → value
    refusing = _Entry[dict[str, Any] | None]("refusing", _json(dict[str, Any]), _encode)
    # a pass of `opilio judge again` that has not come to its end
    judging = _Entry[Pass | None]("judging", _json(Pass), _encode)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute

    def read(self, key: str) -> bytes | None:
        row = self._execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def write(self, key: str, value: bytes | None) -> None:
        if value is None:
            self._execute("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
