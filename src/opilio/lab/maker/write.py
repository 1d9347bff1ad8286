"""Writes a made web to disk, page after page: WEB.warc.gz, WEB.labels.tsv and WEB.seeds.txt.

Invariant: the same parameters and the same texts give the same bytes. The three files appear together when all is
written; only a run that was killed leaves hidden files that end in `.part`.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

import msgspec

from opilio.core.durable import replacing
from opilio.core.errors import ConfigError
from opilio.keep import info_record, payload_digest, response_record

from .address import Addresses
from .library import Library
from .links import Links
from .markup import Markup
from .parameters import Parameters
from .plan import TODAY, Page, Plan
from .statistics import Statistics

_SUFFIX: Final = ".warc.gz"
_GZIP_LEVEL: Final = 1
_INNER_NAME: Final = "made.warc.gz"  # the name inside the file, so that its name on disk does not change its bytes
_RECORDED_AT: Final = f"{TODAY}T00:00:00Z"

Progress = Callable[[int, int], None]


def make_web(
    output: Path, parameters: Parameters, library: Library | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Writes the web and returns its statistics."""
    plan = Plan(parameters, library or Library.find())
    with ExitStack() as whole:  # the web itself appears last
        parts = [whole.enter_context(replacing(path)) for path in web_files(output)]
        with parts[0].open("wb") as warc, parts[1].open("w", encoding="utf-8") as labels:
            facts = _Writer(plan, warc, labels).write(progress)
        seeds = (f"{host.origin}/\n" for host in plan.hosts[: parameters.seeds])
        parts[2].write_text("".join(seeds), "utf-8")
    return facts


def web_files(output: Path) -> tuple[Path, Path, Path]:
    """Returns the paths of the web, its labels and its seeds."""
    if not output.name.endswith(_SUFFIX):
        raise ConfigError(f"{output} does not end in {_SUFFIX}: labels and seeds are named after the part before it")
    stem = output.name.removesuffix(_SUFFIX)
    return output, output.with_name(f"{stem}.labels.tsv"), output.with_name(f"{stem}.seeds.txt")


class _Writer:
    def __init__(self, plan: Plan, warc: BinaryIO, labels: TextIO) -> None:
        self._plan, self._warc, self._labels = plan, warc, labels
        self._addresses = Addresses(plan)
        self._markup = Markup(plan, self._addresses, Links(plan))
        self._statistics = Statistics(plan, plan.library.name)

    def write(self, progress: Progress | None) -> dict[str, Any]:
        made_of = f"a made web, nothing in it was fetched: {msgspec.json.encode(self._plan.parameters).decode()}"
        fields = [("software", "Opilio"), ("format", "WARC File Format 1.1"), ("description", made_of)]
        self._warc.write(info_record(_INNER_NAME, _RECORDED_AT, fields, _GZIP_LEVEL))
        self._labels.write("url\tlabel\n")
        for number in range(len(self._plan)):
            self._write(self._plan.page(number))
            if progress is not None and number % 100 == 99:
                progress(number + 1, len(self._plan))
        return self._statistics.facts()

    def _write(self, page: Page) -> None:
        url, labels, shown = self._addresses.url(page), self._plan.labels(page), self._markup.show(page)
        body = shown.html.encode()
        record = response_record(url, _RECORDED_AT, "", 200, page.headers, body, payload_digest(body), _GZIP_LEVEL)
        self._warc.write(record)
        self._labels.writelines(f"{url}\t{label}\n" for label in labels)
        self._statistics.add(page, labels, shown, len(body))
