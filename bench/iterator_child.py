"""A Python program that uses a crawl's documents, for `bench iterator`: `python -m bench.iterator_child FOLDER JOURNAL SEED
PAGES`.

It takes up to 30 documents, leaves the loop, and begins again, until the crawl has fetched PAGES pages and handed out all of its
documents. A line of the journal is the URL of a document whose processing is finished, on the disk; "#" is a loop that was left.
"""

import os
import sys
from pathlib import Path
from random import Random
from typing import Final

import opilio

_MOST: Final = 30


def consume(folder: Path, journal: Path, seed: int, pages: int) -> None:
    random = Random(seed)
    out = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    while _take(folder, out, random.randint(1, _MOST), pages):
        os.write(out, b"#\n")


def _take(folder: Path, out: int, most: int, pages: int) -> bool:
    """Takes this many documents. Returns False if the crawl ended before."""
    for number, document in enumerate(opilio.crawl(folder, seeds=folder / "seeds.txt", pages=pages, workers=1), 1):
        os.write(out, f"{document.url}\n".encode())
        os.fsync(out)
        if number == most:
            return True
    return False


if __name__ == "__main__":
    consume(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
