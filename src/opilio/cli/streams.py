"""Standard streams that are closed from the start, or whose reader goes away, as in `opilio crawl DIR 2>&1 | head`.

Words for people are not worth a crawl: what nobody can read any more is dropped, and the crawl goes on. Data on stdout is
another matter, and its verbs end when nobody reads it.
"""

import io
import os
import sys


def secure_streams() -> None:
    """Is called before any file is opened, because a file would get the number of a closed stream, and with it the words."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            if (opened := os.open(os.devnull, os.O_RDWR)) != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    if (plain := sys.__stderr__) is not None and sys.stderr is plain:
        sys.stderr = _Words(plain.buffer, plain.encoding, plain.errors, line_buffering=True)


class _Words(io.TextIOWrapper):
    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            return self._give_up(text)

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            self._give_up("")

    def _give_up(self, text: str) -> int:
        """Lets whatever is written from now on arrive nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        return len(text)
