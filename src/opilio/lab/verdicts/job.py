"""What `lab judge` asks of one process and what comes back: plain values that are passed as msgpack."""

from typing import Final

import msgspec

from opilio.lab.accuracy import Accuracy

OWN: Final = "texts"  # samples are texts of one's own
OF_THE_WEB: Final = "pages"  # samples are pages of the web that is judged
ORIGINS: Final = (OWN, OF_THE_WEB)


class Way(msgspec.Struct, frozen=True, order=True):
    """A way of giving samples."""

    origin: str
    samples: int
    form: str
    words: int = 0  # samples are cut to this many words; 0: they are not

    @property
    def name(self) -> str:
        cut = f" of {self.words:,} words" if self.words else ""
        return f"{self.samples} {self.origin if self.samples != 1 else self.origin.removesuffix('s')}{cut}, {self.form}"


class JudgeJob(msgspec.Struct, frozen=True, tag=True):
    """One judge to be tried on one topic. Paths are absolute."""

    web: str
    labels: str
    topic: str
    recipe: str
    repetition: int
    way: Way
    first: int = 0  # place of the first sample in the file of texts
    texts: tuple[str, ...] = ()  # the samples, if they are one's own
    fellows: tuple[str, ...] = ()  # the other texts of the topic
    strangers: tuple[str, ...] = ()  # texts of other topics
    meet: int = 0  # pages that the judge meets before its verdicts count; 0: all
    others: int = 0  # pages that are not relevant, drawn by chance, whose verdicts count; 0: all
    settings: tuple[str, ...] = ()


class JudgeRun(Accuracy, frozen=True, kw_only=True):
    """The result of a job. The figures are those of the verdicts after the judge has met the pages."""

    web: str
    topic: str
    recipe: str
    repetition: int
    way: Way
    first: int
    judge: str
    meeting: Accuracy  # the verdicts as they were given while the judge met the pages
    strangers: float | None  # share of the texts of other topics that belong, before any page is met
    fellows: float | None  # … of the topic's other texts
    samples: tuple[str, ...]  # URLs; empty for texts of one's own
    kept_pages: dict[int, float]  # number of the page in the web → how many pages it stands for
