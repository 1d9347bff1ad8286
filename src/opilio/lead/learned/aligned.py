"""Arrays that begin at a line of the processor's cache, so that an element no larger than a line never lies across two."""

from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike

LINE: Final = 64  # bytes


def aligned_zeros(size: int, kind: DTypeLike) -> Any:
    wanted = size * np.dtype(kind).itemsize
    room = np.zeros(wanted + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + wanted].view(kind)
