"""A web with its labels, open in a process that runs one job after the other."""

from pathlib import Path
from typing import NamedTuple

from .labels import Labels, read_labels
from .shelf import Shelf


class Opened(NamedTuple):
    shelf: Shelf
    labels: Labels


class Webs:
    """Holds one web at a time; jobs that come in the order of their webs share it and its gleaned pages."""

    def __init__(self) -> None:
        self._names: tuple[str, str] | None = None
        self._web: Opened

    def open(self, web: str, labels: str) -> Opened:
        if self._names != (web, labels):
            self._names = None
            shelf = Shelf(Path(web))
            self._web = Opened(shelf, read_labels(Path(labels), shelf))
            self._names = (web, labels)
        return self._web
