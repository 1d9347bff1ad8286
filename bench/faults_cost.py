"""What reading a page costs: processor time and memory of a child process that does nothing else."""

import os
import resource
import struct
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from opilio.core.limits import Limits
from opilio.core.url import Url, parse
from opilio.fetch.decode import decode, decode_start
from opilio.glean import glean

from .siege_attacks import bomb

CODINGS: Final = ("gzip", "deflate", "br", "zstd")
MOST_BOMB_S: Final = 0.1
MOST_BOMB_MB: Final = 3 * Limits().decoded_bytes / 1e6
MOST_CPU_S: Final = 2.0
MOST_MEMORY_MB: Final = 150.0
_FATAL_CPU_S: Final = 60
_FORM: Final = struct.Struct("dd")


class Cost(NamedTuple):
    cpu_s: float
    memory_mb: float

    @property
    def share(self) -> float:
        """Returns the share of what a page may cost, by whichever bound is nearer."""
        return max(self.cpu_s / MOST_CPU_S, self.memory_mb / MOST_MEMORY_MB)


def measure(html: str) -> Cost:
    body = html.encode("utf-8", "replace")
    return measure_call(lambda: _glean(body))


def measure_bomb(coding: str, role: str) -> Cost:
    """Returns what a compression bomb costs as a page or as robots.txt. As a redirect or a 404 it is not even read."""
    packed, limits = bomb(coding), Limits()
    if role == "robots":
        return measure_call(lambda: decode_start(packed, coding, limits.robots_bytes + 1))
    return measure_call(lambda: decode(packed, coding, limits.decoded_bytes))


def measure_call(act: Callable[[], object]) -> Cost:
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        os.write(theirs, _FORM.pack(*_spent(act)))
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return Cost(*_FORM.unpack(told)) if told else Cost(_FATAL_CPU_S, 0.0)


def warm_up() -> None:
    """Loads what pages load, so that children have it already: one of a known encoding, and one whose encoding is guessed by a
    model that takes a fifth of a second to load."""
    _glean(b"<p>A text of some words that is read before anything is measured.")
    _glean("<p>Für später: ein Text, dessen Buchstaben erst erraten werden müssen.".encode("latin-1"), "text/html")


def _spent(act: Callable[[], object]) -> Cost:
    resource.setrlimit(resource.RLIMIT_CPU, (_FATAL_CPU_S, _FATAL_CPU_S))
    before_kb, began_s = _peak_kb(), time.process_time()
    act()
    return Cost(time.process_time() - began_s, (_peak_kb() - before_kb) / 1024)


def _glean(body: bytes, content_type: str = "text/html; charset=utf-8") -> None:
    url = parse("http://a.example/x")
    assert isinstance(url, Url)
    glean(url, 0, (("Content-Type", content_type),), body, Limits())


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
