"""Samples that are URLs: fetched once, and remembered in the crawl's folder.

Rules: they are visited as politely as any page (`visiting`), wherever the crawl may go: its scope does not hold for samples.
A page that cannot be used is an error that names it; those that were fetched before it are remembered all the same.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from opilio.core.config import Config, change_config
from opilio.core.errors import ConfigError
from opilio.core.outcome import Drop
from opilio.core.trial import Trial
from opilio.engine.sample_pages import remember, remembered
from opilio.engine.samples import from_folder, page_text, sample_urls
from opilio.judge import Everything

from .visiting import visit

_ANYWHERE: Final = (
    "scope.hosts=[]", "scope.domains=[]", "scope.include=[]", "scope.exclude=[]", "scope.extensions=[]", "keep.min_chars=0",
)  # fmt: skip
_USABLE: Final = (None, Drop.DUPLICATE)


def sample_pages(config: Config, folder: Path, web: Sequence[Path], *, lasting: bool = False) -> dict[str, str]:
    """Returns the texts of the URLs among the samples, fetching those that the folder does not remember. If it is `lasting`, the
    folder remembers them from now on."""
    known = remembered(folder)
    urls = dict.fromkeys(sample_urls(from_folder(folder, config.corpus.like)))
    missing = [url for url in urls if url not in known]
    trials = visit(change_config(config, _ANYWHERE), Everything(), missing, web) if missing else []
    found = {trial.name: page_text(trial.page) for trial in trials if trial.page and trial.drop in _USABLE}
    if lasting and found:
        remember(folder, {**known, **found})
    if failed := [trial for trial in trials if not found.get(trial.name, "").strip()]:
        raise ConfigError(
            f"these samples cannot be used: {', '.join(map(_failure, failed))}. Leave them out, or save the pages as files and "
            "name those."
        )
    return {**known, **found}


def _failure(trial: Trial) -> str:
    reason = (trial.drop or Drop.NO_TEXT).words
    return f"{trial.name} ({reason}{f': {trial.detail}' if trial.detail else ''})"
