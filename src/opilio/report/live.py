"""The view of a running crawl, on stderr: a live view on a terminal, a plain line every few seconds elsewhere."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from opilio.core.counted import counted
from opilio.core.outcome import Drop

from .labelled import labelled_lines
from .pages import one_line
from .standing import belonging_now, outlook_rows
from .units import show_bytes, show_seconds

_PLAIN_INTERVAL_S: Final = 10.0
_LIVE_INTERVAL_S: Final = 0.25
_DROPS: Final = 5  # that are shown, the most frequent first
_LABEL: Final = 14  # columns
_LEAST_TITLE: Final = 10
# what the groups of signals of the lead `learned` stand for
_SIGNALS: Final = {
    "parents": "pages that link to them",
    "siblings": "neighbouring links",
    "samples": "the samples",
    "texts": "texts of good pages",
    "anchor": "anchors of good links",
    "context": "words around good links",
    "url": "addresses",
    "path": "places in the markup",
    "host": "hosts and folders",
    "language": "language",
    "place": "distance and position",
}


class Progress:
    """Shows what `status` says whenever it is ticked. `pages` is the operator's limit, 0 if there is none."""

    interval_s: float = _LIVE_INTERVAL_S

    def __init__(self, status: Callable[[], dict[str, Any]], pages: int, console: Console) -> None:
        self._status = status
        self._limit = pages
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=False) if console.is_terminal else None
        self.interval_s = _LIVE_INTERVAL_S if self._live else _PLAIN_INTERVAL_S
        self._started_s = self._looked_s = time.monotonic()
        self._first = self._before = int(status()["pages"])
        self._rate = 0.0

    def __enter__(self) -> "Progress":
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.tick()
        if self._live:
            self._live.stop()

    def tick(self) -> None:
        status = self._status()
        now_s, pages = time.monotonic(), status["pages"]
        if now_s - self._looked_s >= 1.0:
            self._rate = (pages - self._before) / (now_s - self._looked_s)
            self._looked_s, self._before = now_s, pages
        if self._live:
            self._live.update(self._view(status, now_s), refresh=True)
        else:
            self._console.print(self._line(status, now_s), highlight=False, soft_wrap=True)

    def _line(self, status: dict[str, Any], now_s: float) -> str:
        drops = ", ".join(f"{reason} {count:,}" for reason, count in _most(status["drops"]))
        return (
            f"{counted(status['pages'], 'page')} ({self._rate:.1f}/s), {status['documents']:,} kept, "
            f"{status['queued']:,} queued, {counted(status['hosts'], 'host')}, {show_bytes(status['size_bytes'])}"
            + self._eta(status, now_s)
            + _outlook(status)
            + (f"; dropped: {drops}" if drops else "")
            + (f"; {_trouble(status)}" if status["trouble"] else "")
        )

    def _view(self, status: dict[str, Any], now_s: float) -> Text:
        rows, width = [*self._rows(status, now_s)], self._console.width
        return Text("\n").join(_cut(line, width) for line in labelled_lines(rows, width))

    def _rows(self, status: dict[str, Any], now_s: float) -> Iterator[tuple[str, str]]:
        yield "pages", f"{status['pages']:,}" + (f" of {self._limit:,}" if self._limit else "")
        yield "speed", "paused" if status["paused"] else f"{self._rate:,.1f} pages/s{self._eta(status, now_s)}"
        yield "kept", f"{status['documents']:,}  ({counted(status['tokens'], 'token')})"
        yield from _judgements(status, self._console.width - _LABEL)
        yield from (row for row in outlook_rows(status) if row[0] != "signals")
        yield "goes by", status["goes_by"]
        yield "links by", status["links_by"] + _signals(status)
        yield "queued", f"{status['queued'] + status['waiting']:,}  of {status['met']:,} URLs met"
        yield "hosts", f"{status['hosts']:,}  ({counted(status['leased'], 'page')} under way)"
        yield "bytes", show_bytes(status["size_bytes"])
        yield "dropped", ", ".join(f"{reason} {count:,}" for reason, count in _most(status["drops"])) or "nothing"
        if status["trouble"]:
            yield "trouble", _trouble(status)

    def _eta(self, status: dict[str, Any], now_s: float) -> str:
        """Says how long the rest will take at this run's mean rate, if there is a limit."""
        done = status["pages"] - self._first
        if not self._limit or not done:
            return ""
        return f", {show_seconds((self._limit - status['pages']) / done * (now_s - self._started_s))} to go"


def _judgements(status: dict[str, Any], room: int) -> Iterator[tuple[str, str]]:
    """Yields what was kept and refused last. Each takes one line, so that the view does not jump."""
    for label, judgement in (("last kept", status["last_kept"]), ("last refused", status["last_refused"])):
        yield label, _judgement(judgement, room) if judgement else "none yet"


def _judgement(judgement: dict[str, Any], room: int) -> str:
    score, drop = f"{judgement['score']:.2f}  ", judgement["drop"]
    reason = f"  ({Drop(drop).words})" if drop else ""
    title = Text(one_line(judgement["title"]))
    title.truncate(max(_LEAST_TITLE, room - len(score) - len(reason)), overflow="ellipsis")
    return f"{score}{title.plain}{reason}"


def _signals(status: dict[str, Any]) -> str:
    """Names the signals that weigh most, once there is something that they were learned from."""
    named = [_SIGNALS.get(group, group) for group in status["signals"] if status["marginal_pages"]]
    return f", mostly from {', '.join(named)}" if named else ""


def _cut(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _outlook(status: dict[str, Any]) -> str:
    """Returns the outlook in short, or "" for a lead without signals, which knows nothing of what is ahead."""
    if not status["signals"] or not status["marginal_pages"]:
        return ""
    ahead = "" if status["remaining"] is None else f", about {status['remaining']:,} ahead"
    return f"; {belonging_now(status, digits=0)}{ahead}"


def _trouble(status: dict[str, Any]) -> str:
    return f"no page yet: {status['trouble']}; it will be tried again"


def _most(drops: dict[str, int]) -> list[tuple[str, int]]:
    most = sorted(drops.items(), key=lambda item: -item[1])[:_DROPS]
    return [(Drop(drop).words, count) for drop, count in most]
