"""Python's collector of cyclic garbage, as a program that crawls needs it: rarely. A page makes thousands of objects and hardly
a cycle, and the collector would look at all of them again and again, and once more at the end."""

import atexit
import gc
from typing import Final

_THRESHOLDS: Final = (50_000, 20, 20)


def collect_rarely() -> None:
    """Lets the collector of this process run rarely from now on, and leave what is there already alone. For whole programs only:
    whoever imports Opilio decides for himself."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    atexit.register(gc.freeze)
