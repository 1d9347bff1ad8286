"""Finds the addresses of a host that may be connected to.

Rules:
* The address that was checked is the address that is connected to: it is handed to the connection, not looked up again.
* With the guard on, a single address that is not public refuses the whole host: a name with both kinds is an attack or
  a mistake, and choosing the public ones would let the others win a race.
* The operator's overrides (`hosts`) win over DNS and are checked in the same way.
* A failure is an `Outcome`, remembered for a short while so that a dead name costs one lookup and not one per link.
* Names whose servers never answer hold up no known host: those are looked up by threads of their own, and keep their address
  if no answer comes.

Invariant: the cache never holds more than `capacity` hosts, the pools never more than `threads` lookups each.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from opilio.core.bounded import BoundedMap
from opilio.core.clock import Clock
from opilio.core.outcome import Outcome

from .address import is_literal, is_public

Answer = Outcome | tuple[str, ...]
Lookup = Callable[[str], Awaitable[Sequence[str]]]

_NOT_FOUND_CODES: Final = frozenset(
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_ADDRFAMILY") if hasattr(socket, name)
)


class Resolver:
    """Sorts addresses in a fixed order, IPv4 first, so that a host with several always gets the same one."""

    def __init__(
        self,
        hosts: Mapping[str, str],
        guard: bool,
        clock: Clock,
        *,
        ttl_s: float = 300.0,
        failure_ttl_s: float = 30.0,
        timeout_s: float = 10.0,
        capacity: int = 65_536,
        threads: int = 16,
        lookup: Lookup | None = None,
    ) -> None:
        self.guard = guard
        self._hosts = hosts
        self._clock = clock
        self._ttl_s = ttl_s
        self._failure_ttl_s = failure_ttl_s
        self._timeout_s = timeout_s
        self._lookup: Lookup = lookup or self._system_lookup
        # The loop's own pool has about as many threads as cores, so that a slow name server would block everything else
        # in it.
        self._pools = {
            is_known: ThreadPoolExecutor(threads, thread_name_prefix="resolve") for is_known in (True, False)
        }
        self._cache: BoundedMap[str, tuple[float, Answer]] = BoundedMap(capacity)

    async def resolve(self, host: str) -> Answer:
        if is_literal(host):
            return self._guarded((host.strip("[]"),))
        if (override := self._hosts.get(host)) is not None:
            return self._guarded((override.strip("[]"),))
        now_s = self._clock.now()
        if (cached := self._cache.get(host)) is not None and cached[0] > now_s:
            self._cache.move_to_end(host)
            return cached[1]
        answer = await self._ask(host)
        if answer in (Outcome.DNS_TIMEOUT, Outcome.DNS_ERROR) and cached is not None:
            answer = cached[1]
        self._remember(host, answer, now_s)
        return answer

    def close(self) -> None:
        """Lookups in progress cannot be stopped, but are not waited for."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def _guarded(self, addresses: tuple[str, ...]) -> Answer:
        if self.guard and not all(map(is_public, addresses)):
            return Outcome.ADDRESS_REFUSED
        return addresses

    async def _ask(self, host: str) -> Answer:
        try:
            async with asyncio.timeout(self._timeout_s):
                found = await self._lookup(host)
        except TimeoutError:
            return Outcome.DNS_TIMEOUT
        except socket.gaierror as error:
            return Outcome.DNS_NOT_FOUND if error.errno in _NOT_FOUND_CODES else Outcome.DNS_ERROR
        except (OSError, UnicodeError):
            return Outcome.DNS_ERROR
        if not found:
            return Outcome.DNS_NOT_FOUND
        return self._guarded(tuple(sorted(set(found), key=lambda address: (":" in address, address))))

    def _remember(self, host: str, answer: Answer, now_s: float) -> None:
        ttl_s = self._failure_ttl_s if isinstance(answer, Outcome) else self._ttl_s
        self._cache[host] = (now_s + ttl_s, answer)
        self._cache.move_to_end(host)

    async def _system_lookup(self, host: str) -> Sequence[str]:
        cached = self._cache.get(host)
        is_known = cached is not None and not isinstance(cached[1], Outcome)
        return await asyncio.get_running_loop().run_in_executor(self._pools[is_known], _addresses, host)


def _addresses(host: str) -> Sequence[str]:
    # The host is passed as bytes: the URL parser has already applied IDNA, and Python would apply an older version to a
    # str.
    found = socket.getaddrinfo(host.encode("ascii"), None, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]
