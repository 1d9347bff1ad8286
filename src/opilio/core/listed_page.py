"""A stored page as it stands in a list, kept or not."""

import msgspec

from .items import Opinion
from .outcome import Drop


class PageRow(msgspec.Struct, frozen=True):
    """What is known of a page without opening its record; the fields that `--where` can name in a list of pages."""

    url: str
    host: str
    title: str
    language: str  # "" if it is unknown
    tokens: int
    score: float
    kept: bool
    drop: Drop | None  # why it was not kept
    marked: bool | None  # the operator's word, if there is one
    depth: int
    fetched: str  # ISO 8601, UTC


class ListedPage(PageRow, frozen=True):
    opinions: tuple[Opinion, ...] = ()
    detail: str = ""  # the drop's

    @property
    def why(self) -> str:
        """Says in a few words where the verdict comes from. `opilio why` says more."""
        if self.drop not in (None, Drop.NOT_RELEVANT, Drop.MARKED_NO):
            return self.detail
        opinions = self.opinions
        is_summed_up = len(opinions) > 1 and opinions[0].score == self.score  # by a combination, or by the operator
        parts = opinions[1:] if is_summed_up else opinions
        return ", ".join(f"{one.judge} {'cannot tell' if one.score is None else f'{one.score:.2f}'}" for one in parts)
