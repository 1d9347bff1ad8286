"""Opilio: a focused web crawler that builds text corpora.

    for page in opilio.crawl({"seeds": {"urls": ["https://example.org/"]}}, folder="corpus"):
        print(page.url, page.language, page.title)

Names are loaded when they are used, so that importing the package, and `opilio --help`, cost next to nothing.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names
from opilio.core.version import __version__

if TYPE_CHECKING:
    from opilio.core.config import Config, load_config
    from opilio.core.errors import OpilioError
    from opilio.core.items import Link, Opinion, Page, Record, Sighting, Target, Verdict
    from opilio.judge import Judge
    from opilio.lead import Judged, Lead, PlainLead, Stale

    from .ops.api import crawl, read

__getattr__ = lazy_names(
    __name__,
    {
        "ops.api": "crawl read",
        "core.config": "Config load_config",
        "core.errors": "OpilioError",
        "core.items": "Link Opinion Page Record Sighting Target Verdict",
        "judge": "Judge",
        "lead": "Judged Lead PlainLead Stale",
    },
)

__all__ = [
    "Config",
    "Judge",
    "Judged",
    "Lead",
    "Link",
    "Opinion",
    "OpilioError",
    "Page",
    "PlainLead",
    "Record",
    "Sighting",
    "Stale",
    "Target",
    "Verdict",
    "__version__",
    "crawl",
    "load_config",
    "read",
]
