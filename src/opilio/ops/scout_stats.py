"""The verb `scout stats`: figures about a directory, by source and language."""

from collections.abc import Iterable
from pathlib import Path

from opilio.core.languages import language_codes
from opilio.discover.entries import DirectoryReader
from opilio.discover.statistics import Statistics, statistics

from .names import each
from .scout_place import scouted_languages


def scout_stats(directory: str | Path, *, language: str | Iterable[str] = ()) -> Statistics:
    """Returns the figures. The wanted languages are those of the last run, if none are named."""
    with DirectoryReader(Path(directory)) as reader:
        wanted = language_codes(each(language)) or scouted_languages(reader)
        return statistics(list(reader.entries()), wanted)
