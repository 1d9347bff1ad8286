"""Bluesky: feeds, searches, authors and whom they follow, through the public AppView, which needs no login.

Documented at docs.bsky.app (lexicons app.bsky.feed and app.bsky.graph). Pages are named by a cursor. Servers allow 3,000
requests in 5 minutes, and say in RateLimit headers what is left. The AppView may refuse searches without a login.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Self
from urllib.parse import urlencode

from msgspec import Raw, Struct, ValidationError, field, json

from opilio.core.errors import ConfigError
from opilio.core.items import Fetched
from opilio.core.plugin import Context
from opilio.discover.source import Question

from .listing import Kind, Listing, Message, Shown, epoch_s
from .microblog import Microblog, settle
from .service import Service

_SERVER: Final = "https://public.api.bsky.app"
_FEED: Final = "at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/whats-hot"  # the AppView's own "Discover"
_FEED_SCHEME: Final = "at://"
_LIMIT: Final = 100
_ANY_LINK: Final = "https"  # what a search must have to be about links
_REPOST: Final = "app.bsky.feed.defs#reasonRepost"


class _User(Struct):
    did: str


class _External(Struct):
    uri: str


class _Embed(Struct):
    external: _External | None = None
    media: "_Embed | None" = None


class _Feature(Struct):
    uri: str = ""


class _Facet(Struct):
    features: list[_Feature] = []


class _Record(Struct):
    text: str = ""
    langs: list[str] | None = None
    facets: list[_Facet] | None = None


class _Post(Struct):
    uri: str
    author: _User
    record: Raw  # as a client has written it; nobody has checked it
    indexed_at: str = field(name="indexedAt")
    embed: _Embed | None = None


class _Reason(Struct):
    type: str = field(name="$type", default="")


class _Item(Struct):
    post: _Post
    reason: _Reason | None = None


class _Feed(Struct):
    feed: list[_Item]
    cursor: str = ""


class _Found(Struct):
    posts: list[_Post]
    cursor: str = ""


class _Follows(Struct):
    follows: list[_User]
    cursor: str = ""


class BlueskyService(Service):
    name = "bluesky"
    token_variable = "OPILIO_BLUESKY_TOKEN"  # noqa: S105  (the name of a variable)

    def __init__(self, server: str = _SERVER, tags: Sequence[str] = (), delay_s: float = 0.2) -> None:
        self._server, self._tags, self._delay_s = server.rstrip("/"), tags, delay_s

    def question(self, listing: Listing, cursor: str = "") -> Question:
        method, terms = _call(listing)
        query = urlencode({**terms, "limit": _LIMIT, **({"cursor": cursor} if cursor else {})})
        return Question(f"{self._server}/xrpc/app.bsky.{method}?{query}", self.authorization(), delay_s=self._delay_s)

    def read(self, listing: Listing, answer: Fetched) -> Shown:
        if listing.kind is Kind.FRIENDS:
            friends = self.decode(answer, _Follows)
            return Shown(users=tuple(user.did for user in friends.follows), cursor=friends.cursor)
        if listing.kind is Kind.CHANNEL:
            found = self.decode(answer, _Found)
            return Shown(tuple(map(_message, found.posts)), cursor=found.cursor)
        feed = self.decode(answer, _Feed)
        own = [item.post for item in feed.feed if item.reason is None or item.reason.type != _REPOST]
        return Shown(tuple(map(_message, own)), cursor=feed.cursor)

    def timelines(self) -> Sequence[Listing]:
        return [Listing(Kind.TIMELINE, _FEED)]

    def channels(self, languages: Sequence[str]) -> Sequence[Listing]:
        """A channel is a search: of a tag, or of anything with a link that its author says to be in a language."""
        searches = [f"#{tag.removeprefix('#')}" for tag in self._tags] or [f"lang:{language}" for language in languages]
        if not searches:
            raise ConfigError(
                "bluesky has channels by language: name one with --language, or tags with sources.bluesky.tags."
            )
        return [Listing(Kind.CHANNEL, search) for search in searches]


class Bluesky(Microblog):
    @classmethod
    def build(
        cls, context: Context, where: str = "", tags: Sequence[str] = (), server: str = _SERVER, delay_s: float = 0.2,
        **options: Any,
    ) -> Self:  # fmt: skip
        """`where` is a feed (at://…) or a search, such as "#berita"."""
        kind = Kind.TIMELINE if where.startswith(_FEED_SCHEME) else Kind.CHANNEL
        starts = [Listing(kind, where)] if where else []
        return cls(*settle(BlueskyService(server, tags, delay_s), context, starts, options))


def _call(listing: Listing) -> tuple[str, dict[str, str]]:
    if listing.kind is Kind.TIMELINE:
        return "feed.getFeed", {"feed": listing.of}
    if listing.kind is Kind.USER:
        return "feed.getAuthorFeed", {"actor": listing.of, "filter": "posts_with_replies"}
    if listing.kind is Kind.FRIENDS:
        return "graph.getFollows", {"actor": listing.of}
    _, by_language, language = listing.of.partition("lang:")
    terms = {"q": _ANY_LINK, "lang": language} if by_language else {"q": listing.of}
    return "feed.searchPosts", {**terms, "sort": "latest"}


def _message(post: _Post) -> Message:
    try:
        record = json.decode(post.record, type=_Record)
    except ValidationError:  # a strange client; the service's own part of the answer still holds
        record = _Record()
    langs = record.langs or []
    language = langs[0] if len(langs) == 1 else ""  # several say nothing
    links = tuple(dict.fromkeys(_links(record, post.embed)))
    return Message(post.uri, post.author.did, record.text, links, language, epoch_s(post.indexed_at))


def _links(record: _Record, embed: _Embed | None) -> Iterator[str]:
    """Yields what the text links to, then what the card below it does. Names and tags are features without a URI."""
    for facet in record.facets or ():
        yield from (feature.uri for feature in facet.features if feature.uri)
    while embed is not None:
        if embed.external is not None:
            yield embed.external.uri
        embed = embed.media
