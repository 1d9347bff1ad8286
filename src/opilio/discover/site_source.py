"""A source that visits sites one after the other, and on each of them some files that lead to further ones: sitemaps and feeds.

WHERE is a URL, a host, or a file that lists these, one a line. The memory has where the work stands (which site, and
which of its files are left), and the digest of each file that was read, so that the next run says nothing of files that
have not changed. When all sites are done, the next run begins again.

A file that cannot be read does not end the work. When everything else is done, the source says what it could not read.
"""

import hashlib
from abc import abstractmethod
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

import msgspec

from opilio.core.url import is_url

from .find import Find
from .source import Ask, Memory, Source, SourceError
from .urls import with_scheme

_WORK: Final = "work"
_MOST_SITES: Final = 100_000
_MOST_FAILURES: Final = 5  # named in the message


class Visited(NamedTuple):
    """What one file has given."""

    digest: bytes
    finds: Sequence[Find]
    further: Sequence[str] = ()  # files that it names


class _Work(msgspec.Struct, array_like=True):
    site: int = 0  # the place of the site in the list
    left: list[tuple[str, int]] = []  # files and their depths
    files: int = 0  # of this site that were read
    urls: int = 0  # of this site that were found
    is_begun: bool = False


class SiteSource(Source):
    name: ClassVar[str]

    def __init__(self, where: str, files: int, depth: int, urls: int) -> None:
        if not where:
            raise SourceError(f"{self.name}: name a URL, a host or a file that lists them: --source {self.name}=WHERE.")
        self._where, self._most_files, self._most_depth, self._most_urls = where, files, depth, urls

    @abstractmethod
    async def enter(self, ask: Ask, site: str) -> Sequence[str]:
        """Returns the files with which a site begins."""

    @abstractmethod
    async def visit(self, ask: Ask, url: str) -> Visited:
        """Reads one file."""

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        sites, failures = self._sites(), []
        work = msgspec.json.decode(memory[self._key], type=_Work) if self._key in memory else _Work()
        while work.site < len(sites):
            found: Sequence[Find] = ()
            try:
                if not work.is_begun:
                    work.left, work.is_begun = [(url, 0) for url in await self.enter(ask, sites[work.site])], True
                elif work.left:
                    found = await self._visit(ask, memory, work)
                else:
                    work = _Work(work.site + 1)
            except SourceError as error:
                failures.append(str(error))
                work.is_begun = True
            memory[self._key] = msgspec.json.encode(work)
            yield found  # even if it is empty: what was asked is not asked again after a kill, or when the budget is spent
        memory.pop(self._key, None)
        yield ()
        self._complain(failures, len(sites))

    @property
    def _key(self) -> str:
        return f"{_WORK} {self._where}"

    async def _visit(self, ask: Ask, memory: Memory, work: _Work) -> Sequence[Find]:
        (url, depth), work.left = work.left[0], work.left[1:]
        work.files += 1
        visited = await self.visit(ask, url)
        if depth < self._most_depth:
            known = {url, *(each for each, _ in work.left)}
            room = max(0, self._most_files - work.files - len(work.left))
            further = [(each, depth + 1) for each in dict.fromkeys(visited.further) if each not in known]
            work.left += further[:room]
        if memory.get(url) == visited.digest:
            return ()
        memory[url] = visited.digest
        found = visited.finds[: max(0, self._most_urls - work.urls)]
        work.urls += len(found)
        if work.urls >= self._most_urls:
            work.left = []
        return found

    def _sites(self) -> list[str]:
        if is_url(self._where):
            return [self._where]
        path = Path(self._where).expanduser()
        if not path.is_file():
            if (url := with_scheme(self._where)) != self._where:
                return [url]
            raise SourceError(f"{self.name}: {self._where} is neither a URL nor a host, nor a file that exists.")
        lines = (line.partition(" #")[0].strip() for line in path.read_text("utf-8-sig", "replace").splitlines())
        return [with_scheme(line) for line in lines if line and not line.startswith("#")][:_MOST_SITES]

    def _complain(self, failures: Sequence[str], sites: int) -> None:
        if not failures:
            return
        if sites == 1 and len(failures) == 1:
            raise SourceError(failures[0])
        named = "; ".join(failures[:_MOST_FAILURES])
        more = f"; and {len(failures) - _MOST_FAILURES:,} more" if len(failures) > _MOST_FAILURES else ""
        raise SourceError(f"{self.name}: {len(failures):,} files of {sites:,} sites could not be read. {named}{more}")


def digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=8).digest()
