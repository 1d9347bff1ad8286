"""The columns of the lab's tables: which figure each shows, its name in short and in full, and what it means."""

from typing import Final, NamedTuple

from opilio.lab.summary import CPU, POOLED


class Column(NamedTuple):
    figure: str
    short: str  # heading in narrow tables
    heading: str  # its full name
    style: str = ".3f"  # format of its numbers
    unit: float = 1.0
    lowest: bool = False  # the lowest value is the best
    meaning: str = ""


HARVEST_AT_R: Final = Column(
    "harvest_at_r", "at R", "harvest at R", meaning="Relevant pages among the first R fetches, divided by R."
)
GAIN: Final = Column("gain", "gain", "harvest over breadth-first", "+.3f", meaning="At R, run by run.")
KEPT_F1: Final = Column(
    "kept_f1", "F1", "F1 of what is kept", meaning="The harmonic mean of the precision and the recall of what was kept."
)
TIMES: Final = (
    Column("time_to_r_s", "time R", "time to R, simulated seconds", ",.0f", lowest=True,
           meaning="Until R pages were fetched, relevant or not; runs that ended before are left out."),
    Column("seconds_per_relevant", "s/page", "simulated seconds per relevant page", ",.2f", lowest=True,
           meaning="The same time, divided by the relevant pages among the first R fetches: how long one waits for the next."),
)  # fmt: skip
HARVEST: Final = (
    Column("harvest_at_quarter_r", "at R/4", "harvest at R/4",
           meaning="Relevant pages among the first R/4 fetches, divided by R/4."),
    HARVEST_AT_R,
    GAIN,
    Column("harvest_at_2r", "at 2R", "harvest at 2R", meaning="Relevant pages among the first 2R fetches, divided by R."),
    Column("harvest_at_4r", "at 4R", "harvest at 4R", meaning="Relevant pages among the first 4R fetches, divided by R."),
    KEPT_F1,
    *TIMES,
)  # fmt: skip
AGAINST: Final = tuple(column for column in HARVEST if column is not GAIN)
COST: Final = (
    Column("auc", "area", "area under the curve", meaning="Of relevant pages over fetches; 1 if no fetch was in vain."),
    Column("weighted_coverage", "WC", "weighted coverage",
           meaning="Tokens of relevant pages that were kept, divided by the tokens of all relevant pages."),
    Column("held_out_recall", "recall", "held-out recall",
           meaning="Share of the relevant pages other than the samples that were fetched."),
    Column("hosts", "hosts", "relevant hosts", ",.1f", meaning="Hosts with a relevant page that was fetched."),
    Column("new_tokens_per_1000", "kept", "thousand new tokens per 1,000 fetches", ",.0f", 1e-3,
           meaning="Tokens of all documents that were kept, relevant or not."),
    Column("bytes_per_relevant", "kB", "kB per relevant page", ",.0f", 1e-3, lowest=True,
           meaning="All that was downloaded, divided by relevant pages fetched."),
    Column(CPU, "CPU", "milliseconds of processor time per page fetched", ".1f", lowest=True,
           meaning="Median of the runs; without reading and gleaning, which all recipes have to do alike."),
)  # fmt: skip
VERDICTS: Final = (
    Column("kept_precision", "precision", "precision of what is kept", meaning="Relevant pages among those that were kept."),
    Column("kept_recall", "recall", "recall of what is kept", meaning="Kept pages among the relevant ones that were fetched."),
    KEPT_F1,
    Column("best_f1", "best F1", "F1 at the best line", meaning="At the score that would have been best for the same pages."),
    Column("calibration_error", "calibration", "calibration error, points", ".1f", lowest=True,
           meaning="Of the scores as probabilities, in ten bins."),
    Column(POOLED, "pooled", "calibration error of all pages together, points", ".1f", lowest=True,
           meaning="The same of the pages of all topics put together."),
)  # fmt: skip
