"""The rows of MediaWiki's table of external links, as its SQL dumps have them: a statement that inserts thousands of
rows at once.

Rules: which columns there are is what the dump's own definition of the table says. Older dumps have the URL in one column
(`el_to`), newer ones the host with its labels in reverse (`el_to_domain_index`, such as "https://org.example.www.") and
the rest (`el_to_path`).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_DEFINITION: Final = re.compile(rb"CREATE\s+TABLE\s+`externallinks`")
_COLUMN: Final = re.compile(rb"^\s*`(\w+)`", re.MULTILINE)
_VALUE: Final = rb"(?:_binary )?(NULL|-?[\d.]++|'(?:[^'\\]++|\\.)*+')"
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_PLAIN: Final = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "Z": "\x1a"}
_INDEX: Final = re.compile(r"(https?://)([^:/]+?)\.?(:\d+)?")
_ADDRESS: Final = ("V4.", "V6.")


class LinkRow(NamedTuple):
    page: int  # number of the page that has the link
    url: str


class LinkColumns:
    """Reads rows by the columns of one dump."""

    def __init__(self, names: Sequence[str]) -> None:
        self._page = names.index("el_from")
        self._url = [names.index(name) for name in ("el_to_domain_index", "el_to_path") if name in names]
        self._url = self._url if len(self._url) == 2 else [names.index("el_to")]
        self._row = re.compile(rb"\(%s\)" % b",".join([_VALUE] * len(names)), re.DOTALL)

    @classmethod
    def of(cls, statement: bytes) -> "LinkColumns | None":
        """Returns the columns that a statement defines, or None if it is another statement or another table."""
        if not _DEFINITION.search(statement):
            return None
        names = [name.decode() for name in _COLUMN.findall(statement)]
        known = {"el_from", "el_to"} <= {*names} or {"el_from", "el_to_domain_index", "el_to_path"} <= {*names}
        return cls(names) if known else None

    def rows(self, statement: bytes) -> Iterator[LinkRow]:
        for values in self._row.findall(statement):
            url = "".join(_text(values[place]) for place in self._url[1:])
            head = _text(values[self._url[0]])
            whole = f"{_origin(head)}{url}" if len(self._url) == 2 else head
            whole = f"https:{whole}" if whole.startswith("//") else whole
            if whole.startswith(("http://", "https://")):
                yield LinkRow(int(values[self._page]), whole)


def _text(value: bytes) -> str:
    if not value.startswith(b"'"):
        return ""
    text = value[1:-1].decode("utf-8", "replace")
    return _ESCAPE.sub(lambda found: _PLAIN.get(found[1], found[1]), text) if "\\" in text else text


def _origin(index: str) -> str:
    """Turns "https://org.example.www.:8080" into "https://www.example.org:8080", and anything but http(s) into nothing."""
    found = _INDEX.fullmatch(index)
    if found is None:
        return ""
    scheme, host, port = found.groups("")
    plain = host[3:] if host.startswith(_ADDRESS) else ".".join(reversed(host.split(".")))
    return f"{scheme}{plain}{port}"
