"""What an address says before anything was fetched from it, beside its words: its folder, its host, the languages that it names.

A language is named by a code that stands alone in the address (`/de/`, `.de.`, `?lang=de`), by the link's `hreflang`, or by a
top-level domain of countries where it is spoken. Of several codes that before the ending counts (`/nl/index.es.html`), as servers
name the translations of one file, or else the first. Whether a named language is wanted may change; what is named does not.

Costs 2 microseconds a link, because hosts are remembered.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from opilio.model.commonness import languages as known_languages
from opilio.model.url_language import TOP_LEVEL

from .yields import Yields

_CODE: Final = re.compile(r"[/.\-_=]([a-z]{2})(?=[/.\-_&]|$)")
_BEFORE_ENDING: Final = re.compile(r"\.([a-z]{2})\.[a-z]{3,5}$")
_AFTER_SCHEME: Final = len("https://")  # or the first letter of a host and what comes before it
_HOSTS: Final = 16_384  # remembered


class Addresses:
    def __init__(self, folders: Yields, hosts: Yields, wanted: Sequence[str]) -> None:
        self._folders, self._hosts = folders, hosts
        codes = sorted({*known_languages(), *TOP_LEVEL.values()})
        self._codes = {code: number for number, code in enumerate(codes, 1)}
        self._known: dict[str, tuple[int, int, int]] = {}
        self.hints = np.zeros(len(codes) + 1)  # 1: wanted, -1: another one; the first is for none
        self.want(wanted)

    def want(self, languages: Iterable[str]) -> None:
        wanted = [self._codes[code] for code in languages if code in self._codes]
        if wanted:
            self.hints[1:] = -1.0
            self.hints[wanted] = 1.0

    def signs(self, url: str, host: str, hreflang: str) -> tuple[int, int, int, int]:
        """Slots of its folder and host, and the numbers of the languages named by it and by its domain."""
        slot, hint, domain = self._known.get(host) or self._of_host(host)
        if hreflang and (named := self._codes.get(hreflang[:2].lower(), 0)):
            hint = named
        elif (path := url.find("/", _AFTER_SCHEME)) > 0:
            address = url.lower()
            for code in (*_BEFORE_ENDING.findall(address, path), *_CODE.findall(address, path)):
                if code in self._codes:
                    hint = self._codes[code]
                    break
        return self._folders.slot(url[: max(0, url.rfind("/"))]), slot, hint, domain

    def folder(self, url: str) -> int:
        return self._folders.slot(url[: max(0, url.rfind("/"))])

    def host(self, host: str) -> int:
        return self._hosts.slot(host)

    def _of_host(self, host: str) -> tuple[int, int, int]:
        """Its slot, and the languages that its first part and its domain name."""
        if len(self._known) >= _HOSTS:
            self._known.clear()
        first, domain = host.partition(".")[0], TOP_LEVEL.get(host.rpartition(".")[2], "")
        found = self.host(host), self._codes.get(first, 0) if len(first) == 2 else 0, self._codes.get(domain, 0)
        self._known[host] = found
        return found
