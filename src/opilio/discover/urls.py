"""Lists of URLs: one a line, with "#" before comments, in a file or at a URL."""

import re
from collections.abc import Iterable
from typing import ClassVar, Final

from .file_source import FileSource
from .find import Find

_COMMENT: Final = re.compile(r"(?:^|\s)#.*")  # a "#" inside of a URL begins its fragment
_BARE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:[:/?]\S*)?")


class Urls(FileSource):
    name: ClassVar[str] = "urls"

    def read(self, record: bytes) -> Iterable[Find]:
        line = _COMMENT.sub("", record.decode("utf-8-sig", "replace")).strip()
        return [Find(with_scheme(line), origin=self.where)] if line else []


def with_scheme(url: str) -> str:
    """Completes a URL that is written as people do, such as www.example.org/page."""
    return f"http://{url}" if _BARE.fullmatch(url) and "://" not in url.partition("/")[0] else url
