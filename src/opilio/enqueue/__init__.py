"""What may be fetched, and what next.

A URL that a page, a seeds file or a redirect names passes `Admission`; the `Frontier` gives it a number if it is new
and queues it under its host with the score that a lead gave. `Frontier.lease` hands out the best link of a host that
may be asked now, and the lease comes back as an ending or goes back to the queue. Every ending is told to the
frontier's `Listener`s. The rows are kept in SQLite (`SqliteStore`). A
`Policy` ranks buckets and says when waiting links become ready.
"""

from .admission import Admission, QueryCounts
from .endings import Ended, Listener
from .frontier import Frontier
from .links import OpenLink
from .policy import Policy, bucket_of, build_policy, graded, only_due
from .politeness import Politeness
from .reader import LinkReader
from .ready import ALL_KINDS, Kinds
from .sqlite import SCHEMA, SqliteStore
from .store import Ending, State, StoredLink

__all__ = [
    "ALL_KINDS",
    "Admission",
    "Ended",
    "Ending",
    "Frontier",
    "Kinds",
    "LinkReader",
    "Listener",
    "OpenLink",
    "Politeness",
    "QueryCounts",
    "SCHEMA",
    "SqliteStore",
    "State",
    "StoredLink",
    "Policy",
    "bucket_of",
    "build_policy",
    "graded",
    "only_due",
]
