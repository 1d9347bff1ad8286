"""One structured event per page and stage. What people read is a rendering of these; nothing else is logged."""

from collections.abc import Callable
from typing import IO, Any

import msgspec

from .clock import iso_time


class Event(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    when_s: float
    stage: str  # "fetch", "drop", "keep", "robots", "host", "boundary", "control", "stop"
    url: str = ""
    outcome: str = ""
    detail: str = ""
    host: str = ""
    score: float | None = None
    size_bytes: int = 0


Listener = Callable[[Event], None]


class Events:
    """Hands each event to every listener. An event that nobody listens to is not even built."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = list(listeners)

    def subscribe(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def close(self) -> None:
        for listener in self._listeners:
            if isinstance(listener, EventLog):
                listener.close()

    def emit(self, when_s: float, stage: str, **fields: Any) -> None:
        if self._listeners:
            event = Event(when_s, stage, **fields)
            for listener in self._listeners:
                listener(event)


class EventLog:
    """Writes one JSON object per line. JSON itself escapes the control characters in text that came from pages."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out

    def __call__(self, event: Event) -> None:
        fields = msgspec.to_builtins(event)
        fields["when"] = iso_time(fields.pop("when_s"))
        self._out.write(msgspec.json.encode(fields) + b"\n")

    def close(self) -> None:
        self._out.close()
