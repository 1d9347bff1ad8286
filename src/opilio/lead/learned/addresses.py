"""What an address says besides its words, before anything is fetched from it: its folder, its host, the languages it names.

A language is named by a code that stands alone in the address (`/de/`, `.de.`, `?lang=de`), by the link's `hreflang`, or by a
top-level domain of countries where it is spoken. Of several codes, the one before the ending counts (`/nl/index.es.html`), as
servers name the translations of one file that way, or else the first. Which languages are wanted may change; which are named
does not.

Costs half a microsecond per link, because hosts are remembered, and many addresses are read at once.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from opilio.model.commonness import languages as known_languages
from opilio.model.term_slots import checksums
from opilio.model.url_language import TOP_LEVEL

from .kernels.addresses import read
from .yields import Yields

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_HOST_ROOM: Final = 16_384  # hosts that are remembered


class Addresses:
    def __init__(self, folders: Yields, hosts: Yields, wanted: Sequence[str]) -> None:
        self._folders, self._hosts = folders, hosts
        codes = sorted({*known_languages(), *TOP_LEVEL.values()})
        self._codes = {code: number for number, code in enumerate(codes, 1)}
        self._pairs = np.array([self.number(first + second) for first in _LETTERS for second in _LETTERS])
        self._known: dict[str, tuple[int, int, int]] = {}
        self.hints = np.zeros(len(codes) + 1)  # by number: 1 wanted, -1 another language; number 0 means none
        self.want(wanted)

    def want(self, languages: Iterable[str]) -> None:
        wanted = [number for code in languages if (number := self.number(code))]
        if wanted:
            self.hints[1:] = -1.0
            self.hints[wanted] = 1.0

    def signs(self, links: Sequence[tuple[str, str, str]]) -> NDArray[np.int64]:
        """Takes URL, host and `hreflang` of links. Returns, for each, the slots of folder and host, the number of the language
        that the link names, and that of its domain."""
        found = np.array([self._named(host, hreflang) for _, host, hreflang in links], np.int64).reshape(-1, 4)
        data, ends = _joined([url for url, _, _ in links])
        read(data, ends, self._pairs, checksums(), len(self._folders.table), found)
        return found

    def number(self, code: str) -> int:
        """Returns the number of a language, or 0 if it is not known."""
        return self._codes.get(code, 0)

    def folder(self, url: str) -> int:
        return self._folders.slot(url[: max(0, url.rfind("/"))])

    def host(self, host: str) -> int:
        return self._hosts.slot(host)

    def _named(self, host: str, hreflang: str) -> tuple[int, int, int, int]:
        """Returns -1 if `hreflang` names a language, so that the address need not be asked; the slot of the host; the language
        by `hreflang` or host; and that of the domain."""
        slot, hint, domain = self._known.get(host) or self._of_host(host)
        if hreflang and (named := self.number(hreflang[:2].lower())):
            return -1, slot, named, domain
        return 0, slot, hint, domain

    def _of_host(self, host: str) -> tuple[int, int, int]:
        """Returns its slot, and the languages that its first part and its domain name."""
        if len(self._known) >= _HOST_ROOM:
            self._known.clear()
        first, domain = host.partition(".")[0], TOP_LEVEL.get(host.rpartition(".")[2], "")
        found = self.host(host), self.number(first) if len(first) == 2 else 0, self.number(domain)
        self._known[host] = found
        return found


def _joined(urls: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Returns the bytes of all URLs, and where those of each end."""
    joined = "".join(urls)
    if joined.isascii():
        data, lengths = joined.encode("ascii"), [len(url) for url in urls]
    else:
        encoded = [url.encode("utf-8", "surrogatepass") for url in urls]
        data, lengths = b"".join(encoded), [len(url) for url in encoded]
    return np.frombuffer(data, np.uint8), np.cumsum(lengths)
