"""How a scout stands, for whoever watches it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .directory import Taken


@dataclass
class SourceStanding:
    name: str
    state: str = "waiting"  # then "asking", and at last "done", "budget spent", "stopped" or "failed"
    taken: Taken = field(default_factory=Taken)
    error: str = ""


@dataclass
class Standing:
    sources: list[SourceStanding] = field(default_factory=list)
    requests: Callable[[], int] = lambda: 0  # that sources have made
    step: str = ""
    short_urls: int = 0  # that are still to be asked where they lead
    drawn: int = 0
    probe: Callable[[], dict[str, Any]] | None = None  # the status of the probe, while there is one
    stopped: bool = False  # by the operator
