"""The kinds of pages, and the labels that follow from them.

An exact copy has the type of its original. A kind that is not in `QUALITIES` is good: running text that is not an exact
copy.
"""

from enum import IntEnum
from typing import Final


class PageKind(IntEnum):
    HOME = 0
    ARCHIVE = 1
    ABOUT = 2
    PRIVACY = 3
    ARTICLE = 4
    COMMENTED = 5
    THREAD = 6
    STUB = 7
    LIST = 8
    NOTICE = 9
    SALAD = 10
    FARM = 11
    EXACT = 12
    NEAR = 13


# the kinds of poor pages on a host that is not a link farm, and their shares
POOR_SHARES: Final = {PageKind.STUB: 0.5, PageKind.LIST: 0.2, PageKind.NOTICE: 0.15, PageKind.SALAD: 0.15}
PROSE_KINDS: Final = frozenset({PageKind.ARTICLE, PageKind.COMMENTED, PageKind.THREAD, PageKind.NEAR})
COMMENTED_KINDS: Final = frozenset({PageKind.COMMENTED, PageKind.THREAD})
TYPES: Final = {
    PageKind.HOME: "index.home",
    PageKind.ARCHIVE: "index.archive",
    PageKind.ABOUT: "service",
    PageKind.PRIVACY: "service",
    PageKind.ARTICLE: "article",
    PageKind.COMMENTED: "comments.blog",
    PageKind.THREAD: "comments.forum",
    PageKind.STUB: "stub",
    PageKind.LIST: "list",
    PageKind.NOTICE: "service",
    PageKind.SALAD: "spam.salad",
    PageKind.FARM: "spam.farm",
    PageKind.NEAR: "article",
}
QUALITIES: Final = {
    PageKind.HOME: "fair",
    PageKind.ARCHIVE: "fair",
    PageKind.ABOUT: "poor.boilerplate",
    PageKind.PRIVACY: "poor.boilerplate",
    PageKind.STUB: "poor.stub",
    PageKind.LIST: "poor.list",
    PageKind.NOTICE: "poor.boilerplate",
    PageKind.SALAD: "poor.salad",
    PageKind.FARM: "poor.farm",
    PageKind.EXACT: "poor.copy",
}
