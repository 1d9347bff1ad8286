"""The text of `bench lm`, page by page: all that is visible on the recorded pages of OPILIO_DATA, or made text without
them.

Made text has many rare words, as Zipf's law has it, and sentences of every length. It is not a language, so its figures
cannot be compared with those of real text.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from fastwarc.warc import ArchiveIterator, WarcRecordType

from opilio.core.items import Page
from opilio.core.limits import Limits
from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.glean import glean

_MADE_PAGES: Final = 2_000
_SENTENCES: Final = 40  # of a made page
_RARE_WORDS: Final = 60_000  # made words


def recorded_web() -> Path | None:
    path = Path(os.environ.get("OPILIO_DATA", "")) / "webs" / "schools.warc.gz"
    return path if path.is_file() else None


def pages_of_text(count: int) -> Iterator[str]:
    """Yields at most `count` pages; 0 means all of them."""
    web = recorded_web()
    for number, text in enumerate(_recorded(web) if web else _made(count or _MADE_PAGES)):
        if count and number >= count:
            return
        yield text


def _recorded(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            url = parse(record.headers["WARC-Target-URI"])
            headers = tuple(record.http_headers)
            if isinstance(url, Drop):
                continue
            page = glean(url, 0, headers, record.reader.read(), Limits(), context=False)
            if isinstance(page, Page):
                yield "\n".join(block.text for block in page.blocks)


def _made(count: int) -> Iterator[str]:
    random = Random(1)
    for _ in range(count):
        yield "\n".join(" ".join(_word(random) for _ in range(random.randint(3, 30))) for _ in range(_SENTENCES))


def _word(random: Random) -> str:
    return "w" + "".join(chr(97 + int(digit)) for digit in str(int(random.paretovariate(0.6)) % _RARE_WORDS))
