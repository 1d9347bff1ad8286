"""Whether the learned lead finds out by itself which signals a web has.

On made webs that lack signals, or where hosts decide everything, it compares the lead with all its groups of signals
with the published recipes for topics, as they come, and with breadth first. Beside them stands the same learner with one
group and with none, which says what signals the web has. With none all links are worth the same, and what is
fetched is decided by ties: by how the queue takes turns among hosts, and what was found first. What a single group has
beyond that is what its signals tell.

A crawl begins at a page of the topic, is shown five, and fetches as many pages as the topic has. Figures are means over
the two largest topics and the largest language except English, and over `rounds`, each with other samples and another
start.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from opilio.lab.maker import PURE_SETTINGS, Library, Parameters
from opilio.lab.protocol import Run

from . import Goal, Progress, Report
from .ablation_variant import SINGLES, only
from .chart import CurveChart, Panel
from .form import Cell
from .signals_web import MadeWeb, harvest, made, mean_curve, must_run, run_all

_LEARNED_RECIPE: Final = "learned"
_BASELINE: Final = "breadth-first"
_NO_SIGNALS: Final = "no signals"
_PUBLISHED: Final = ("perplexity", "preemptive", "skyline")
_LEADS: Final = (_LEARNED_RECIPE, *_PUBLISHED, _BASELINE, *SINGLES, _NO_SIGNALS)
_SUBJECTS: Final = 2
_PAGES_PER_DOMAIN: Final = 50
_GAP_BELOW: Final = 5  # % of R
_GAP_ABOVE: Final = 3  # by which a figure is uncertain: less is a tie
# name → what the web lacks, as options of `opilio lab make`
_WEBS: Final[dict[str, dict[str, str]]] = {
    "numbers": {"urls": "numbers"},
    "same": {"anchors": "same"},
    "all": {"links": "all"},
    "hosts": {"urls": "numbers", "anchors": "same", "links": "all"},
}
_TITLES: Final = {
    "numbers": "addresses are numbers",
    "same": "every anchor says the same",
    "all": "every page links everything",
    "hosts": "hosts decide everything",
}

Found = dict[tuple[str, str], list[Run]]  # web, lead


def run(pages: int = 2_000, rounds: int = 4, seed: int = 7, progress: Progress | None = None) -> Report:
    """`seed`: the seed that the webs are made with."""
    with tempfile.TemporaryDirectory(prefix="opilio-signals-") as name:
        found = compare(make_webs(Path(name), pages, seed), rounds, progress=progress)
    goals = [goal for web in _WEBS for goal in _goals(web, found)]
    return Report(
        "signals",
        ("lead", *_TITLES.values()),
        [_row(lead, found) for lead in _LEADS],
        goals,
        [
            f"harvest at R; lines between {_BASELINE} and {_NO_SIGNALS}: the same learner with that group of signals alone"
        ],
        _chart(found),
    )


def make_webs(folder: Path, pages: int, seed: int = 7, subjects: int = _SUBJECTS) -> dict[str, MadeWeb]:
    library = Library.find()
    webs = {}
    for name, lacking in _WEBS.items():
        pure = PURE_SETTINGS if name == "hosts" else ()
        parameters = Parameters.read(pure, pages=pages, domains=pages // _PAGES_PER_DOMAIN, seed=seed, **lacking)
        webs[name] = made(folder, name, parameters, subjects, library)
    return webs


def compare(
    webs: dict[str, MadeWeb], rounds: int, leads: Sequence[str] = _LEADS, progress: Progress | None = None
) -> Found:
    asked = [
        (name, lead, web.job(topic, *_recipe(lead, number)))
        for name, web in webs.items()
        for topic in web.topics
        for number in range(1, rounds + 1)
        for lead in leads
    ]
    found: Found = {}
    for (name, lead, _), run in zip(asked, must_run(run_all([job for *_, job in asked], progress)), strict=True):
        found.setdefault((name, lead), []).append(run)
    return found


def best_single(web: str, found: Found) -> str:
    return max(SINGLES, key=lambda group: harvest(found[web, group]))


def best_published(web: str, found: Found) -> str:
    return max((*_PUBLISHED, _BASELINE), key=lambda recipe: harvest(found[web, recipe]))


def _recipe(lead: str, number: int) -> tuple[str, int, *tuple[str, ...]]:
    if lead in (_LEARNED_RECIPE, *_PUBLISHED, _BASELINE):
        return lead, number
    return _LEARNED_RECIPE, number, only(group for group in SINGLES if group == lead)


def _row(lead: str, found: Found) -> list[Cell]:
    return [lead, *(harvest(found[web, lead]) for web in _WEBS)]


def _goals(web: str, found: Found) -> list[Goal]:
    single, published = best_single(web, found), best_published(web, found)
    own, alone, peer = (100 * harvest(found[web, lead]) for lead in (_LEARNED_RECIPE, single, published))
    name = f"{_TITLES[web]}: {_LEARNED_RECIPE}"
    return [
        Goal(name, alone - own, _GAP_BELOW, f"% of R less than {single} alone", at_least=False),
        Goal(name, own - peer, _GAP_ABOVE, f"% of R more than {published}"),
    ]


def _chart(found: Found) -> CurveChart:
    def panel(web: str) -> Panel:
        single, published = best_single(web, found), best_published(web, found)
        shown = {
            _LEARNED_RECIPE: _LEARNED_RECIPE,
            "best published": published,
            "best single group": single,
            _NO_SIGNALS: _NO_SIGNALS,
        }
        curves = tuple((name, mean_curve(found[web, lead])) for name, lead in shown.items())
        return Panel(f"{_TITLES[web]} ({published}; {single})", "relevant pages found", curves)

    return CurveChart("Which signals a web has, found out", "share of R fetched", tuple(map(panel, _WEBS)))
