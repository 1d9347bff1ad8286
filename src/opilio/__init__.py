"""Opilio: a focused web crawler that builds text corpora.

    for page in opilio.crawl({"seeds": {"urls": ["https://example.org/"]}}, folder="corpus"):
        print(page.url, page.language, page.title)

Every verb of the command line is a function of the same name; the words of a longer one are joined: `opilio judge try` is
`opilio.judge_try`. The lab's verbs are functions of `opilio.lab`, the demo's of `opilio.demo`.

Names are loaded when they are used, so that importing the package, and `opilio --help`, cost next to nothing.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names
from opilio.core.version import __version__

if TYPE_CHECKING:
    from opilio import demo, lab
    from opilio.core.account import Account
    from opilio.core.config import Config, load_config
    from opilio.core.errors import OpilioError
    from opilio.core.items import Link, Opinion, Page, Record, Sighting, Target, Verdict
    from opilio.judge import Judge
    from opilio.lead import Judged, Lead, PlainLead, Stale
    from opilio.ops.control import control
    from opilio.ops.corpus_extract import corpus_extract
    from opilio.ops.crawl import crawl
    from opilio.ops.cycle_log import cycle_log
    from opilio.ops.cycle_run import cycle_run
    from opilio.ops.export import export
    from opilio.ops.init import defaults, init
    from opilio.ops.judge_again import judge_again
    from opilio.ops.judge_run import judge_run
    from opilio.ops.judge_samples import judge_samples
    from opilio.ops.judge_train import judge_train_badness, judge_train_comments, judge_train_commonness
    from opilio.ops.judge_try import judge_try
    from opilio.ops.lm import lm_export, lm_info, lm_mix, lm_score, lm_train
    from opilio.ops.mark import mark
    from opilio.ops.pages import pages
    from opilio.ops.pilot import pilot
    from opilio.ops.read import read
    from opilio.ops.review import review
    from opilio.ops.revisit import revisit
    from opilio.ops.running import Running
    from opilio.ops.sample import sample
    from opilio.ops.scout_add import scout_add
    from opilio.ops.scout_audit import scout_audit
    from opilio.ops.scout_ls import scout_ls
    from opilio.ops.scout_refresh import scout_refresh
    from opilio.ops.scout_run import scout_run
    from opilio.ops.scout_stats import scout_stats
    from opilio.ops.status import status
    from opilio.ops.tune import tune
    from opilio.ops.why import why

__getattr__ = lazy_names(
    __name__,
    {
        "core.account": "Account",
        "core.config": "Config load_config",
        "core.errors": "OpilioError",
        "core.items": "Link Opinion Page Record Sighting Target Verdict",
        "judge": "Judge",
        "lead": "Judged Lead PlainLead Stale",
        "ops.control": "control",
        "ops.corpus_extract": "corpus_extract",
        "ops.crawl": "crawl",
        "ops.cycle_log": "cycle_log",
        "ops.cycle_run": "cycle_run",
        "ops.export": "export",
        "ops.init": "defaults init",
        "ops.judge_again": "judge_again",
        "ops.judge_try": "judge_try",
        "ops.judge_run": "judge_run",
        "ops.judge_samples": "judge_samples",
        "ops.judge_train": "judge_train_badness judge_train_comments judge_train_commonness",
        "ops.lm": "lm_export lm_info lm_mix lm_score lm_train",
        "ops.mark": "mark",
        "ops.pages": "pages",
        "ops.pilot": "pilot",
        "ops.read": "read",
        "ops.review": "review",
        "ops.revisit": "revisit",
        "ops.running": "Running",
        "ops.sample": "sample",
        "ops.scout_add": "scout_add",
        "ops.scout_audit": "scout_audit",
        "ops.scout_ls": "scout_ls",
        "ops.scout_refresh": "scout_refresh",
        "ops.scout_run": "scout_run",
        "ops.scout_stats": "scout_stats",
        "ops.status": "status",
        "ops.tune": "tune",
        "ops.why": "why",
    },
    packages="demo lab",
)

__all__ = [
    "Account",
    "Config",
    "Judge",
    "Judged",
    "Lead",
    "Link",
    "OpilioError",
    "Opinion",
    "Page",
    "PlainLead",
    "Record",
    "Running",
    "Sighting",
    "Stale",
    "Target",
    "Verdict",
    "__version__",
    "control",
    "corpus_extract",
    "crawl",
    "cycle_log",
    "cycle_run",
    "defaults",
    "demo",
    "export",
    "init",
    "judge_again",
    "judge_run",
    "judge_samples",
    "judge_train_badness",
    "judge_train_comments",
    "judge_train_commonness",
    "judge_try",
    "lab",
    "lm_export",
    "lm_info",
    "lm_mix",
    "lm_score",
    "lm_train",
    "load_config",
    "mark",
    "pages",
    "pilot",
    "read",
    "review",
    "revisit",
    "sample",
    "scout_add",
    "scout_audit",
    "scout_ls",
    "scout_refresh",
    "scout_run",
    "scout_stats",
    "status",
    "tune",
    "why",
]
