"""The lead that learns during the crawl which links are worth their download.

`lead.py` tells the theory. A `Learned` is made of a `LinkTable`, which holds the open links; an `Intake`, which brings targets
into it; `Knowledge`, which is everything that pages and links have taught so far; an online learner, which weighs the
signals; an `Exploration`, which spends a share of the picks on doubtful links; `Credit` and `Reward`, which say what an example
is worth. `kernels` has the loops over links and words, compiled by numba. Loading numba takes half a second, so nothing
imports this package until a crawl uses the lead.
"""

from .lead import Learned

__all__ = ["Learned"]
