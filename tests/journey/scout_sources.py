"""A source for tests, and how the command finds it."""

import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from opilio.core.outcome import Outcome
from opilio.discover import Ask, Find, Memory, Question, Source, SourceError
from tests.builders import ROOT, SOURCE, install_plugin

HREF = re.compile(rb'href="(http[^"]+)"')


class Hubs(Source):
    """The links to other hosts on the home page of a host, and on the pages that it links to."""

    def __init__(self, where: str, most: int = 8) -> None:
        self._where = where
        self._most = most

    async def finds(self, ask: Ask, memory: Memory) -> AsyncIterator[Sequence[Find]]:
        memory.setdefault("0000", self._where.encode())
        done = int(memory.get("done", b"0"))
        while done < self._most and (url := memory.get(f"{done:04}", b"").decode()):
            fetched = await ask(Question(url, robots=True))
            if fetched.outcome is not Outcome.OK:
                raise SourceError(f"hubs: {url} cannot be read ({fetched.outcome.words}). Name another page.")
            links = list(dict.fromkeys(found.decode() for found in HREF.findall(fetched.body)))
            done += 1
            for number, link in enumerate(links[: self._most - done], len(memory) - ("done" in memory)):
                memory[f"{number:04}"] = link.encode()
            memory["done"] = str(done).encode()
            yield [Find(link, origin=url, group="hub") for link in links]


def with_sources(folder: Path) -> str:
    """Returns the path of packages for a command that knows this source."""
    install_plugin(folder, "source", "hubs", f"{__name__}:Hubs")
    return f"{SOURCE}:{ROOT}:{folder}"
