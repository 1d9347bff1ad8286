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

    @property
    def database_files(self) -> tuple[Path, ...]:
        return tuple(self.database.with_name(f"{self.database.name}{ending}") for ending in ("", "-wal", "-shm"))

    @property
    def newest_cycle(self) -> "CrawlFolder | None":
        """Returns the crawl of the newest cycle, if this folder holds cycles (`folder/cycles.py`) instead of a crawl."""
        found = [] if self.database.exists() else sorted(self.path.glob(f"cycles/*/{self.database.name}"))
        return CrawlFolder(found[-1].parent) if found else None

    @property
    def first_files(self) -> tuple[Path, ...]:
        """Returns the files that are made before a crawl has begun."""
        return (*self.database_files, self.handed, self.events, self.control, self.lock_file)
