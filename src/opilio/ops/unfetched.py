"""What to say of a crawl that has come to its end without a page: each seed, why nothing came of it, and what to change."""

from opilio.core.errors import NothingFetchedError
from opilio.folder import CrawlFolder, View

from .causes import tell_seed
from .listing import listing


def nothing_fetched(folder: CrawlFolder) -> NothingFetchedError:
    with View(folder) as view:
        reason = view.meta.tally.stop_reason
        seeds = (f"{found.link.url}: {tell_seed(view, found)}" for found in view.links.seeds())
        listed = listing(seeds, view.links.count_seeds())
    return NothingFetchedError(
        f"no seed led to a page with text (stopped: {reason}):{listed}\n"
        f"`opilio why {folder.path} URL` tells more. The same command tries again, with changed settings too."
    )
