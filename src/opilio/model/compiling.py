"""What numba compiles, and the one line that tells people why they wait.

A kernel is compiled when it is first called on a machine and loaded from numba's cache from then on. All kernels of a crawl
take about half a minute together, in which a program that says nothing looks stuck.

Rules: kernels take `njit` from here. A process says the line once, and only if something is really compiled. A child process
does not write to a terminal that its owner draws on: it tells its owner, which says the line (`report_to`).
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

LINE: Final = "Compiling numeric code for this machine; this happens only once and takes up to half a minute."

_reports: list[Callable[[], None]] = []
_starts: list[Callable[[], None]] = []


@lru_cache(maxsize=1)
def announce() -> None:
    """Says the line to people, or to the owner of this process, the first time that it is called."""
    if _reports:
        _reports[-1]()
    else:
        print(LINE, file=sys.stderr, flush=True)  # noqa: T201


def report_to(report: Callable[[], None]) -> None:
    """Lets the announcement of this process be a call of `report` from now on."""
    _reports.append(report)


def before_compiling(call: Callable[[], None]) -> None:
    """Calls this from now on before each compilation, say to lift a bound that is not meant for it."""
    _starts.append(call)


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """numba's decorator of the same name. numba is imported by the first kernel, which takes 0.4 s."""
    import numba  # noqa: PLC0415

    _listen()
    return numba.njit(function, **options)


@lru_cache(maxsize=1)
def _listen() -> None:
    from numba.core import event  # noqa: PLC0415

    class Compilations(event.Listener):
        def on_start(self, event: object) -> None:  # noqa: ARG002
            announce()
            for start in _starts:
                start()

        def on_end(self, event: object) -> None:
            pass

    event.register("numba:compile", Compilations())  # type: ignore[no-untyped-call]
