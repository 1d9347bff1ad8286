"""Files and other things that the operator names: one or several, as texts or paths."""

from collections.abc import Iterable
from pathlib import Path

Names = str | Path | Iterable[str | Path]


def each(names: Names) -> list[str]:
    """Returns one name or several as a list."""
    return [str(names)] if isinstance(names, str | Path) else [str(name) for name in names]


def paths(names: Names) -> list[Path]:
    return [Path(name) for name in each(names)]


def absolute(names: Names) -> tuple[str, ...]:
    """Returns absolute paths, because settings are used again in other working directories."""
    return tuple(str(path.resolve()) for path in paths(names))


def is_url(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))
