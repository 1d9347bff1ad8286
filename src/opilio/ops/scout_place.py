"""A directory and what stands beside it: the working folder of the probe, with the lock that lets one scout at a time write."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from opilio.core.config import Config, change_config, load_config, restore_config
from opilio.core.errors import ConfigError, CrawlDirError
from opilio.discover.directory import Directory, open_to_read
from opilio.discover.entries import DirectoryReader
from opilio.fetch import ROBOTS_SCHEMA
from opilio.folder import CrawlFolder, FolderLock, is_running

_CONFIG = "config"


class ScoutPlace:
    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.is_dir():
            raise ConfigError(
                f"{self.path} is a folder. Name the file of a directory, such as {self.path / 'scout.db'}."
            )
        self.work = self.path.with_name(f"{self.path.name}.work")

    @contextmanager
    def open(self, *, must_exist: bool = False) -> Iterator[Directory]:
        """Opens the directory for writing, and makes it if it may."""
        if must_exist:
            open_to_read(self.path).close()  # which says what is wrong with it
        if is_running(CrawlFolder(self.work)):
            raise CrawlDirError(f"another process is scouting into {self.path}. Wait for it, or stop it with Ctrl-C.")
        with FolderLock(CrawlFolder(self.work)):
            with Directory(self.path, ROBOTS_SCHEMA) as directory:
                yield directory
                is_done = not directory.drawn()
            if is_done:
                shutil.rmtree(self.work, ignore_errors=True)


def save_config(directory: Directory, config: Config) -> None:
    directory.note(_CONFIG, msgspec.json.encode(config))


def saved_config(directory: Directory, settings: Sequence[str]) -> Config:
    """Returns the settings of the last run, with those that are given now laid over them."""
    saved = directory.noted(_CONFIG)
    return change_config(restore_config(saved) if saved else load_config(), settings)


def scouted_languages(reader: DirectoryReader) -> tuple[str, ...]:
    """Returns the languages that the last run wanted."""
    saved = reader.noted(_CONFIG)
    return restore_config(saved).corpus.languages if saved else ()
