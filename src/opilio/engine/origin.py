"""What every document of a crawl says about where it comes from."""

import hashlib

import msgspec

from opilio.core.clock import iso_time
from opilio.core.config import Config, follows_recipe
from opilio.core.items import Origin
from opilio.folder.meta import Meta


def origin_of(config: Config, meta: Meta, now_s: float) -> Origin:
    """Returns the origin of the documents from now on. The identifier is made when a crawl begins, from its settings and the
    time, and stays the same; a crawl of an older folder gets one when it goes on."""
    if not meta.crawl:
        made = msgspec.json.encode(config) + iso_time(now_s).encode()
        meta.crawl = hashlib.blake2b(made, digest_size=8).hexdigest()
    own = meta.judge_object or meta.lead_object or not follows_recipe(config)
    return Origin(meta.crawl, "" if own else config.crawl.recipe)
