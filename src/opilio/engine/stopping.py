"""Enough: reasons to stop that lie in what a crawl still finds, not in what it has spent; and what people see of it.

Rules: nothing is said before `RECENT` pages. What the lead estimates to remain is a guess from few draws, and is never
believed to be less than what the last pages have brought: the next ones would bring about as much.
"""

from typing import Any, Final

from opilio.core.config import Stop
from opilio.folder.tally import RECENT, Tally
from opilio.lead import Lead

_SIGNALS: Final = 3  # groups that are shown


def enough(stop: Stop, tally: Tally, lead: Lead) -> str:
    """Says in words and figures why it is not worth going on; "" while it is, or while nobody can say."""
    if not (stop.precision or stop.saturation) or len(tally.recent) < RECENT:
        return ""
    if tally.recent_yield < stop.precision:
        return f"precision below {stop.precision:g}: {tally.recent_yield:.1%} of the last {RECENT} pages belong"
    remaining = lead.remaining() if stop.saturation else None
    share = _found_share(tally, remaining)
    if share is None or share < stop.saturation:
        return ""
    return (
        f"saturation of {stop.saturation:g} reached: {tally.relevant:,} pages found that belong, {share:.1%} of those in reach "
        "by estimate"
    )


def _found_share(tally: Tally, remaining: float | None) -> float | None:
    """Returns which share of the pages in reach that belong was found; None without an estimate or a find."""
    if remaining is None or not tally.relevant:
        return None
    return tally.relevant / (tally.relevant + max(remaining, float(tally.recent.count("1"))))


def outlook(tally: Tally, lead: Lead | None) -> dict[str, Any]:
    """Tells what the crawl finds now and what is ahead of it, as far as its lead can say."""
    remaining, weights = (lead.remaining(), lead.weights()) if lead is not None else (None, {})
    share = _found_share(tally, remaining)
    return {
        "relevant": tally.relevant,
        "marginal_yield": round(tally.recent_yield, 4) if tally.recent else None,
        "marginal_pages": len(tally.recent),
        "remaining": None if remaining is None else round(remaining),
        "found_share": None if share is None else round(share, 4),
        "signals": {group: round(weight, 2) for group, weight in list(weights.items())[:_SIGNALS]},
    }
