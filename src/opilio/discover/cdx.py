"""A line of a Common Crawl index: which page was stored, what it was, and where in the archive it lies.

Lines of index files begin with a sort key and a time before their JSON; those of the interface are JSON alone.
"""

from typing import Final, NamedTuple

import msgspec

from opilio.core.languages import find_code

_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


class _Line(msgspec.Struct, rename={"detected": "mime-detected"}):
    url: str
    status: str = ""
    mime: str = ""
    detected: str = ""
    languages: str = ""
    filename: str = ""
    offset: str = ""
    length: str = ""


class Capture(NamedTuple):
    url: str
    status: str
    mime: str
    language: str  # the first that the index names, as the language identifier calls it; "" if it names none
    place: str  # in the archive: FILE:OFFSET+LENGTH

    @property
    def is_page(self) -> bool:
        return self.status == "200" and self.mime in _HTML


def read_line(line: bytes) -> Capture | None:
    """Returns the capture, or None if this is not a line of an index."""
    start = line.find(b"{")
    try:
        found = msgspec.json.decode(line[start:] if start > 0 else line, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    first = found.languages.partition(",")[0]
    place = f"{found.filename}:{found.offset}+{found.length}" if found.filename else ""
    return Capture(found.url, found.status, found.detected or found.mime, find_code(first) or first, place)
