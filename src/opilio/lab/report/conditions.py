"""Says under which conditions a table was made, in one sentence."""

from opilio.lab.experiment import Result
from opilio.lab.pace import Pace


def conditions(result: Result) -> str:
    parts = [
        f"Budget {_budget(result)}, {result.samples:,} {'sample' if result.samples == 1 else 'samples'}",
        Pace(result.delay_s, result.parallel).words,
        f"at most {result.per_host_cap:,} requests to a host" if result.per_host_cap else "",
        "judges know the labels" if result.gold else "",
        f"{result.flip:.0%} of the verdicts reversed" if result.flip else "",
        f"settings {' '.join(result.settings)}" if result.settings else "",
    ]
    return f"{'; '.join(filter(None, parts))}."


def _budget(result: Result) -> str:
    if result.budget:
        return f"{result.budget:,} fetches"
    if result.budget_of_r:
        return "R fetches" if result.budget_of_r == 1 else f"{result.budget_of_r:g}R fetches"
    return "R fetches, verdicts at 2R"
