"""The loops of the learned lead that numba compiles: rows of links, their signals, and the counts that the signals come from.

They take and return plain arrays, hold no state and raise nothing. A kernel is compiled once per machine and then loaded from
numba's cache.

When numba decides whether a compiled kernel is stale, it looks only at the kernel's own file. A kernel freezes what it takes
from elsewhere, so after a change there, touch the files that take it:

* the order or the names of `signals.Signal`, `facts.WordFact` or `facts.PathFact`: touch `links`;
* `yields`: touch `link_rows`;
* `model.kernels.prefetching`: touch `links`; `model.kernels.terms`: touch `addresses`; `model.kernels.mixing`: touch `word_runs`.
"""
