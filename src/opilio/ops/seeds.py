"""The seeds of a crawl, as the operator names them: in the settings, in files with a URL per line, one by one, or in the
directory of a scout.

Rules: all seeds that cannot be used are reported together, before anything is written. A seed without a scheme is completed
(`bare_seed`), and a note says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.core.outcome import Drop
from opilio.core.url import is_url, parse
from opilio.folder import CrawlFolder

from .bare_seed import complain, complete
from .listing import listing
from .names import Names, each


class Seeds(NamedTuple):
    seeds: list[Seed]
    notes: list[str]  # for the operator, on how some of them were understood


def choose_seeds(
    config: Config, folder: Path, seeds: Names = (), url: str | Iterable[str] = (), found: Sequence[Seed] | None = None
) -> Seeds:
    """Returns the seeds of the settings, then those that were named now, then those that a scout has found; None if the verb does
    not ask scouts. A string in `seeds` is a URL unless it is the name of a file, and a Path is a file. Without any, a crawl that
    has not begun is an error."""
    files = [folder / name for name in config.seeds.files]
    urls: list[str] = []
    for seed in [seeds] if isinstance(seeds, str | Path) else seeds:
        if isinstance(seed, Path) or is_file(seed):
            files.append(Path(seed))
        else:
            urls.append(seed)
    named = [Seed(one, "crawl.toml") for one in config.seeds.urls]
    named += [Seed(one, "--url") for one in (*urls, *each(url))]
    for file in files:
        named += _lines(file)
    named += found or ()
    if not named and not CrawlFolder(folder).database.exists():
        empty = f"{', '.join(map(str, files))} has no URL in it. " if files else ""
        options = "--seeds FILE or --url URL" if found is None else "--seeds FILE, --url URL or --from-scout SCOUT.DB"
        raise ConfigError(f"there is nothing to crawl. {empty}Name seeds in crawl.toml, with {options}.")
    return _checked(named)


def is_file(name: str) -> bool:
    try:
        return not is_url(name) and Path(name).is_file()
    except OSError:  # such as a name that is too long for a file
        return False


def _lines(file: Path) -> Iterator[Seed]:
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        cause = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot read the seeds file {file}: {cause}.") from error
    for number, line in enumerate(lines, 1):
        url = line.partition(" #")[0].strip()
        if url and not url.startswith("#"):
            yield Seed(url, f"{file.name} line {number}")


def _checked(named: list[Seed]) -> Seeds:
    """Completes seeds without a scheme. Raises if some cannot be used, and names these."""
    seeds: list[Seed] = []
    completed: list[str] = []
    bad: list[str] = []
    for seed in named:
        url = parse(seed.url)
        if not isinstance(url, Drop):
            seeds.append(seed)
        elif (meant := complete(seed.url)) is not None:
            seeds.append(replace(seed, url=meant.href))
            completed.append(f"{seed.url} is taken for {meant.href}")
        else:
            bad.append(f"{seed.source}: {complain(seed.url, url)}")
    if bad:
        raise ConfigError(_told(bad))
    more = f", and so on for {len(completed) - 1:,} more seeds without a scheme" if len(completed) > 1 else ""
    return Seeds(seeds, [f"{completed[0]}{more}."] if completed else [])


def _told(bad: list[str]) -> str:
    if len(bad) == 1:
        return f"{bad[0]}. Fix or remove it; nothing was crawled."
    return f"{len(bad):,} seeds cannot be used:{listing(bad, len(bad))}\nFix or remove them; nothing was crawled."
