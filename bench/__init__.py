"""Benchmarks: each is a module of this package with a function `run` that measures and returns a `Report`.

The parameters of `run` are the options that the benchmark takes, with their defaults: any of `pages`, `hosts`, `urls`,
`kills`, `rounds`, `topics`, `size`, `minutes` and `seed`, and `progress`, which it calls with how much is done and how much
there is. Only the module of the benchmark that runs is imported. Benchmarks need data and peers that users do not have, so
they are not installed.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Final

from opilio.core.errors import ConfigError
from opilio.core.suggestion import did_you_mean

from .form import Goal, Report

# name of the benchmark and of its module → one line of help
BENCHMARKS: Final = {
    "speed": "CPU and time per page of the whole pipeline, next to Scrapy on the same web.",
    "frontier": "Adds and leases a second, memory and disk of the durable frontier.",
    "crash": "Whether a crawl that is killed again and again loses anything.",
    "writes": "Whether a crawl survives the failure of any one of its writes and syncs.",
    "siege": "Whether good hosts keep their pages beside hostile ones, and what these cost.",
    "faults": "What hostile markup costs in CPU and memory, and whether a search finds worse.",
    "identify": "Whether the language of documents in 75 languages is told, and none is made up.",
    "iterator": "Whether a Python loop that is left and killed gets each document exactly once.",
    "comments": "How well pages with comments are told, and found by layers.",
    "charset": "Whether pages keep their letters, whatever is declared, next to trafilatura.",
    "calibration": "Whether pages belong as often as the scores of the perplexity judge say.",
    "review": "How much better a judge gets when it asks about pages, with labels as the user.",
    "line": "Whether constants of the judge's line carry over to topics they were not chosen on.",
    "sites": "How many of a hundred pages are of the site that one article is about.",
    "focus": "Whether focused crawls find more text of their domain: German on real sites.",
    "languages": "Whether focused crawls find more of their language, on a web of many hosts.",
    "lm": "Training and asking language models, next to kenlm.",
    "preemptive": "What judging links before their download saves, against pages judged after it.",
    "quality": "What good pages can be told by, before they are fetched; yields of strategies.",
    "seeds": "Whether the yield of seeds says what a crawl will yield, and what ranking them is worth.",
    "scout": "Reading the links of a Wikipedia dump, next to unpacking it alone.",
    "sitemaps": "What reading the sitemaps of hosts that yield brings, in kept pages by request.",
    "politeness": "Whether a big crawl is polite, by the servers' own log.",
    "lead": "What leads cost in CPU and memory as links become many.",
    "learned": "CPU per page of a whole learned crawl, next to breadth-first on the same pages.",
    "again": "CPU of judging all stored pages again, next to the crawl that stored them.",
    "ablation": "What each part of the learned lead is worth, and other learners in its place.",
    "tunnel": "Whether relevant pages behind irrelevant ones are found.",
    "signals": "Whether the learned lead finds out which signals a web has.",
    "sidebars": "Whether the learned lead sees every place of a link: sidebars that stay in a language.",
    "caps": "What recipes find on many hosts that give few pages each.",
    "drift": "What recipes find with a judge that errs.",
    "metadata": "Author, date and title of pages, next to trafilatura and htmldate, with hand-made truth.",
    "text": "Main text of pages, next to trafilatura and resiliparse: articles, comment pages, cases of markup.",
    "novelty": "How much more new text a reward for it brings, on topics and on a web of copies.",
    "revisit": "How fresh pages stay whose change rates nobody knows, next to the optimal schedule.",
    "cycles": "What crawls for novelty find on news that change every day, and their language models.",
    "cycles_schools": "The same on a real web that is divided into days by topic.",
    "truc": "What going from user to user by language gains, on a simulated microblog.",
}
Progress = Callable[[int, int], None]

__all__ = ["BENCHMARKS", "Goal", "Progress", "Report", "run_benchmark"]


def run_benchmark(name: str, options: Mapping[str, int], progress: Progress | None = None) -> Report:
    """Runs the benchmark with these options. An option that it does not take is an error."""
    run = _find(name)
    known = inspect.signature(run).parameters
    for option in options:
        if option not in known:
            taken = ", ".join(f"--{each}" for each in known if each != "progress") or "no options"
            raise ConfigError(f"bench {name} has no --{option}. It takes: {taken}.")
    if progress is not None and "progress" in known:
        return run(**options, progress=progress)
    return run(**options)


def _find(name: str) -> Callable[..., Report]:
    """Imports nothing but names of the list above."""
    if name not in BENCHMARKS:
        hint = did_you_mean(name, BENCHMARKS)
        raise ConfigError(f'there is no benchmark "{name}".{hint} Benchmarks: {", ".join(BENCHMARKS)}.')
    run: Callable[..., Report] = importlib.import_module(f"bench.{name}").run
    return run
