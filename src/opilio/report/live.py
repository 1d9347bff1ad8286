"""The view of a running crawl, on stderr: a live table on a terminal, a plain line every few seconds elsewhere."""

import time
from collections.abc import Callable
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from .tables import outlook_rows
from .units import show_bytes, show_seconds

_PLAIN_INTERVAL_S: Final = 10.0
_LIVE_INTERVAL_S: Final = 0.25
_DROPS: Final = 5  # that are shown, the most frequent first


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
            self._live.update(self._table(status, now_s), refresh=True)
        else:
            self._console.print(self._line(status, now_s), highlight=False, soft_wrap=True)

    def _line(self, status: dict[str, Any], now_s: float) -> str:
        drops = ", ".join(f"{reason} {count:,}" for reason, count in _most(status["drops"]))
        return (
            f"{status['pages']:,} pages ({self._rate:.1f}/s), {status['documents']:,} kept, {status['queued']:,} queued, "
            f"{status['hosts']:,} hosts, {show_bytes(status['size_bytes'])}{self._eta(status, now_s)}"
            + _outlook(status)
            + (f"; dropped: {drops}" if drops else "")
        )

    def _table(self, status: dict[str, Any], now_s: float) -> Table:
        table = Table.grid(padding=(0, 2))
        state = "paused" if status["paused"] else f"{self._rate:,.1f} pages/s{self._eta(status, now_s)}"
        rows = {
            "pages": f"{status['pages']:,}" + (f" of {self._limit:,}" if self._limit else ""),
            "speed": state,
            "kept": f"{status['documents']:,}  ({status['tokens']:,} tokens)",
            **dict(outlook_rows(status)),
            "queued": f"{status['queued'] + status['waiting']:,}  of {status['met']:,} URLs met",
            "hosts": f"{status['hosts']:,}  ({status['leased']} pages under way)",
            "bytes": show_bytes(status["size_bytes"]),
            "dropped": ", ".join(f"{reason} {count:,}" for reason, count in _most(status["drops"])) or "nothing",
        }
        for name, value in rows.items():
            table.add_row(Text(name, style="bold cyan"), Text(value))
        return table

    def _eta(self, status: dict[str, Any], now_s: float) -> str:
        """Says how long the rest will take at this run's mean rate, if there is a limit."""
        done = status["pages"] - self._first
        if not self._limit or not done:
            return ""
        return f", {show_seconds((self._limit - status['pages']) / done * (now_s - self._started_s))} to go"


def _outlook(status: dict[str, Any]) -> str:
    """Returns the outlook in short, or "" for a lead without signals, which knows nothing of what is ahead."""
    if not status["signals"] or not status["marginal_pages"]:
        return ""
    ahead = "" if status["remaining"] is None else f", about {status['remaining']:,} ahead"
    return f"; {status['marginal_yield']:.0%} of the last {status['marginal_pages']:,} belong{ahead}"


def _most(drops: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(drops.items(), key=lambda item: -item[1])[:_DROPS]
