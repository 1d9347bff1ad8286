"""The loops that numba compiles: from bytes to words, from words to n-grams, sums over n-grams, scoring, and others.

They take and return plain arrays, hold no state and raise no exceptions. A kernel is compiled once per machine and then
loaded from numba's cache, which costs some hundredths of a second each; importing numba itself costs about 0.4 s. So
this package is imported only when a kernel is needed.

numba looks only at a kernel's own file when it decides whether a compiled kernel is stale: after a change in `mixing`,
touch the others. `lead.learned.kernels` lists which of its kernels use some of these.
"""
