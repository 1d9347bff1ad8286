"""The folder of a crawl, and the paths of the files in it."""

from pathlib import Path


class CrawlFolder:
    """Knows the paths only: neither the folder nor any file has to exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "crawl.toml"
        self.database = path / "crawl.db"
        self.seen = path / "seen.cache"
        self.handed = path / "handed"
        self.events = path / "events.jsonl"
        self.lock_file = path / "lock"
        self.control = path / "control.sock"
