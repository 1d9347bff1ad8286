"""Have readers commented on this page? Decides by the names of its CSS classes (Neunerdt et al.).

Blog engines name the parts of a page: `comment-author`, `commentlist`. A page counts as one with comments if any of its
class names contains one of the keywords, in any case. The keywords are learned (`comment_training`); those in
`comment_keywords.json` come from 711 pages of English blogs and news sites of about 2012, of which 206 had comments.
Forum engines use other words, which can be added (`keywords`) or learned from their pages (`file`).

Rule: the keywords alone decide whether a page belongs. The score says how often that was right in training: it is the
share of pages with comments among those with the best keyword found, or among those without a keyword.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Self

import msgspec

from opilio.core.errors import ConfigError
from opilio.core.items import Opinion, Page, Verdict
from opilio.core.plugin import Context

from .seam import Judge

_NAME: Final = "comments"
_FORMAT: Final = "opilio comment keywords 1"
_SHIPPED_FILE: Final = Path(__file__).with_name("comment_keywords.json")
_SHOWN_CHARS: Final = 80


class CommentKeywords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a keyword file. Shares are counted with one more page of each kind, so that none is 0 or 1."""

    format: str
    source: str  # the file that they were learned from
    pages: int
    with_comments: int
    missed: float  # share of the pages without a keyword that had comments
    keywords: dict[str, float]  # keyword → share of the pages with it that had comments

    @classmethod
    def of(cls, source: str, pages: int, with_comments: int, missed: float, keywords: dict[str, float]) -> Self:
        return cls(_FORMAT, source, pages, with_comments, missed, keywords)

    def encode(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self)) + b"\n"


@cache
def read_comment_keywords(path: Path = _SHIPPED_FILE) -> CommentKeywords:
    """Reads a file once per process, because workers rebuild their judge whenever a setting changes."""
    try:
        read = msgspec.json.decode(path.read_bytes(), type=CommentKeywords)
    except OSError as error:
        raise ConfigError(f"cannot read the comment keywords {path}: {error.strerror}.") from error
    except msgspec.MsgspecError as error:
        raise ConfigError(_not_keywords(path, str(error))) from error
    if read.format != _FORMAT:
        raise ConfigError(_not_keywords(path, f"its format is “{read.format[:50]}”, not “{_FORMAT}”"))
    return read


class Comments(Judge):
    """`shares` says how often a page with the keyword has comments, `missed` how often one without any keyword has."""

    reads_markup = True

    def __init__(self, shares: Mapping[str, float], missed: float = 0.0) -> None:
        self._shares = {keyword.lower(): share for keyword, share in shares.items() if keyword}
        self._missed = missed
        if not self._shares:
            raise ConfigError("the comments judge has no keywords. Name some with judge.keywords, or a judge.file.")

    @classmethod
    def build(cls, context: Context, *, file: str = "", keywords: Sequence[str] = ()) -> Self:
        """`file` is relative to the crawl's folder; `keywords` are added to it, and count as certain."""
        learned = read_comment_keywords((context.folder or Path()) / file) if file else read_comment_keywords()
        return cls({**learned.keywords, **dict.fromkeys(keywords, 1.0)}, learned.missed)

    def judge(self, page: Page) -> Verdict:
        names = "\n".join(page.classes).lower()
        found = [keyword for keyword in self._shares if keyword in names]
        if not found:
            reason = f"none of {len(page.classes)} class names contains a keyword"
            return Verdict(self._missed, belongs=False, opinions=(Opinion(_NAME, self._missed, reason, 0.0),))
        best = max(found, key=self._shares.__getitem__)
        score = self._shares[best]
        bearer = next(name for name in page.classes if best in name.lower())[:_SHOWN_CHARS]
        others = f" and {len(found) - 1} more" if len(found) > 1 else ""
        reason = f"the class “{bearer}” contains “{best}”{others}"
        return Verdict(score, belongs=True, opinions=(Opinion(_NAME, score, reason, float(len(found))),))


def _not_keywords(path: Path, cause: str) -> str:
    return (
        f"{path} is not a file of comment keywords: {cause}. "
        "`opilio judge train comments PAGES.jsonl.gz -o FILE` makes such a file."
    )
