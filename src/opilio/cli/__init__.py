"""The command line: one file per verb, each loading what it needs when it is called, so that `--help` is instant.

Exit codes: 0 done, 1 a goal or check failed (with --strict), 2 an error that the operator can fix (the message says
how), 3 a crawl of which no seed led to a page with text (the message names each with its cause), 130 stopped by Ctrl-C twice.
"""

from .app import main

__all__ = ["main"]
