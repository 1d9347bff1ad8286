"""The best URLs of a scout's directory, as the seeds of a crawl."""

from pathlib import Path

from opilio.core.config import Config
from opilio.core.errors import ConfigError
from opilio.core.items import Seed
from opilio.core.languages import list_languages
from opilio.discover.entries import DirectoryReader, Entry

from .scout_ls import choose


def scout_seeds(directory: str | Path | None, config: Config, top: int = 0) -> list[Seed]:
    """Returns the seeds of the highest expected yield, in the languages of the crawl if it has any."""
    if directory is None:
        return []
    path, languages = Path(directory), config.corpus.languages
    with DirectoryReader(path) as reader:
        found = choose(reader, languages=languages)
    if not found:
        wanted = f" in {list_languages(languages)}" if languages else ""
        raise ConfigError(f"{path} has no seed{wanted}. `opilio scout stats {path}` shows what there is.")
    return [Seed(entry.url, _told(path, entry)) for entry in (found[:top] if top else found)]


def _told(path: Path, entry: Entry) -> str:
    """Says where a seed comes from, for `opilio why`."""
    named = ", ".join(entry.sources) or "a redirect"
    origin = f" ({entry.origins[0]})" if entry.origins else ""
    return f"from {path.name}: {named}{origin}, expected yield {entry.expected:.2f}"
