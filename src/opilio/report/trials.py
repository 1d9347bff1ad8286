"""What a judge said of a few pages: as a table with a row for each, as a list of reasons, or as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from rich.table import Table
from rich.text import Text

from opilio.core.outcome import Drop
from opilio.core.trial import Trial

from .tables import printable

_RATIOS: Final = {"page": 3, "title": 2}  # they share the rest of the line; the reasons name the page in full


def trial_table(trials: Sequence[Trial]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True)
    for name in ("page", "verdict", "score", "language", "tokens", "title"):
        numeric = name in ("score", "tokens")
        table.add_column(name, justify="right" if numeric else "left", no_wrap=True, ratio=_RATIOS.get(name))
    for trial in trials:
        page, verdict = trial.page, trial.verdict
        cells = (
            trial.name,
            _verdict(trial),
            f"{verdict.score:.3f}" if verdict else "",
            f"{page.language or 'unknown'} {page.language_confidence:.2f}" if page else "",
            f"{page.words:,}" if page else "",
            page.title if page else "",
        )
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def trial_reasons(trials: Sequence[Trial]) -> Iterator[str]:
    for trial in trials:
        yield printable(trial.name)
        for opinion in trial.verdict.opinions if trial.verdict else ():
            score = "" if opinion.score is None else f"{opinion.score:.3f}, "
            yield printable(f"  {opinion.judge}: {score}{opinion.reason}")
        if trial.drop not in (None, Drop.NOT_RELEVANT):
            yield printable(f"  not kept: {_verdict(trial)}{f' ({trial.detail})' if trial.detail else ''}")


def trial_facts(trial: Trial) -> dict[str, Any]:
    page, verdict = trial.page, trial.verdict
    return {
        "page": trial.name,
        "url": page.url if page else None,
        "drop": trial.drop,
        "detail": trial.detail,
        "belongs": verdict.belongs if verdict else None,
        "score": verdict.score if verdict else None,
        "opinions": msgspec.to_builtins(verdict.opinions) if verdict else [],
        "language": page.language if page else None,
        "language_confidence": page.language_confidence if page else None,
        "tokens": page.words if page else None,
        "words": page.words if page else None,  # the name that `tokens` had before
        "title": page.title if page else None,
    }


def _verdict(trial: Trial) -> str:
    if trial.drop is None:
        return "belongs"
    return "does not belong" if trial.drop is Drop.NOT_RELEVANT else trial.drop.words
