"""A folder of cycles: crawls of the same definition, one after the other, and the language models that they leave.

```text
crawl.toml               the definition
cycles/0000/             a crawl's folder for each cycle, with a frontier of its own
cycles/0000/cycle.json   what the cycle came to; written last, so a cycle that has it is finished
models/0000.lm           the model of what the cycle kept
models/0000.current.json the mixture of that model with those that guided the cycle
models/0000.next.json    the mixture that guides the next cycle
```

Rule: every file is written beside its place and renamed into it, and none is changed after its cycle is finished.
"""

from pathlib import Path
from typing import Literal

import msgspec

from opilio.core.durable import make_folder, replacing
from opilio.core.errors import CrawlDirError

from .database import is_left_unbegun
from .paths import CrawlFolder


class Lesson(msgspec.Struct, frozen=True):
    """What the lead had learned at one point of the cycle."""

    pages: int
    accuracy: float  # of predicted classes, on links that were held out
    f_high: float
    words: dict[str, list[str]]  # that decide each class


class Cycle(msgspec.Struct, frozen=True, kw_only=True):
    """What a cycle came to."""

    number: int
    ended: str  # ISO 8601, UTC
    reason: str  # why its crawl stopped
    pages: int  # fetched
    documents: int
    tokens: int  # words of the documents
    types: int  # different words that its model knows
    new_documents: int  # whose text no earlier cycle has
    new_tokens: int  # of these documents
    new_types: int  # words that no earlier model knows
    garbage: int  # pages with text that are not in the corpus because of the judge
    languages: dict[str, int]  # documents by language
    perplexities: list[float]  # of the pages under the models that guided it: least, deciles, most; none in the first
    mean_perplexity: float
    development_pages: int  # kept out of its model
    development_words: int
    current: dict[int, float]  # weights of the models in the mixture with its own, by cycle
    next: dict[int, float]  # weights in the mixture that guides the next cycle
    perplexity_alone: float  # of the development text under its own model
    perplexity_merged: float  # and under the mixture with it
    model_tokens: int  # words of the documents that the mixture was made of
    lessons: list[Lesson] = []
    version: Literal[1] = 1


class CyclesFolder:
    """Knows the paths, and reads and writes what cycles came to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "crawl.toml"
        self.models = path / "models"
        self._cycles = path / "cycles"

    @property
    def has_begun(self) -> bool:
        return self._cycles.is_dir()

    def crawl(self, number: int) -> CrawlFolder:
        return CrawlFolder(self._cycles / f"{number:04}")

    def crawls(self) -> list[CrawlFolder]:
        """Returns the folders of all cycles that have begun, the last of which may not be finished."""
        found = sorted(self._cycles.iterdir()) if self.has_begun else []
        return [crawl for path in found if _has_database(crawl := CrawlFolder(path))]

    def model(self, number: int) -> Path:
        return self.models / f"{number:04}.lm"

    def mixture(self, number: int, kind: Literal["current", "next"]) -> Path:
        return self.models / f"{number:04}.{kind}.json"

    def finished(self) -> list[Cycle]:
        """Returns the finished cycles in their order, up to the first that is not."""
        found: list[Cycle] = []
        while (cycle := self._read(len(found))) is not None:
            found.append(cycle)
        return found

    def finish(self, cycle: Cycle) -> None:
        with replacing(self._facts(cycle.number)) as part:
            part.write_bytes(msgspec.json.format(msgspec.json.encode(cycle)))

    def make_models(self) -> None:
        make_folder(self.models)

    def _facts(self, number: int) -> Path:
        return self.crawl(number).path / "cycle.json"

    def _read(self, number: int) -> Cycle | None:
        path = self._facts(number)
        try:
            return msgspec.json.decode(path.read_bytes(), type=Cycle)
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as error:
            raise CrawlDirError(
                f"{path} cannot be read: {error}. Restore it from a backup, or remove it to finish the cycle again."
            ) from error


def _has_database(crawl: CrawlFolder) -> bool:
    """Returns whether a crawl can be read. One that was killed in its first moment has nothing to read yet."""
    return crawl.database.exists() and not is_left_unbegun(crawl.database)
