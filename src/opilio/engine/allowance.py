"""What one page may cost a worker process, by the kernel's own counting: the last defence, for what no bound on markup foresaw.

Rules: a page that takes too much processor time ends its worker, by a signal that no library can hold up, and the pool says
so in the page's drop. A page that takes too much memory gets a MemoryError, which costs that page alone, or its worker if a
library cannot handle it. While a PDF is read, both limits are tight: a few bytes of it can keep the reader drawing without end.
Neither holds while numeric code is compiled, nor for a judge that is set up: the memory is counted from what the worker has when
everything is loaded. Where the kernel cannot count, there is no limit.
"""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from opilio.core.limits import Limits

_STATUS: Final = Path("/proc/self/status")
_PDF_CPU_S: Final = 2.0
_LEAST_CPU_S: Final = 0.01  # 0 would switch the limit off
_PDF_MEMORY_BYTES: Final = 150 * 2**20


class Allowance:
    """Holds for the body of a `with` statement."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._is_loaded = False
        self._most_bytes = resource.RLIM_INFINITY

    def __enter__(self) -> Self:
        signal.setitimer(signal.ITIMER_PROF, self._limits.page_cpu_s)
        return self

    def __exit__(self, *_error: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        self.hold()

    def hold(self) -> None:
        """Lets the limit on memory count from what the worker has now, unless it holds already."""
        if not self._is_loaded and (now_bytes := _data_bytes()):
            self._is_loaded = True
            self._most_bytes = now_bytes + self._limits.page_memory_bytes
            _limit_memory(self._most_bytes)

    @contextmanager
    def narrowed(self) -> Iterator[None]:
        """Holds a PDF to what is left of the page's allowance, and to less."""
        left_s, _ = signal.getitimer(signal.ITIMER_PROF)
        if not left_s or not self._is_loaded:
            yield
            return
        narrow_s = min(left_s, _PDF_CPU_S)
        signal.setitimer(signal.ITIMER_PROF, narrow_s)
        _limit_memory(min(self._most_bytes, _data_bytes() + _PDF_MEMORY_BYTES))
        try:
            yield
        finally:
            if self._is_loaded:  # the limits may have been lifted meanwhile
                unused_s, _ = signal.getitimer(signal.ITIMER_PROF)
                signal.setitimer(signal.ITIMER_PROF, max(_LEAST_CPU_S, left_s - narrow_s + unused_s))
                _limit_memory(self._most_bytes)

    def begin_anew(self, limits: Limits) -> None:
        """Lets the worker load another judge."""
        self._limits = limits
        self.lift()

    def lift(self) -> None:
        """Ends the limits for the present page. They come back with the next one."""
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        if self._is_loaded:
            self._is_loaded = False
            _limit_memory(resource.RLIM_INFINITY)


def _limit_memory(most_bytes: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (most_bytes if hard == resource.RLIM_INFINITY else hard, hard))


def _data_bytes() -> int:
    """Returns how much memory of its own this process has, or 0 where the kernel does not say."""
    if not _STATUS.exists():
        return 0
    lines = _STATUS.read_text("ascii", "replace").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData:")), 0)
