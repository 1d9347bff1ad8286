"""A URL that a source has found, and what the source knows of it before anybody has paid for a download."""

from opilio.core.items import Item


class Find(Item, frozen=True):
    """One mention of a URL. A URL that several sources mention is one candidate with several finds."""

    url: str  # as it was written; the queue gives it its canonical form
    origin: str = ""  # where it was mentioned: an article, a category, a query, a channel; never the name of a user
    language: str = ""  # of the mention, if the source knows it
    topic: str = ""  # such as the category of a directory
    group: str = ""  # the kind of mention within its source, which statistics are made by: "random", "rejected", …
    message: str = ""  # the words around it; stored only if the operator wants messages to be kept
    set_aside: bool = False  # a message that failed the language filter: it is counted and audited, and never queued
