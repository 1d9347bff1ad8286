"""Judges a crawler by the server's log alone (format: `opilio.webs.journal`), for every host and for every address.

It only reads lines, and holds the requests sorted by start. A gap is measured from the end of one answer to the start
of the next request. `slack_s` allows for what the log cannot show: how long the server's process was not running.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Request:
    start_s: float
    end_s: float
    connection: int
    address: str
    host: str  # as in the Host field, without port
    target: str
    status: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Two requests that followed each other too closely."""

    of: str  # a host or an address
    seconds: float  # negative if the second began before the first was answered
    before: Request
    after: Request


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two connections that were open at the same time."""

    of: str
    start_s: float
    seconds: float
    connections: tuple[int, int]


@dataclass(slots=True)
class _Open:
    address: str
    start_s: float
    end_s: float


Key = Callable[[Request], str]


def by_host(request: Request) -> str:
    return request.host


def by_address(request: Request) -> str:
    return request.address


class Witness:
    def __init__(self, lines: Iterable[str]) -> None:
        self.requests: list[Request] = []
        self._connections: dict[int, _Open] = {}
        self._last_s = 0.0
        for line in lines:
            self._read(line)
        for connection in self._connections.values():
            if connection.end_s == math.inf:  # the log was read, or the server ended, before the connection did
                connection.end_s = max(self._last_s, connection.start_s)
        self.requests.sort(key=lambda request: request.start_s)

    @classmethod
    def of(cls, log: Path) -> Self:
        with log.open(encoding="utf-8") as lines:
            return cls(lines)

    def gaps_under(self, delay_s: float, slack_s: float = 0.0) -> list[Gap]:
        """Returns every pair of requests to one host, or to one address, that were closer than the delay."""
        return [gap for key in (by_host, by_address) for gap in self._gaps(delay_s - slack_s, key)]

    def parallel_connections(self, slack_s: float = 0.05) -> list[Overlap]:
        """Returns pairs of connections to one host, or one address, that were open together for longer than the slack.
        There is a slack because the log may show a close and the next open in either order."""
        hosts: dict[str, set[int]] = defaultdict(set)
        for request in self.requests:
            hosts[request.host].add(request.connection)
        addresses: dict[str, set[int]] = defaultdict(set)
        for number, connection in self._connections.items():
            addresses[connection.address].add(number)
        groups = [*hosts.items(), *addresses.items()]
        return [each for of, numbers in groups for each in self._overlaps(of, numbers) if each.seconds > slack_s]

    def disallowed(self, rules: Mapping[str, Sequence[str]]) -> list[Request]:
        """Returns requests below a forbidden path prefix. `rules` maps a host, or "*" for all, to prefixes. They are
        compared as plain strings, so that the result does not depend on the robots.txt parser that is being tested."""
        everywhere = tuple(rules.get("*", ()))
        return [each for each in self.requests if each.target.startswith((*everywhere, *rules.get(each.host, ())))]

    def fetch_counts(self) -> Counter[tuple[str, str]]:
        """Returns how often each (host, target) was requested."""
        return Counter((request.host, request.target) for request in self.requests)

    def host_counts(self) -> Counter[str]:
        return Counter(request.host for request in self.requests)

    def address_counts(self) -> Counter[str]:
        return Counter(request.address for request in self.requests)

    def _gaps(self, delay_s: float, key: Key) -> Iterator[Gap]:
        latest: dict[str, Request] = {}  # among the requests begun so far, the one answered last
        for request in self.requests:
            before = latest.get(of := key(request))
            if before is not None and request.start_s - before.end_s < delay_s:
                yield Gap(of, request.start_s - before.end_s, before, request)
            if before is None or request.end_s > before.end_s:
                latest[of] = request

    def _overlaps(self, of: str, numbers: set[int]) -> Iterator[Overlap]:
        still_open: list[int] = []
        for number in sorted(numbers, key=lambda each: self._connections[each].start_s):
            start_s, end_s = self._connections[number].start_s, self._connections[number].end_s
            still_open = [each for each in still_open if self._connections[each].end_s > start_s]
            for other in still_open:
                together_s = min(end_s, self._connections[other].end_s) - start_s
                yield Overlap(of, start_s, together_s, (other, number))
            still_open.append(number)

    def _read(self, line: str) -> None:
        fields = line.rstrip("\n").split("\t")
        match fields:
            case ["answer", start, end, connection, address, host, target, status, size]:
                times = float(start), float(end)
                name = host.partition(":")[0]
                self.requests.append(Request(*times, int(connection), address, name, target, int(status), int(size)))
                self._last_s = max(self._last_s, times[1])
            case ["open", when, connection, address]:
                self._connections[int(connection)] = _Open(address, float(when), math.inf)
            case ["close", when, connection]:
                self._connections[int(connection)].end_s = float(when)
            case _:
                raise ValueError(f"not a line of a server's log: {line[:80]!r}")
