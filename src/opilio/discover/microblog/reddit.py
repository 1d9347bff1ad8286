"""Reddit: groups of subreddits by language, listings of posts, users, and whose posts they comment on.

Documented at www.reddit.com/dev/api. A listing names its next page by `after`, and ends after some hundred posts, so regular
runs find more than long ones. Reddit has no public list of friends: those whose posts a user comments on stand for them.
With a token of its OAuth2 interface, 100 requests a minute are allowed; without one, about ten, and often none.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any, Final, Self
from urllib.parse import quote, urlencode, urljoin

from msgspec import Raw, Struct

from opilio.core.errors import ConfigError
from opilio.core.items import Fetched
from opilio.core.languages import language_name
from opilio.core.plugin import Context
from opilio.discover.source import Question

from .links_in_text import links_in_text
from .listing import Kind, Listing, Message, Shown
from .microblog import Microblog, settle
from .reddit_channels import CHANNELS
from .service import Service

_SITE: Final = "https://www.reddit.com"
_INTERFACE: Final = "https://oauth.reddit.com"
_ALL: Final = "all"
_LIMIT: Final = 100
_POST: Final = "t3"
_COMMENT: Final = "t1"
_NOBODY: Final = "[deleted]"


class _Thing(Struct):
    kind: str
    data: Raw


class _Page(Struct):
    children: list[_Thing]
    after: str | None = None


class _Listing(Struct):
    data: _Page | None = None
    sorted_links: "_Listing | None" = None  # of a collection


class _Post(Struct):
    name: str
    author: str | None
    title: str
    url: str
    is_self: bool
    created_utc: float
    selftext: str = ""


class _Comment(Struct):
    name: str
    author: str | None
    body: str
    created_utc: float
    link_author: str = ""


class RedditService(Service):
    name = "reddit"
    token_variable = "OPILIO_REDDIT_TOKEN"  # noqa: S105  (the name of a variable)

    def __init__(self, server: str = "", delay_s: float = 0.0) -> None:
        known = bool(os.environ.get(self.token_variable))
        self._server = (server or (_INTERFACE if known else _SITE)).rstrip("/")
        self._ending = "" if known else ".json"
        self._delay_s = delay_s or (0.6 if known else 6.0)

    def question(self, listing: Listing, cursor: str = "") -> Question:
        query = {"limit": _LIMIT, "raw_json": 1, **({"after": cursor} if cursor else {})}
        path = f"{_path(listing)}{self._ending}"
        return Question(f"{self._server}{path}?{urlencode(query)}", self.authorization(), delay_s=self._delay_s)

    def read(self, listing: Listing, answer: Fetched) -> Shown:
        pages = self._pages(answer)
        things = [thing for page in pages for thing in page.children]
        cursor = next((page.after for page in pages if page.after), "")
        if listing.kind is Kind.FRIENDS:
            comments = (self._comment(answer, thing) for thing in things if thing.kind == _COMMENT)
            authors = dict.fromkeys(comment.link_author for comment in comments)
            return Shown(users=tuple(author for author in authors if author not in ("", _NOBODY)), cursor=cursor)
        return Shown(tuple(self._messages(answer, things)), cursor=cursor)

    def timelines(self) -> Sequence[Listing]:
        return [Listing(Kind.TIMELINE, _ALL)]

    def channels(self, languages: Sequence[str]) -> Sequence[Listing]:
        if missing := [language for language in languages if language not in CHANNELS]:
            raise ConfigError(
                f"no subreddits of {language_name(missing[0])} are known. Name some: --source reddit=indonesia+WkwkwkLand."
            )
        return [Listing(Kind.CHANNEL, f"r/{CHANNELS[language]}") for language in languages or CHANNELS]

    def _pages(self, answer: Fetched) -> list[_Page]:
        """A thread is two listings: its post and its comments."""
        several = answer.body.lstrip()[:1] == b"["
        listings = self.decode(answer, list[_Listing]) if several else [self.decode(answer, _Listing)]
        pages = [page for listing in listings if (page := (listing.sorted_links or listing).data) is not None]
        if not pages:
            raise self.unreadable(answer, "there is no listing in it")
        return pages

    def _messages(self, answer: Fetched, things: Sequence[_Thing]) -> Iterator[Message]:
        for thing in things:
            if thing.kind == _POST:
                yield _message_of_post(self.decode(answer, _Post, bytes(thing.data)))
            elif thing.kind == _COMMENT:
                yield _message_of_comment(self._comment(answer, thing))

    def _comment(self, answer: Fetched, thing: _Thing) -> _Comment:
        return self.decode(answer, _Comment, bytes(thing.data))


class Reddit(Microblog):
    @classmethod
    def build(cls, context: Context, where: str = "", server: str = "", delay_s: float = 0.0, **options: Any) -> Self:
        """`where` names subreddits, joined by a plus sign."""
        starts = [Listing(Kind.CHANNEL, f"r/{where.removeprefix('r/')}")] if where else []
        return cls(*settle(RedditService(server, delay_s), context, starts, options))


def _path(listing: Listing) -> str:
    if listing.kind in (Kind.TIMELINE, Kind.CHANNEL):
        return f"/r/{quote(listing.of.removeprefix('r/'), safe='+')}/new"
    return f"/user/{quote(listing.of, safe='')}/{'comments' if listing.kind is Kind.FRIENDS else 'overview'}"


def _message_of_post(post: _Post) -> Message:
    links = [] if post.is_self else [urljoin(_SITE, post.url)]
    links += links_in_text(post.selftext)
    text = f"{post.title}\n{post.selftext}".strip()
    return Message(post.name, _author(post.author), text, tuple(dict.fromkeys(links)), time_s=post.created_utc)


def _message_of_comment(comment: _Comment) -> Message:
    links = links_in_text(comment.body)
    return Message(comment.name, _author(comment.author), comment.body, tuple(links), time_s=comment.created_utc)


def _author(name: str | None) -> str:
    return "" if name in (None, _NOBODY) else str(name)
