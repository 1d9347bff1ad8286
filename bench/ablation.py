"""What each part of the learned lead is worth: harvest at R with it left out or exchanged, against the lead as it is.

It runs on the development topics of the recorded web `schools` (those whose name has an even sha256) that have 25 to
400 pages, and on four languages of `fsfe-plain` with the judge `language`. Crawls are those of the lab, with R fetches.
Differences are taken crawl by crawl, on the same topic with the same samples; their mean is given with its standard
error. A crawl that turns elsewhere early ends elsewhere, so single crawls differ much by chance alone. One variant has
nothing but other random numbers, to show how much.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import isnan, nan, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

import msgspec

from opilio.core.errors import OpilioError

from . import Goal, Progress, Report
from .ablation_child import LANGUAGES, SCHOOLS, Harvest, Subject, Web, subjects
from .ablation_variant import EVERYTHING, PEER, SINGLE_CHANGES, SINGLE_GROUPS, Variant, variants
from .chart import EffectBlock, EffectChart
from .child import command, environment
from .form import Cell

_WEBS: Final = (SCHOOLS, LANGUAGES)
_LEAST_LEAD: Final = 1.0  # % of R, the standard error of such a difference: less is a tie
_COLUMNS: Final = ("variant", *(f"{web} {what}" for web in _WEBS for what in ("%", "difference", "±")))


class Effect(NamedTuple):
    """All figures are in percent of R, and not a number where too little was measured."""

    harvest: float
    difference: float
    error: float


def run(topics: int = 12, rounds: int = 1, seed: int = 1, progress: Progress | None = None) -> Report:
    """`topics`: how many of `schools` are drawn by chance. `rounds`: how many sets of samples and starts each gets."""
    parts = len(os.sched_getaffinity(0))
    asked = sum(len(subjects(Web.named(web), web, topics, rounds, seed)) for web in _WEBS) * len(variants())
    found: list[Harvest] = []

    def note(harvest: Harvest) -> None:
        found.append(harvest)
        if progress is not None:
            progress(len(found), asked)

    with ThreadPoolExecutor(parts) as executor:
        orders = [[str(each) for each in (topics, rounds, seed, part, parts)] for part in range(parts)]
        list(executor.map(lambda order: _listen(order, note), orders))
    return report(found)


def report(found: Sequence[Harvest]) -> Report:
    known = variants()
    effects = {(each.name, web): effect(found, each.name, web) for each in known for web in _WEBS}
    counts = ", ".join(f"{len(_of(found, EVERYTHING, web))} on {web}" for web in _WEBS)
    peers = [effects[each.name, SCHOOLS].difference for each in known if each.name.startswith(PEER)]
    missing = [] if peers else [f"{PEER} is not installed, and left out: pip install opilio[bench]."]
    rows = [_row(each, effects) for each in _ordered(known, effects)]
    notes = [f"Crawls with each variant: {counts}. In percent of R; differences are those to {EVERYTHING}.", *missing]
    return Report("ablation", _COLUMNS, rows, [_goal(peers)] if peers else [], notes, _chart(known, effects))


def effect(found: Sequence[Harvest], variant: str, web: str) -> Effect:
    usual, varied = _of(found, EVERYTHING, web), _of(found, variant, web)
    differences = [100 * (varied[subject] - usual[subject]) for subject in varied if subject in usual]
    if not differences:
        return Effect(nan, nan, nan)
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else nan
    return Effect(100 * fmean(varied.values()), fmean(differences), error)


def _listen(order: Sequence[str], note: Callable[[Harvest], None]) -> None:
    child = subprocess.Popen(
        command("bench.ablation_child", *order),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment(PYTHONHASHSEED="0"),  # as in the lab
    )  # fmt: skip
    assert child.stdout is not None
    with child:
        for line in child.stdout:
            note(msgspec.json.decode(line, type=Harvest))
    if child.returncode:
        raise OpilioError(f"crawls of the ablation ended with code {child.returncode}. What they said stands above.")


def _of(found: Sequence[Harvest], variant: str, web: str) -> dict[Subject, float]:
    return {each.subject: each.harvest for each in found if each.variant == variant and each.subject.web == web}


def _ordered(known: Sequence[Variant], effects: dict[tuple[str, str], Effect]) -> list[Variant]:
    """Puts the lead as it is first, then the others by block, with what costs most first."""
    blocks = ["", SINGLE_CHANGES, SINGLE_GROUPS]
    return sorted(known, key=lambda each: (blocks.index(each.block), effects[each.name, SCHOOLS].difference))


def _row(variant: Variant, effects: dict[tuple[str, str], Effect]) -> list[Cell]:
    figures = [figure for web in _WEBS for figure in effects[variant.name, web]]
    return [variant.name, *(None if isnan(figure) else round(figure, 2) for figure in figures)]


def _goal(peers: Sequence[float]) -> Goal:
    return Goal(f"{EVERYTHING}, {SCHOOLS}", -max(peers), _LEAST_LEAD, f"% of R more than the best of {PEER}")


def _chart(known: Sequence[Variant], effects: dict[tuple[str, str], Effect]) -> EffectChart:
    def block(title: str) -> EffectBlock:
        own = [each.name for each in _ordered(known, effects) if each.block == title]
        columns = tuple(tuple(effects[name, web][1:] for name in own) for web in _WEBS)
        return EffectBlock(title, tuple(own), columns)

    usual = [f"{web}: {effects[EVERYTHING, web].harvest:.1f} % with {EVERYTHING}" for web in _WEBS]
    unit = "difference of harvest at R, in percent of R, with its standard error; grey: less than two of these"
    return EffectChart(
        "The learned lead with one thing changed", unit, tuple(usual), (block(SINGLE_CHANGES), block(SINGLE_GROUPS))
    )
