"""The list of hosts that are never seeds: a text file that users can edit, with the reason beside each host.

A line is a host or a domain, which stands for all hosts below it, and then the reason. "=" before a host means that host alone.
"#" begins a comment.
"""

from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from opilio.core.errors import ConfigError

_NO_REASON: Final = "on the block list"


class Blocklist:
    def __init__(self, lines: Iterable[str], name: str = "the block list") -> None:
        self._reasons: Mapping[str, str] = dict(_entries(lines, name))

    def __len__(self) -> int:
        return len(self._reasons)

    def reason(self, host: str) -> str:
        """Returns why a host is never a seed, or "" if it may be."""
        if exact := self._reasons.get(f"={host}"):
            return exact
        name = host
        while name:
            if found := self._reasons.get(name):
                return found
            name = name.partition(".")[2]
        return ""


def read_blocklist(file: str = "") -> Blocklist:
    """Reads a file of the operator's, or the built-in list."""
    if not file:
        text = resources.files("opilio.discover").joinpath("blocklist.txt").read_text("utf-8")
        return Blocklist(text.splitlines())
    try:
        return Blocklist(Path(file).read_text("utf-8-sig").splitlines(), file)
    except (OSError, UnicodeDecodeError) as error:
        cause = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot read the block list {file}: {cause}. Correct scout.blocklist.") from error


def _entries(lines: Iterable[str], name: str) -> Iterable[tuple[str, str]]:
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split(maxsplit=1)
        if not words:
            continue
        host = words[0].lower().rstrip(".")
        if "/" in host or ":" in host:
            raise ConfigError(f"line {number} of {name}: {words[0]!r} is not a host. Write a host such as example.org.")
        yield host, words[1].strip() if len(words) > 1 else _NO_REASON
