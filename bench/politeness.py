"""Is a big, fast crawl polite? The servers' log is the witness, not the crawler.

A web of many hosts that ask for patience in every way there is (`opilio.webs.moody`): a Crawl-delay, Retry-After, a robots.txt
that redirects to another host. The first fifty live at one address, and every fourth of the others at its neighbour's. The
pause between two requests is short so that the crawl presses against it all the time. A gap is measured from the end
of an answer to the start of the next request to the same host or address, robots.txt included.
"""

import math
import subprocess
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.errors import OpilioError
from opilio.webs.made import CRAWL_DELAY_S
from opilio.webs.moody import REFUSALS, RETRY_AFTER_S
from opilio.webs.server import LoopbackServer
from opilio.webs.web import open_web

from .chart import Chart
from .child import command, environment
from .form import Goal, Report
from .witness import Request, Witness

_SHARE: Final = 4
_DELAY_S: Final = 0.25
_SLACK_S: Final = 2e-6  # the log's times are rounded to microseconds
_CROWD: Final = 50  # hosts that live at one address
_SEED: Final = 11
_BINS: Final = (1.0, 1.5, 2.0, 4.0, 8.0)  # gaps in units of the delay
_FORBIDDEN_PATHS: Final = {"*": ["/private/"]}


def run(pages: int = 20_000, hosts: int = 400, seed: int = _SEED) -> Report:
    web = f"moody:{hosts},{3 * pages // hosts + 2},{seed}"
    with tempfile.TemporaryDirectory(prefix="opilio-politeness-") as folder:
        log = Path(folder) / "server.log"
        with LoopbackServer(web, share=_SHARE, crowd=_CROWD, log=log) as server:
            started_s = time.monotonic()
            _crawl(server, Path(folder) / "crawl", pages)
            seconds = time.monotonic() - started_s
        return _report(web, Witness.of(log), pages, seconds)


def _crawl(server: LoopbackServer, folder: Path, pages: int) -> None:
    """Crawls through the command line, with every host as a seed, so that requests go to all of them from the beginning."""
    folder.mkdir()
    quote = msgspec.json.encode  # a JSON string is a TOML string
    hosts = "\n".join(f"{quote(host).decode()} = {quote(address).decode()}" for host, address in server.hosts.items())
    (folder / "crawl.toml").write_text(
        f"[fetch]\ndelay_s = {_DELAY_S}\nallow_private_addresses = true\n[fetch.hosts]\n{hosts}\n"
        f"[stop]\npages = {pages}\n[seeds]\nfiles = ['seeds.txt']\n",
        "utf-8",
    )
    (folder / "seeds.txt").write_text("".join(f"{server.origin(host)}/\n" for host in server.hosts), "utf-8")
    done = subprocess.run(
        command("opilio", "crawl", folder, "--quiet"), stderr=subprocess.PIPE, env=environment(), check=False
    )
    if done.returncode:
        raise OpilioError(
            f"the crawl ended with code {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-2000:]}"
        )


def _report(web: str, witness: Witness, pages: int, seconds: float) -> Report:
    hosts = witness.host_counts()
    slow = _slow_hosts(web)
    close = witness.gaps_under(_DELAY_S, _SLACK_S)
    known_s = {
        each.host: each.end_s for each in witness.requests if each.target == "/robots.txt" and each.status == 200
    }
    too_soon = [
        gap
        for gap in witness.gaps_under(CRAWL_DELAY_S, _SLACK_S)
        if gap.of in slow and gap.before.end_s >= known_s.get(gap.of, math.inf)  # it cannot be kept before it is known
    ]
    refused = [
        gap for gap in witness.gaps_under(RETRY_AFTER_S, _SLACK_S) if gap.of in hosts and gap.before.status in REFUSALS
    ]
    parallel = [each for each in witness.parallel_connections() if each.of in hosts]
    forbidden = witness.disallowed(_FORBIDDEN_PATHS)
    fetched = [request for request in witness.requests if not request.target.endswith(".txt")]
    redirected = [each for each in witness.requests if each.target == "/robots.txt" and each.status == 302]
    rows: tuple[tuple[str, str | int | float], ...] = (
        ("pages fetched", len(fetched)),
        ("requests", len(witness.requests)),
        ("robots.txt that redirected", len(redirected)),
        ("answers with Retry-After", sum(each.status in REFUSALS for each in witness.requests)),
        ("pages fetched more than once", sum(n > 1 for n in Counter((r.host, r.target) for r in fetched).values())),
        ("hosts", len(hosts)),
        ("addresses", len(witness.address_counts())),
        ("hosts with a Crawl-delay", len(slow.intersection(hosts))),
        ("delay, s", _DELAY_S),
        ("shortest gap of a host, s", min(_gaps(witness.requests), default=0.0)),
        ("pages/s", len(fetched) / seconds),
        ("wall s", seconds),
    )
    return Report(
        "politeness",
        ("figure", "value"),
        rows,
        (
            Goal("pages fetched", len(fetched), pages, "pages"),
            Goal("gaps under the delay, per host and per address", len(close), 0, "gaps", at_least=False),
            Goal("gaps under a host's own Crawl-delay", len(too_soon), 0, "gaps", at_least=False),
            Goal("gaps under Retry-After", len(refused), 0, "gaps", at_least=False),
            Goal("parallel connections to a host", len(parallel), 0, "connections", at_least=False),
            Goal("disallowed URLs fetched", len(forbidden), 0, "URLs", at_least=False),
        ),
        (f"Web: {web}, {_CROWD} hosts at one address, every {_SHARE}th of the others at its neighbour's.",),
        Chart("Gaps between requests to a host", "gaps", _histogram(witness.requests)),
    )


def _slow_hosts(web: str) -> set[str]:
    """Returns the hosts whose robots.txt asks for a Crawl-delay."""
    made = open_web(web)
    return {host for host in made.hosts if b"Crawl-delay" in made.answer(host, "/robots.txt").body}


def _gaps(requests: list[Request]) -> list[float]:
    """Returns the gaps between the requests to each host, in seconds."""
    by_host: dict[str, list[Request]] = {}
    for request in requests:
        by_host.setdefault(request.host, []).append(request)
    return [after.start_s - before.end_s for row in by_host.values() for before, after in pairwise(row)]


def _histogram(requests: list[Request]) -> tuple[tuple[str, float], ...]:
    counts = Counter(sum(gap + _SLACK_S >= edge * _DELAY_S for edge in _BINS) for gap in _gaps(requests))
    labels = [
        "under the delay",
        *(f"{low:g} to {high:g} delays" for low, high in pairwise(_BINS)),
        f"{_BINS[-1]:g} or more",
    ]
    return tuple((label, float(counts[place])) for place, label in enumerate(labels))
