"""The serving process: binds one port on every address of a web, reports it in one line of JSON, serves until stopped.

It is run by `LoopbackServer`, or by hand: `python -m opilio.webs.listener '{"web": "demo", "port": 8080}'`, and ended
by Ctrl-C. It listens on loopback addresses only. On systems that have only 127.0.0.1 (macOS), all hosts share it, and a
note says so. The event loop is the standard one, because it gives an answer to the kernel at once, so that the log can
say when; uvloop would do so later and would hardly be faster here.
"""

import asyncio
import errno
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from opilio.core.errors import ConfigError, OpilioError

from .address import BASE, assign
from .connection import Connection, Context
from .journal import Journal
from .web import host_names, open_web

_ONLY_ADDRESS = "127.0.0.1"
_TRIES = 20
_BACKLOG = 512


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    web: str
    port: int = 0  # 0: any port that is free on all addresses
    base: str = BASE
    share: int = 0
    crowd: int = 0
    literal: bool = False  # links have addresses instead of host names
    log: str = ""
    until_eof: bool = False  # stop when standard input ends, as it does when the parent dies


class Ready(msgspec.Struct, frozen=True):
    port: int = 0
    hosts: dict[str, str] = {}
    note: str = ""
    error: str = ""


def main(argument: str) -> int:
    try:
        options = msgspec.json.decode(argument, type=Options)
        asyncio.run(_serve(options))
    except (OpilioError, OSError, msgspec.MsgspecError) as error:
        _say(Ready(error=str(error)))
        return 2
    return 0


async def _serve(options: Options) -> None:
    _allow_many_files()
    hosts = assign(host_names(options.web), options.base, options.share, options.crowd)
    sockets, note = _bind(hosts.values(), options.port)
    if note:
        hosts = dict.fromkeys(hosts, _ONLY_ADDRESS)
    port = sockets[0].getsockname()[1]
    web = open_web(options.web, lambda host: f"{hosts[host] if options.literal else host}:{port}")
    names = _names(hosts, options.literal)
    journal = Journal(Path(options.log) if options.log else None)
    peers: set[asyncio.Transport] = set()
    servers = [await _listen(each, lambda at: Connection(Context(web, names, journal, at, peers))) for each in sockets]
    stop = _stop_event(options.until_eof)
    _say(Ready(port, hosts, note))
    await stop.wait()
    for server in servers:
        server.close()
    for peer in tuple(peers):
        peer.abort()
    await asyncio.sleep(0)  # lets the connections write their last lines to the log
    journal.close()


async def _listen(bound: socket.socket, connection: Callable[[str], Connection]) -> asyncio.Server:
    address = bound.getsockname()[0]
    return await asyncio.get_running_loop().create_server(lambda: connection(address), sock=bound, backlog=_BACKLOG)


def _names(hosts: dict[str, str], literal: bool) -> dict[str, str]:
    """Maps what a Host field may say, without its port, to the name of the host that answers."""
    if literal and len(set(hosts.values())) < len(hosts):
        raise ConfigError(
            "links by address need an address per host: leave out `share`, or use a system with 127.0.0.0/8"
        )
    return {host: host for host in hosts} | ({address: host for host, address in hosts.items()} if literal else {})


def _bind(addresses: Iterable[str], port: int) -> tuple[list[socket.socket], str]:
    """Returns sockets on one common port. Tries again if a port that was free on the first address is taken on
    another."""
    wanted = list(dict.fromkeys(addresses))
    for attempt in range(1, _TRIES + 1):
        bound: list[socket.socket] = []
        try:
            for address in wanted:
                bound.append(_bound(address, bound[0].getsockname()[1] if bound else port))
            return bound, "" if wanted != [_ONLY_ADDRESS] else f"all hosts share {_ONLY_ADDRESS}"
        except OSError as error:
            for each in bound:
                each.close()
            if error.errno == errno.EADDRNOTAVAIL and wanted != [_ONLY_ADDRESS]:
                wanted = [_ONLY_ADDRESS]
            elif error.errno != errno.EADDRINUSE or port or attempt == _TRIES:
                raise
    raise AssertionError("the last attempt returns or raises")


def _bound(address: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((address, port))
        made.listen(_BACKLOG)  # only now is the port ours: until then another process can bind it too
    except OSError:
        made.close()
        raise
    return made


def _stop_event(until_eof: bool) -> asyncio.Event:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if until_eof:
        loop.add_reader(0, _read_input, stop)
    return stop


def _read_input(stop: asyncio.Event) -> None:
    if not os.read(0, 4096):
        stop.set()


def _allow_many_files() -> None:
    """Raises the limit of open files as far as allowed: there is a socket per address and one per connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in (soft, resource.RLIM_INFINITY):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _say(ready: Ready) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(ready) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main("".join(sys.argv[1:]) or "{}"))
