"""Does a page read like the samples? Decides by its perplexity under an n-gram model of them (Remus & Biemann 2016).

It needs only the samples: no negative examples and no thresholds. The perplexity is the opinion's measure, which the
lead of the same recipe uses. The score is a probability, see `advantage` and `calibration`; until the first pages are
seen it comes from the perplexity alone.

The copy in the main process collects pages (`background`) and makes a new calibration whenever their number has
doubled. A judge that is built from a state opens the model that was saved in the crawl's folder, needs no samples, and
gives exactly the same verdicts.
"""

from math import log10
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
import numpy as np

from opilio.core.account import Account
from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context
from opilio.core.saved import pack, unpack
from opilio.model import LanguageModel, Scorer, Training, to_lines, train

from .advantage import Values, advantage, read
from .background import Background
from .calibration import Calibration, Samples, calibrate, first_calibration
from .domain import HeldOut, hold_out, model_of, named_model, sample_lines, score_parts
from .seam import Judge

NAME: Final = "perplexity"
_FIRST_PAGES: Final = 20  # before the first calibration
_LEAST_TAUGHT: Final = 5
_LEAST_WORDS: Final = 30  # with fewer, chance moves the mean over the words as far as the topic does
_LEAST_OTHERS: Final = 16  # pages seen that do not belong by their perplexity: fewer are not enough for a background

_Probability = Annotated[float, msgspec.Meta(gt=0, lt=1)]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    threshold: _Probability = 0.5  # the probability from which a page belongs
    max_perplexity: Annotated[float, msgspec.Meta(ge=0)] = 0.0  # if it is set, it decides instead
    order: Annotated[int, msgspec.Meta(ge=1, le=6)] = 5
    unknown: _Probability = 1e-7  # probability of a word that the samples do not have
    model: str = ""  # a model's file, instead of a model of the samples, which then are used only for the calibration


class State(msgspec.Struct, frozen=True):
    """Everything from which a copy in another process, or in a resumed crawl, is built."""

    model: str  # the file's name, or its path if it is not in the crawl's folder
    held_out: HeldOut
    calibration: Calibration
    taught: list[str] = []  # the pages on which the words of the background were counted
    background: Background = msgspec.field(default_factory=Background)
    version: Literal[1] = 1  # version of this layout


class Bounds(NamedTuple):
    """Perplexities of parents that divide the queue: up to `high`, up to `medium`, up to `cut`; links above are
    dropped."""

    high: float
    medium: float
    cut: float


