"""Mastodon, and servers that have its interface: public, local and remote timelines, hashtags, accounts, and whom they follow.

Documented at docs.joinmastodon.org/methods. The next page is named by the Link header: of it, only `max_id` is used, so that a
wrong header cannot send a token elsewhere. Servers allow 300 requests in 5 minutes, and say in X-RateLimit headers what is left.
Some want a login even for their public timeline.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, Self
from urllib.parse import parse_qs, quote, urlencode

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from opilio.core.errors import ConfigError
from opilio.core.items import Fetched
from opilio.core.plugin import Context
from opilio.discover.source import Question

from .listing import Kind, Listing, Message, Shown, epoch_s
from .microblog import Microblog, settle
from .service import Service

_SERVER: Final = "mastodon.social"  # the largest; its timelines can be read without a login
_TIMELINES: Final = {"public": {}, "local": {"local": "true"}, "remote": {"remote": "true"}}
_MOST_MESSAGES: Final = 40
_MOST_USERS: Final = 80
_NEXT: Final = re.compile(r'<([^>]*)>;\s*rel="?next"?')


class _Account(Struct):
    id: str


class _Status(Struct):
    id: str
    created_at: str
    content: str
    account: _Account
    language: str | None = None
    reblog: "_Status | None" = None


class MastodonService(Service):
    name = "mastodon"
    token_variable = "OPILIO_MASTODON_TOKEN"  # noqa: S105  (the name of a variable)

    def __init__(
        self, server: str, timelines: Sequence[str] = ("public",), tags: Sequence[str] = (), delay_s: float = 1.0
    ) -> None:
        self.place = server.rstrip("/") if "://" in server else f"https://{server.rstrip('/')}"
        if unknown := set(timelines) - set(_TIMELINES):
            raise ConfigError(f'mastodon has no timeline "{unknown.pop()}". Write {", ".join(_TIMELINES)}.')
        self._timelines, self._tags, self._delay_s = timelines, [tag.removeprefix("#") for tag in tags], delay_s

    def question(self, listing: Listing, cursor: str = "") -> Question:
        path, more = self._path(listing)
        limit = _MOST_USERS if listing.kind is Kind.FRIENDS else _MOST_MESSAGES
        query = urlencode({"limit": limit, **more, **({"max_id": cursor} if cursor else {})})
        return Question(f"{self.place}/api/v1/{path}?{query}", self.authorization(), delay_s=self._delay_s)

    def read(self, listing: Listing, answer: Fetched) -> Shown:
        cursor = _cursor(answer.header("link"))
        if listing.kind is Kind.FRIENDS:
            return Shown(users=tuple(user.id for user in self.decode(answer, list[_Account])), cursor=cursor)
        return Shown(tuple(_message(status) for status in self.decode(answer, list[_Status])), cursor=cursor)

    def timelines(self) -> Sequence[Listing]:
        return [Listing(Kind.TIMELINE, name) for name in self._timelines]

    def channels(self, languages: Sequence[str]) -> Sequence[Listing]:  # noqa: ARG002
        if not self._tags:
            raise ConfigError(
                'mastodon has no channels by language, but hashtags: --set \'sources.mastodon.tags=["berita", "indonesia"]\'.'
            )
        return [Listing(Kind.CHANNEL, f"#{tag}") for tag in self._tags]

    def _path(self, listing: Listing) -> tuple[str, dict[str, str]]:
        name = quote(listing.of.removeprefix("#"), safe="")
        if listing.kind is Kind.TIMELINE:
            return "timelines/public", dict(_TIMELINES[listing.of])
        if listing.kind is Kind.CHANNEL:
            return f"timelines/tag/{name}", {}
        if listing.kind is Kind.FRIENDS:
            return f"accounts/{name}/following", {}
        return f"accounts/{name}/statuses", {"exclude_reblogs": "true"}


class Mastodon(Microblog):
    @classmethod
    def build(
        cls, context: Context, where: str = "", timelines: Sequence[str] = ("public",), tags: Sequence[str] = (),
        delay_s: float = 1.0, **options: Any,
    ) -> Self:  # fmt: skip
        """`where` is the server, such as mastodon.social."""
        return cls(*settle(MastodonService(where or _SERVER, timelines, tags, delay_s), context, (), options))


def _cursor(link: str) -> str:
    following = _NEXT.search(link)
    return parse_qs(following[1].partition("?")[2]).get("max_id", [""])[0] if following else ""


def _message(status: _Status) -> Message:
    said = status.reblog or status
    text, links = _read_html(said.content)
    return Message(status.id, said.account.id, text, links, said.language or "", epoch_s(status.created_at))


def _read_html(content: str) -> tuple[str, tuple[str, ...]]:
    """Returns the words and the links. Names of users and hashtags are links, too: they are in neither."""
    tree = LexborHTMLParser(content)
    links = []
    for anchor in tree.css("a[href]"):
        classes = (anchor.attributes.get("class") or "").split()
        href = anchor.attributes.get("href") or ""
        if not {"mention", "hashtag"}.intersection(classes) and href.startswith(("http://", "https://")):
            links.append(href)
        anchor.decompose()
    text = tree.body.text(separator=" ") if tree.body else ""
    return " ".join(text.split()), tuple(dict.fromkeys(links))
