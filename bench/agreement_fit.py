"""Fits the weights of `glean/agreement.py` on the training halves of the gold pages, and prints them.

    OPILIO_DATA=… python -m bench.agreement_fit

Ridge logistic regression over our score, as a logit, and a table of votes: the share of a block's words that trafilatura's
text has, by the length of the block. Blocks weigh as in `boilerplate_fit`. Our own scores of these pages come from weights
that were fitted on them, so they are believed a little too much; that is still better than too few pages.
"""

import sys
from typing import Final

import numpy as np

from opilio.core.limits import Limits
from opilio.core.sigmoid import sigmoids
from opilio.glean import agreement
from opilio.glean.boilerplate import score_blocks
from opilio.glean.tree import parse
from opilio.glean.walk import walk

from .boilerplate_fit import COMMENT_PAGES_WEIGHT, Floats, block_weights, content, is_training, read_gold
from .extractors import trafilatura_text

_VOTES: Final = 16
_RIDGE: Final = 1.0


def main() -> None:
    designs, labels, weights = [], [], []
    for name, weigh in (("articles", 1.0), ("comments", COMMENT_PAGES_WEIGHT)):
        for row in read_gold(name):
            if is_training(row) and (other := trafilatura_text(row["html"])):
                tree = walk(parse(row["html"]), Limits())
                folded, scores = score_blocks(tree)
                designs.append(_design(folded.texts, folded.words, scores, other))
                labels += content(folded.texts, row["text"])
                weights += block_weights(tree, folded, row["text"], weigh)
    fitted = _fit(np.concatenate(designs), np.array(labels, float), np.array(weights))
    own, bias, *votes = (round(float(value), 2) for value in fitted)
    table = "\n".join(f"    {tuple(votes[start : start + 4])}," for start in range(0, _VOTES, 4))
    sys.stdout.write(f"_OWN_WEIGHT: Final = {own}\n_BIAS: Final = {bias}\n_VOTES: Final = (\n{table}\n)\n")


def _design(texts: list[str], words: list[int], scores: list[float], other: str) -> Floats:
    design = np.zeros((len(texts), 2 + _VOTES))
    for number, (count, score, share) in enumerate(zip(words, scores, agreement.shares(texts, other), strict=True)):
        vote = 4 * agreement.share_step(share) + agreement.length_step(count)
        design[number, [0, 1, 2 + vote]] = agreement.logit(score), 1.0, 1.0
    return design


def _fit(design: Floats, labels: Floats, weights: Floats) -> Floats:
    weights = weights / weights.mean()
    solution = np.zeros(design.shape[1])
    for _ in range(15):
        guess = sigmoids(design @ solution)
        gradient = design.T @ (weights * (guess - labels)) + _RIDGE * solution
        curvature = (design * (weights * guess * (1 - guess))[:, None]).T @ design + _RIDGE * np.eye(len(solution))
        solution -= np.linalg.solve(curvature, gradient)
    return solution


if __name__ == "__main__":
    main()