class Perplexity(Judge):
    gives_probabilities = True
    compares_words = True

    def __init__(self, domain: Scorer, state: State, options: Options) -> None:
        self._domain = domain
        self._state = state
        self._options = options
        self._common = _count_words(state.taught) if state.taught else None

    @classmethod
    def build(cls, context: Context, **options: Any) -> "Perplexity":
        """The options are the fields of `Options`."""
        chosen = _read_options(options)
        earlier = unpack(context.state, State, f"the {NAME} judge") if context.state else None
        folder = context.folder / "models" if context.folder else None
        if earlier is not None and not context.samples:
            return cls(named_model((folder or Path()) / earlier.model), earlier, chosen)
        return cls(*_learn(context, folder, chosen, earlier), chosen)

    @property
    def calibration(self) -> Calibration:
        return self._state.calibration

    @property
    def held_out(self) -> HeldOut:
        return self._state.held_out

    def judge(self, page: Page) -> Verdict:
        lines = to_lines(page.prose, clean=True)
        if not lines:
            return Verdict.cannot_tell(NAME, "the text is too short: it has no sentence of five words")
        power, log10s = read(self._domain, lines)
        gain = advantage(log10s, self._common.token_log10(lines)[0]) if self._common else -power
        score = self.calibration.probability(gain)
        bound = self._options.max_perplexity
        belongs = 10**power <= bound if bound else score >= self._options.threshold
        reason, others = self._reason(power, gain, score), self._by_others(lines)
        if others is not None:
            power = others
            reason += (
                f"; it is one of the samples, and its links go by its perplexity under the others, {10**power:,.0f}"
            )
        doubt = self._doubt(len(log10s))
        opinion = Opinion(NAME, None if doubt else score, doubt + reason, 10**power)
        return Verdict(score, belongs=belongs, opinions=(opinion,))

    def watch(self, page: Page, verdict: Verdict) -> bool:  # noqa: ARG002
        background = self._state.background
        background.meet(page.url, lambda: self._news(page))
        if background.met < max(_FIRST_PAGES, 2 * self.calibration.pages):
            return False
        self._calibrate()
        return True

    def state(self) -> bytes:
        return pack(self._state)

    def describe(self) -> list[Account]:
        typical = 10 ** float(np.mean(self.held_out.perplexities))
        bound = self._options.max_perplexity
        line = f"a perplexity of at most {bound:,.0f}" if bound else f"a probability of {self._options.threshold:g}"
        return [Account(NAME, f"{line} is needed; the samples have a perplexity of {typical:,.0f} under each other")]

    def bounds(self) -> Bounds:
        """Proposes bounds for the queue: three in four of the held-out samples would be in HIGH, and all in MEDIUM or better;
        the cut is half way from there to the perplexity of unknown words, as powers of ten. The calibration has no say in
        them."""
        high, medium = np.quantile(self.held_out.perplexities, (0.75, 1.0)).tolist()
        unknown = -log10(self._options.unknown)
        return Bounds(round(10**high), round(10**medium), round(10 ** max(medium + 0.1, (medium + unknown) / 2)))

    def _news(self, page: Page) -> str:
        """Returns the page's lines, or "" if it is one of the samples, which are already known to belong."""
        lines = to_lines(page.prose, clean=True)
        return lines if self._by_others(lines) is None else ""

    def _by_others(self, lines: str) -> float | None:
        """Returns a sample's perplexity, as a power of ten, under a model of the other samples; None for any other
        page. The model was trained on its samples, so their links would come before those of all pages that really read
        like them."""
        held = zip(self.held_out.lines, self.held_out.perplexities, strict=True)
        return next((power for begin, power in held if lines.startswith(begin)), None)

    def _calibrate(self) -> None:
        """Counts words on those pages of one half that do not seem to belong, by a calibration on the other half. While
        hardly any page does not belong, there is nothing to compare with, and the perplexity alone still decides."""
        pages = self._state.background
        alone = first_calibration(self.held_out.perplexities)
        powers = np.array([read(self._domain, text).power for text in (*pages.teaching, *pages.testing)])
        if int((alone.probabilities(-powers) < 0.5).sum()) < _LEAST_OTHERS:
            alone = msgspec.structs.replace(alone, pages=pages.met)
            self._common, self._state = None, msgspec.structs.replace(self._state, calibration=alone, taught=[])
            return
        first, gains = self._calibrate_on(_count_words(pages.testing), pages.teaching)
        others = first.probabilities(gains) < 0.5
        others[np.argsort(gains)[:_LEAST_TAUGHT]] = True
        taught = [text for text, other in zip(pages.teaching, others, strict=True) if other]
        self._common = _count_words(taught)
        calibration, _ = self._calibrate_on(self._common, pages.testing)
        self._state = msgspec.structs.replace(self._state, calibration=calibration, taught=taught)

    def _calibrate_on(self, common: LanguageModel, texts: list[str]) -> tuple[Calibration, Values]:
        """Returns a calibration on texts on which the words were not counted, and their advantages."""
        held = self.held_out
        own = zip(held.readings(), held.lines, strict=True)
        held_gains = np.array([advantage(log10s, common.token_log10(lines)[0]) for log10s, lines in own])
        gains = np.array([advantage(read(self._domain, text).log10s, common.token_log10(text)[0]) for text in texts])
        samples = Samples(held.words, held.texts)
        return calibrate(held_gains, gains, samples, self._state.background.met), gains

    def _doubt(self, words: int) -> str:
        """Says why the judge cannot tell, or nothing if it can."""
        if words < _LEAST_WORDS:
            return "cannot tell, because the text is too short; alone it would say: "
        if not self.held_out.is_apart:
            return "cannot tell, because one sentence as a sample cannot be held out; alone it would say: "
        return ""

    def _reason(self, power: float, gain: float, score: float) -> str:
        if self._options.max_perplexity:
            return f"perplexity {10**power:,.0f}, the bound is {self._options.max_perplexity:,.0f}"
        typical = 10 ** float(np.mean(self.held_out.perplexities))
        words = f"perplexity {10**power:,.0f} (samples {typical:,.0f})"
        if self._common:
            words += f", the samples make its words {10**gain:.2f} times as likely as the pages met"
            words += f" (their own {10**self.calibration.belonging.mean:.2f} times)"
        return f"{words}: belongs with probability {score:.2f}, {self._options.threshold:g} is needed"


def _learn(context: Context, folder: Path | None, options: Options, earlier: State | None) -> tuple[Scorer, State]:
    """Learns from the samples. The pages that an earlier judge has seen stay; with the same samples, everything it
    knows."""
    lines = sample_lines(context.samples)
    training = Training(order=options.order, unknown=options.unknown)
    if options.model:
        name = str(Path(options.model).resolve())
        domain = named_model(Path(name))
    else:
        domain, name = model_of(lines, training, folder)
    if earlier is not None and earlier.model == name:
        return domain, earlier
    held_out = score_parts(domain, lines) if options.model else hold_out(lines, training)
    background = earlier.background if earlier else Background()
    return domain, State(name, held_out, first_calibration(held_out.perplexities), background=background)


def _count_words(texts: list[str]) -> LanguageModel:
    return train(texts, Training(order=1))


def _read_options(options: dict[str, Any]) -> Options:
    try:
        return msgspec.convert(options, Options)
    except msgspec.ValidationError as error:
        known = ", ".join(Options.__struct_fields__)
        raise ConfigError(f"the settings of the perplexity judge cannot be used: {error}. It has: {known}.") from error
