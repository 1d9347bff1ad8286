"""What a page costs: Opilio's whole pipeline and its peers over the same web, one after the other.

The web is files behind nginx, each host at its own loopback address, or, without nginx, our own server: real pages
where OPILIO_DATA holds some, otherwise made ones. All start from the home pages of all hosts, obey robots.txt, go
breadth-first, and hold at most one connection per host. Nobody waits between requests, except that Opilio alone honours
the Crawl-delay that one host in sixteen of the made web asks for: that costs it time, not CPU. The server's CPU is
reported apart. Every contender runs once in every round, and its cheapest run counts: what others do on the machine
meanwhile makes a run dearer by a third, never cheaper.
"""

import contextlib
import importlib.util
import os
import socket
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from opilio.core.errors import ConfigError, OpilioError
from opilio.webs.address import BASE, host_addresses
from opilio.webs.server import LoopbackServer

from . import Progress
from .chart import Chart
from .contender import Contender, Job, Run, children_cpu_s, contenders, measure, warm_up
from .form import Goal, Report
from .nginx import Nginx, find_nginx
from .static import write_static
from .witness import Witness

_SPARE_FACTOR: Final = 1.5  # pages that the web has for each that is fetched, so that no contender runs dry
_SEED: Final = 7
_REAL_PAGES: Final = 2_599  # of 20 to 60 KB in the recorded web
_PEER_PACKAGES: Final = ("scrapy", "trafilatura", "warcio")
_COLUMNS: Final = ("contender", "pages", "wall s", "pages/s", "CPU ms/page", "kept", "server CPU s")
_LINKS_GOAL: Final = 1.5
_STACK_GOAL: Final = 5.0


class Place(NamedTuple):
    """The web on this machine."""

    web: str
    folder: Path
    port: int
    nginx: str  # its program; "": our own server


def run(pages: int = 8_000, hosts: int = 200, rounds: int = 2, progress: Progress | None = None) -> Report:
    missing = [name for name in _PEER_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(f'the peers are not installed: {", ".join(missing)}. Run pip install "opilio[bench]".')
    web = _web(pages, hosts)
    with tempfile.TemporaryDirectory(prefix="opilio-speed-") as folder:
        place = Place(web, Path(folder), _free_port(), find_nginx())
        job = Job(_prepare(place), pages, place.folder, place.folder / "bytecode")
        turns = [contender for _ in range(rounds) for contender in contenders()]
        runs = []
        for number, contender in enumerate(turns):
            runs.append((contender, *_compete(place, number, contender, job)))
            if progress is not None:
                progress(number + 1, len(turns))
    peers = len(turns) // rounds
    return _report(place, [min(runs[first::peers], key=lambda each: each[1].cpu_s) for first in range(peers)], rounds)


def _web(pages: int, hosts: int) -> str:
    """Uses real pages where there are some, otherwise made ones."""
    recorded = Path(os.environ.get("OPILIO_DATA", "")) / "webs" / "schools.warc.gz"
    if recorded.is_file():
        return f"spread:{hosts},{int(pages * _SPARE_FACTOR / _REAL_PAGES) + 1},{recorded}"
    return f"made:{hosts},{int(pages * _SPARE_FACTOR / hosts) + 1},{_SEED}"


def _prepare(place: Place) -> Path:
    """Writes the files, if nginx is to serve them, and the seeds, which are the home pages of all hosts."""
    addresses = host_addresses(place.web)
    if place.nginx:
        write_static(place.web, place.folder / "web", place.port)
    seeds = place.folder / "seeds.txt"
    seeds.write_text("".join(f"http://{address}:{place.port}/\n" for address in addresses.values()), "utf-8")
    return seeds


def _compete(place: Place, number: int, contender: Contender, job: Job) -> tuple[Run, float]:
    """Returns a contender's run and the server's CPU seconds. Each run has a fresh server, whose cost is known when it ends."""
    own = place.folder / f"contender{number}"
    with _server(place, own / "warm.log"):
        warm_up(contender, job._replace(folder=own / "warm"))
    before_s = children_cpu_s()
    with _server(place, own / "server.log"):
        run = measure(contender, job._replace(folder=own / "crawl"))
    _check(contender, run, job.pages, own / "server.log")
    return run, children_cpu_s() - before_s - run.cpu_s


def _server(place: Place, log: Path) -> contextlib.AbstractContextManager[object]:
    log.parent.mkdir(exist_ok=True)
    if not place.nginx:
        return LoopbackServer(place.web, port=place.port, literal=True, log=log)
    addresses = host_addresses(place.web).values()
    return Nginx(place.nginx, place.folder / "nginx", place.folder / "web", addresses, place.port)


def _check(contender: Contender, run: Run, pages: int, log: Path) -> None:
    """Refuses a crawler that fetched less than it says, or less than the others: it would look fast."""
    if run.told.pages < pages:
        raise OpilioError(f"{contender.name} fetched {run.told.pages} of {pages} pages: the comparison would be unfair")
    if log.exists():
        witness = Witness.of(log)
        served = sum(each.target != "/robots.txt" and each.status == 200 for each in witness.requests)
        if served < run.told.pages:
            raise OpilioError(f"{contender.name} counts {run.told.pages} pages, the server gave it {served}")
        if witness.disallowed({"*": ["/private/"]}):
            raise OpilioError(f"{contender.name} fetched what robots.txt forbids: the comparison would be unfair")


def _report(place: Place, runs: list[tuple[Contender, Run, float]], rounds: int) -> Report:
    rows = [
        (each.name, run.told.pages, run.wall_s, run.told.pages / run.wall_s, run.cpu_ms, run.told.kept, server_s)
        for each, run, server_s in runs
    ]
    ours, links, tuned, stack = (run.cpu_ms for _, run, _ in runs)
    server = "nginx" if place.nginx else "Opilio's own server (nginx is not installed)"
    return Report(
        "speed",
        _COLUMNS,
        rows,
        (
            Goal("CPU per page, against Scrapy following links only", links / ours, _LINKS_GOAL, "times faster"),
            Goal("CPU per page, against the usual stack", stack / ours, _STACK_GOAL, "times faster"),
        ),
        (
            f"Web: {_shown(place.web)}, served by {server}. CPU of whole process trees, start-up included.",
            f"Runs of each: {rounds}; the cheapest is shown.",
            f"Against a spider that replaces Scrapy's filter of duplicates by a set of its own: {tuned / ours:.2f} times faster.",
        ),
        Chart("CPU per page", "milliseconds", tuple((each.name, run.cpu_ms) for each, run, _ in runs)),
    )


def _shown(web: str) -> str:
    """Leaves out the folder of a recorded web, which does not matter to readers."""
    start, comma, path = web.rpartition(",")
    return f"{start}{comma}{Path(path).name}"


def _free_port() -> int:
    """Returns a port that is free on the first address, and so, barring bad luck, on all of them."""
    with socket.socket() as probe:
        probe.bind((BASE, 0))
        return int(probe.getsockname()[1])
