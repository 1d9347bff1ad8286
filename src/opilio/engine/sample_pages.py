"""The texts of pages that were fetched because their URLs are among the samples.

They lie in the crawl's folder, in `sample-pages.jsonl`, one page a line, so that a resumed crawl does not fetch them again and
judges with the same texts. To have a page fetched anew, remove its line.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from opilio.core.durable import replacing
from opilio.core.errors import ConfigError

_FILE_NAME: Final = "sample-pages.jsonl"


class _Line(msgspec.Struct):
    url: str
    text: str


def remembered(folder: Path) -> dict[str, str]:
    """Returns the texts by their URLs; there are none in a folder that has fetched no sample."""
    path = folder / _FILE_NAME
    try:
        lines = path.read_bytes().splitlines() if path.exists() else []
        pages = [msgspec.json.decode(line, type=_Line) for line in lines]
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"cannot read {path}: {error}. Remove it, and its pages are fetched again.") from error
    return {page.url: page.text for page in pages}


def remember(folder: Path, pages: Mapping[str, str]) -> None:
    with replacing(folder / _FILE_NAME) as path:
        path.write_bytes(b"".join(msgspec.json.encode(_Line(*page)) + b"\n" for page in pages.items()))
