"""Does a page read like the samples? By its perplexity under an n-gram model of them (Remus & Biemann 2016).

Nothing is needed but the samples: no negative examples and no thresholds. How a perplexity becomes a score is told in
`calibration`; the perplexity itself is the opinion's measure, and what the lead of the same recipe goes by.

The owner's copy collects pages (`background`) and makes a new calibration whenever their number has doubled. A judge that is
built from a state opens the model that the owner has saved in the crawl's folder and needs no samples.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np
import zstandard

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context

from .background import Background
from .calibration import Calibration, calibrate, first_calibration
from .domain import HeldOut, digest_of, hold_out, perplexities_of, power, sample_lines

if TYPE_CHECKING:
    from opilio.model import LanguageModel, Scorer

NAME: Final = "perplexity"
_FIRST_CALIBRATION: Final = 20  # pages
_ROUNDS: Final = 2  # which pages do not belong is known better after the line is drawn, and the other way round
_LEAST_OTHERS: Final = 5


class State(msgspec.Struct, frozen=True):
    """What a copy in another process, or in a resumed crawl, is built from."""

    model: str  # the file's name
    held_out: tuple[list[str], list[float]]
    calibration: Calibration
    background: Background


class Bounds(NamedTuple):
    """Perplexities of parents that divide the queue: up to `high`, up to `medium`, up to `cut`, and what is dropped."""

    high: float
    medium: float
    cut: float


class Perplexity:
    """`threshold`: the probability from which a page belongs. `max_perplexity`, where it is set, decides instead."""

    def __init__(
        self,
        domain: "Scorer",
        state: State,
        *,
        unknown: float = 1e-7,
        threshold: float = 0.5,
        max_perplexity: float = 0.0,
    ) -> None:
        if not 0.0 < threshold < 1.0:
            raise ConfigError(f"judge.threshold is a probability between 0 and 1, not {threshold}.")
        self.calibration = state.calibration
        self.held_out = HeldOut(*state.held_out)
        self._domain = domain
        self._state = state
        self._background = state.background
        self._unknown = unknown
        self._threshold = threshold
        self._max_perplexity = max_perplexity
        self._words = self._train_words(state.background.teaching) if state.calibration.pages else None

    @classmethod
    def build(
        cls,
        context: Context,
        *,
        threshold: float = 0.5,
        max_perplexity: float = 0.0,
        order: int = 5,
        unknown: float = 1e-7,
        model: str = "",
    ) -> "Perplexity":
        """`unknown` is the probability of a word that the samples do not have; `model` a model to use instead of one of the
        samples, which then only serve for the calibration."""
        from opilio.model import Training, open_model, train  # noqa: PLC0415  (numba: a second)

        earlier = msgspec.msgpack.decode(_unpack(context.state), type=State) if context.state else None
        folder = (context.folder or Path()) / "models"
        if earlier is not None and not context.samples:
            return cls(
                open_model(folder / earlier.model),
                earlier,
                unknown=unknown,
                threshold=threshold,
                max_perplexity=max_perplexity,
            )
        training = Training(order=order, unknown=unknown)
        lines = sample_lines(context.samples)
        file = Path(model).resolve() if model else folder / f"domain-{digest_of(lines, training)}.lm"
        domain: Scorer
        if file.exists():
            domain = open_model(file)
        elif model:
            raise ConfigError(f"judge.model: there is no {file}. `opilio lm train` makes one.")
        else:
            domain = train(lines, training)
            if context.folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                domain.save(file)
        if earlier is not None and earlier.model == _name(file, folder):
            state = earlier
        else:
            held = HeldOut(lines, perplexities_of(domain, lines)) if model else hold_out(lines, training)
            background = earlier.background if earlier else Background()
            state = State(
                _name(file, folder), (held.lines, held.perplexities), first_calibration(held.perplexities), background
            )
        return cls(domain, state, unknown=unknown, threshold=threshold, max_perplexity=max_perplexity)

    def judge(self, page: Page) -> Verdict:
        from opilio.model import to_lines  # noqa: PLC0415

        lines = to_lines(page.text, clean=True)
        if not lines:
            return Verdict(
                0.0, belongs=False, opinions=(Opinion(NAME, 0.0, "no sentence of five words", 1 / self._unknown),)
            )
        power_of_page = perplexities_of(self._domain, [lines])[0]
        advantage, expected = self._advantage(power_of_page, lines)
        score = self.calibration.probability(advantage)
        perplexity = 10**power_of_page
        belongs = perplexity <= self._max_perplexity if self._max_perplexity else score >= self._threshold
        reason = self._reason(perplexity, expected, score)
        return Verdict(score, belongs=belongs, opinions=(Opinion(NAME, score, reason, perplexity),))

    def watch(self, page: Page, verdict: Verdict) -> bool:  # noqa: ARG002
        from opilio.model import to_lines  # noqa: PLC0415

        self._background.meet(page.url, lambda: to_lines(page.text, clean=True))
        due = max(_FIRST_CALIBRATION, 2 * self.calibration.pages)
        if self._background.met < due:
            return False
        self._calibrate()
        return True

    def state(self) -> bytes:
        state = msgspec.structs.replace(self._state, calibration=self.calibration, background=self._background)
        return zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(state))

    def bounds(self) -> Bounds:
        """Proposed for the queue: three in four of the held-out samples would come from HIGH, nearly all from MEDIUM or better;
        pages that are as far from these as unknown words are from them lead nowhere."""
        powers = np.array(self.held_out.perplexities)
        width = max(float(powers.std()), self.calibration.belonging.width)
        high, medium = float(powers.mean()) + 0.67 * width, float(powers.mean()) + 2 * width
        unknown = -power(self._unknown)
        return Bounds(round(10**high), round(10**medium), round(10 ** max(medium + 0.1, (medium + unknown) / 2)))

    def _calibrate(self) -> None:
        pages = self._background
        teaching = np.array(perplexities_of(self._domain, pages.teaching))
        testing = np.array(perplexities_of(self._domain, pages.testing))
        for _ in range(_ROUNDS):
            taught = [
                text
                for text, other in zip(pages.teaching, self._others(teaching, pages.teaching), strict=True)
                if other
            ]
            others = self._others(testing, pages.testing)
            self._words = self._train_words(taught)
            met = self._pairs(testing, pages.testing)
            held = self._pairs(np.array(self.held_out.perplexities), self.held_out.lines)
            self.calibration = calibrate(held, met[others], met, pages.met)

    def _others(self, powers: np.ndarray, texts: list[str]) -> np.ndarray:
        """Which of these pages do not belong, as far as is known; some always."""
        advantages = [self._advantage(value, text)[0] for value, text in zip(powers, texts, strict=True)]
        scores = np.array([self.calibration.probability(advantage) for advantage in advantages])
        others = scores < 0.5
        others[np.argsort(scores, kind="stable")[:_LEAST_OTHERS]] = True
        return others

    def _pairs(self, powers: np.ndarray, texts: list[str]) -> np.ndarray:
        assert self._words is not None
        return np.stack([powers, perplexities_of(self._words, texts)], axis=1)

    def _advantage(self, power_of_page: float, lines: str) -> tuple[float, float]:
        """And the perplexity that was expected, as a power of ten."""
        background = perplexities_of(self._words, [lines])[0] if self._words is not None else 0.0
        return self.calibration.advantage(power_of_page, background), self.calibration.expected(background)

    def _train_words(self, texts: list[str]) -> "LanguageModel":
        from opilio.model import Training, train  # noqa: PLC0415

        return train(texts, Training(order=1))

    def _reason(self, perplexity: float, expected: float, score: float) -> str:
        if self._max_perplexity:
            return f"perplexity {perplexity:,.0f}, the bound is {self._max_perplexity:,.0f}"
        typical = 10 ** float(np.mean(self.held_out.perplexities))
        words = f"perplexity {perplexity:,.0f} (samples {typical:,.0f}"
        words += f", pages with such words {10**expected:,.0f})" if self._words is not None else ")"
        return f"{words}: belongs with probability {score:.2f}, {self._threshold:g} is needed"


def _name(file: Path, folder: Path) -> str:
    return file.name if file.parent == folder else str(file)


def _unpack(state: bytes) -> bytes:
    unpacked: bytes = zstandard.ZstdDecompressor().decompress(state)
    return unpacked
