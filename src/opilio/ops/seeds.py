"""The seeds of a crawl, as the operator names them: in the settings, in files with a URL per line, or one by one."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.core.outcome import Drop
from opilio.core.url import parse

from .names import Names, each, is_url


def choose_seeds(config: Config, folder: Path, seeds: Names, url: str | Iterable[str]) -> list[Seed]:
    """Returns the seeds of the settings and those that were named now. A string in `seeds` is a URL unless it is the name of a
    file, and a Path is a file."""
    files: list[Path] = []
    urls: list[str] = []
    for seed in [seeds] if isinstance(seeds, str | Path) else seeds:
        if isinstance(seed, Path) or _is_file(seed):
            files.append(Path(seed))
        else:
            urls.append(seed)
    return read_seeds(config, folder, files, [*urls, *each(url)])


def _is_file(name: str) -> bool:
    try:
        return not is_url(name) and Path(name).is_file()
    except OSError:  # such as a name that is too long for a file
        return False


def read_seeds(config: Config, folder: Path, files: Iterable[Path] = (), urls: Iterable[str] = ()) -> list[Seed]:
    """Returns the seeds of the settings, then those of the operator. A line that is not a URL is an error that names it."""
    seeds = [Seed(url, "crawl.toml") for url in config.seeds.urls]
    seeds += [Seed(url, "named by the operator") for url in urls]
    for file in (*(folder / name for name in config.seeds.files), *files):
        seeds += _lines(file)
    for seed in seeds:
        _check(seed)
    return seeds


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


def _check(seed: Seed) -> None:
    url = parse(seed.url)
    if isinstance(url, Drop):
        what = "is not an http or https URL" if url is Drop.SCHEME else "is not a valid URL"
        raise ConfigError(f'{seed.source}: "{seed.url[:200]}" {what}. Fix or remove the line; nothing was crawled.')
