"""The loops that numba compiles: words out of bytes, n-grams out of words, sums over n-grams, and the walk that scores.

They take and give plain arrays, hold no state and raise nothing. A kernel is compiled once per machine and then loaded
from numba's cache, which costs some hundredths of a second each; importing numba itself costs about 0.4 s. So nothing
imports this package before a language model is trained or opened.

numba looks only at a kernel's own file when it decides whether a compiled kernel is stale: after a change in `mixing`,
touch the others. `lead.learned.kernels` lists which of its kernels use some of these.
"""
