"""What an address says before anything was fetched from it, beside its words: its folder, its host, the languages that it names.

A language is named by a code that stands alone in the address (`/de/`, `.de.`, `?lang=de`), by the link's `hreflang`, or by a
top-level domain of countries where it is spoken. Whether a named language is wanted may change; what is named does not.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from opilio.model.commonness import languages as known_languages
from opilio.model.url_language import TOP_LEVEL

from .yields import Yields

_CODE: Final = re.compile(r"[/.\-_=]([a-z]{2})(?=[/.\-_&]|$)")


class Addresses:
    def __init__(self, folders: Yields, hosts: Yields, wanted: Sequence[str]) -> None:
        self._folders, self._hosts = folders, hosts
        codes = sorted({*known_languages(), *TOP_LEVEL.values()})
        self._codes = {code: number for number, code in enumerate(codes, 1)}
        self.hints = np.zeros(len(codes) + 1)  # 1: wanted, -1: another one; the first is for none
        self.want(wanted)

    def want(self, languages: Iterable[str]) -> None:
        wanted = [self._codes[code] for code in languages if code in self._codes]
        if wanted:
            self.hints[1:] = -1.0
            self.hints[wanted] = 1.0

    def signs(self, url: str, host: str, hreflang: str) -> tuple[int, int, int, int]:
        """Slots of its folder and host, and the numbers of the languages named by it and by its domain."""
        hint = self._codes.get(hreflang[:2].lower(), 0)
        if not hint:
            path = url.partition("://")[2].lower().removeprefix(host)
            first = host.partition(".")[0]
            hint = next((self._codes[code] for code in _CODE.findall(path) if code in self._codes), 0)
            hint = hint or (self._codes.get(first, 0) if len(first) == 2 else 0)
        domain = self._codes.get(TOP_LEVEL.get(host.rpartition(".")[2], ""), 0)
        return self.folder(url), self.host(host), hint, domain

    def folder(self, url: str) -> int:
        return self._folders.slot(url.rpartition("/")[0])

    def host(self, host: str) -> int:
        return self._hosts.slot(host)
