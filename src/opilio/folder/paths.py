"""Where the files of a crawl lie."""

from pathlib import Path


class CrawlFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "crawl.toml"
        self.database = path / "crawl.db"
        self.seen = path / "seen.cache"
        self.events = path / "events.jsonl"
        self.lock_file = path / "lock"
        self.control = path / "control.sock"
