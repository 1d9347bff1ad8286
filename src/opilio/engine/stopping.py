"""Reasons to stop that depend on what a crawl still finds, not on what it has spent; and the outlook that people see.

Rules: there is no reason to stop before `RECENT_PAGES` pages. If the judge gives probabilities, these say how many of the last
pages belong, not its verdicts, so that a line that is too strict does not end a crawl by itself. The lead estimates what remains
from few draws. The estimate is raised to what the last pages have brought if it is below that, because the next ones would bring
about as much.
"""

from typing import Any, Final

from opilio.core.tables import Stop
from opilio.folder.tally import RECENT_PAGES, Tally
from opilio.lead import Lead

_SIGNALS: Final = 3  # groups that are shown


def enough(stop: Stop, tally: Tally, lead: Lead) -> str:
    """Returns the reason to stop, in words and figures; "" while going on is worth it, or too little is known."""
    if not (stop.precision or stop.saturation) or len(tally.recent_worths) < RECENT_PAGES:
        return ""
    if tally.recent_yield < stop.precision:
        by = ", by the judge's probabilities" if tally.by_probability else ""
        return (
            f"precision below {stop.precision:g}: {tally.recent_yield:.2%} of the last {RECENT_PAGES} pages belong{by}"
        )
    remaining = lead.remaining() if stop.saturation else None
    share = _found_share(tally, remaining)
    if share is None or share < stop.saturation:
        return ""
    return (
        f"saturation of {stop.saturation:g} reached: {tally.relevant:,} pages found that belong, {share:.1%} of those in reach "
        "by estimate"
    )


def _found_share(tally: Tally, remaining: float | None) -> float | None:
    """Returns the share that was found of all pages in reach that belong; None without an estimate or a find."""
    if remaining is None or not tally.relevant:
        return None
    return tally.relevant / (tally.relevant + max(remaining, sum(tally.recent_worths)))


def outlook(tally: Tally, lead: Lead | None) -> dict[str, Any]:
    """Returns what the crawl finds now and what is ahead of it, as far as its lead knows."""
    remaining, weights = (lead.remaining(), lead.weights()) if lead is not None else (None, {})
    share = _found_share(tally, remaining)
    return {
        "relevant": tally.relevant,
        "marginal_yield": round(tally.recent_yield, 4) if tally.recent_worths else None,
        "marginal_pages": len(tally.recent_worths),
        "by_probability": tally.by_probability,
        "remaining": None if remaining is None else round(remaining),
        "found_share": None if share is None else round(share, 4),
        "signals": {group: round(weight, 2) for group, weight in list(weights.items())[:_SIGNALS]},
    }
