"""N-gram language models, which say how likely a text is after they were trained on similar texts; and other learners.

`to_lines` turns any text into lines of words. `train` counts the n-grams of such lines and smooths the counts into a
`LanguageModel`; it can be saved to a file that many processes open without extra memory, and exchanged with other
programs as ARPA. A `Mixture` combines several models; `open_model` opens either. Both return a `Score`: sums of log10
probabilities, from which perplexities follow.
"""

from typing import TYPE_CHECKING

from opilio.core.lazy import lazy_names

if TYPE_CHECKING:
    from .arpa import read_arpa, write_arpa
    from .language_model import LanguageModel
    from .learn import train, train_counts
    from .mixture import Mixture, best_of_window
    from .score import Score
    from .scorer import Scorer, open_model
    from .training import Training
    from .words import to_lines

__getattr__ = lazy_names(
    __name__,
    {
        "arpa": "read_arpa write_arpa",
        "language_model": "LanguageModel",
        "learn": "train train_counts",
        "mixture": "Mixture best_of_window",
        "score": "Score",
        "scorer": "Scorer open_model",
        "training": "Training",
        "words": "to_lines",
    },
)

__all__ = [
    "LanguageModel",
    "Mixture",
    "Score",
    "Scorer",
    "Training",
    "best_of_window",
    "open_model",
    "read_arpa",
    "to_lines",
    "train",
    "train_counts",
    "write_arpa",
]
