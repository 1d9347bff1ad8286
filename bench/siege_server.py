"""Good hosts and hostile ones on loopback addresses: `python -m bench.siege_server '{"good": 10, "attacks": {"trickle": 300}}'`.

A host is named after its kind and a number, such as trickle-7.test. A good one has short pages without end, each of which
links the next; every page that it gives is a line of the log, with its time and host. What a hostile one does is its attack's
function (`siege_attacks`). Its first line of output says the port and the addresses. It ends with its input.
"""

import asyncio
import os
import resource
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from opilio.webs.address import BASE, assign
from opilio.webs.listener import Ready

from .siege_attacks import ATTACKS, Attack, Call, good_page, heavy_pages, sized


class Plan(msgspec.Struct, frozen=True):
    good: int
    attacks: dict[str, int]
    log: str
    names: int = 0  # further names of the address of the first hostile host


GOOD: Final = "good"


def host_names(plan: Plan) -> list[str]:
    counts = {GOOD: plan.good, **plan.attacks}
    return [f"{kind}-{number}.test" for kind, count in counts.items() for number in range(count)]


class Server:
    def __init__(self, plan: Plan) -> None:
        self._log = os.open(plan.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._port = 0

    async def serve(self, plan: Plan) -> None:
        if "heavy" in plan.attacks:
            heavy_pages()
        hosts = assign(host_names(plan), BASE, 0)
        servers = []
        for address in dict.fromkeys(hosts.values()):
            servers.append(await asyncio.start_server(self._connected, address, self._port, backlog=512))
            self._port = self._port or servers[0].sockets[0].getsockname()[1]
        last = list(hosts.values())[-1]
        more = {f"n{number}.many.test": last for number in range(plan.names)}
        sys.stdout.buffer.write(msgspec.json.encode(Ready(self._port, hosts | more)) + b"\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)
        os._exit(0)  # connections that trickle would take as long as they can

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                host = head.lower().partition("\r\nhost: ")[2].partition("\r\n")[0].partition(":")[0]
                await self._answer(Call(host, head.split(" ")[1], self._port, writer))
        writer.close()

    async def _answer(self, call: Call) -> None:
        kind = call.host.rpartition("-")[0]
        if kind == GOOD:
            call.writer.write(good_page(call))
            if call.target != "/robots.txt":
                os.write(self._log, f"{time.time():.3f} {call.host}\n".encode())
            return
        attack: Attack = ATTACKS.get(kind, ATTACKS["many_names"])
        if call.target == "/robots.txt" and not attack.robots:
            call.writer.write(sized(b"", status="404 Not Found"))
        else:
            await attack.act(call)


def main() -> None:
    plan = msgspec.json.decode(sys.argv[1], type=Plan)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    Path(plan.log).touch()
    asyncio.run(Server(plan).serve(plan))


if __name__ == "__main__":
    main()
