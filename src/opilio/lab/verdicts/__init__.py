"""Judges against labels: what a judge keeps of a whole web, by number, length, form and origin of its samples.

A `JudgeQuestion` becomes a `JudgeJob` for each topic and each `Way` of giving samples. A job writes its samples to files,
builds the judge from them as a crawl would, shows it every page of the web, and compares its verdicts with the labels. The
`JudgeRun`s are summarised by means, and ways that differ only in their form are compared by what they keep.
"""
