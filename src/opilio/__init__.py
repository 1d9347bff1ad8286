"""Opilio: a focused web crawler that builds text corpora.

    for page in opilio.crawl({"seeds": {"urls": ["https://example.org/"]}}, folder="corpus"):
        print(page.url, page.language, page.title)

Names are loaded when they are used, so that importing the package, and `opilio --help`, cost next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from opilio.core.version import __version__

if TYPE_CHECKING:
    from opilio.api import crawl, read
    from opilio.core.config import Config, load_config
    from opilio.core.errors import OpilioError
    from opilio.core.items import Link, Opinion, Page, Record, Sighting, Target, Verdict
    from opilio.judge import Judge
    from opilio.lead import Judged, Lead, PlainLead, Stale

_HOMES = {
    "crawl": "opilio.api",
    "read": "opilio.api",
    "Config": "opilio.core.config",
    "load_config": "opilio.core.config",
    "OpilioError": "opilio.core.errors",
    "Judge": "opilio.judge",
    "Judged": "opilio.lead",
    "Lead": "opilio.lead",
    "PlainLead": "opilio.lead",
    "Stale": "opilio.lead",
    **dict.fromkeys(("Link", "Opinion", "Page", "Record", "Sighting", "Target", "Verdict"), "opilio.core.items"),
}

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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'opilio' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
