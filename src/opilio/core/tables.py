"""The tables of a crawl's settings. Defaults, and what follows from changing them, are in defaults.toml."""

from typing import Annotated, Final, Literal

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Operator(Table, frozen=True):
    contact: str
    name: Annotated[str, msgspec.Meta(pattern="^[A-Za-z_-]+$")]  # a product token as RFC 9309 defines it


class Corpus(Table, frozen=True):
    languages: tuple[str, ...]  # as the language identifier calls them
    other_languages: bool
    like: tuple[str, ...]

    @property
    def only(self) -> tuple[str, ...]:
        """Returns the languages one of which a page must have; none if any will do."""
        return () if self.other_languages else self.languages


class Seeds(Table, frozen=True):
    urls: tuple[str, ...]
    files: tuple[str, ...]


class Scope(Table, frozen=True):
    hosts: tuple[str, ...]
    domains: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    max_depth: Count
    url_chars: Positive
    media: bool
    extensions: tuple[str, ...]
    repeated_segments: Positive
    query_parameters: Positive
    follow_nofollow: bool
    queries_per_path: Positive
    pages_per_host: Count
    sitemaps: Count
    feeds: Count


class FetchSettings(Table, frozen=True):
    delay_s: Seconds
    max_delay_s: Seconds
    connections: Positive
    accept_language: Annotated[str, msgspec.Meta(pattern="^[ -~]*$")]
    allow_private_addresses: bool
    proxy: str
    hosts: dict[str, str]
    ports: tuple[Annotated[int, msgspec.Meta(ge=1, le=65535)], ...]
    robots_hours: Seconds  # in hours; only the allowed range is that of Seconds
    robots_retry_s: Seconds
    robots_forbidden_is_disallow: bool
    backoff_s: Seconds
    max_backoff_s: Seconds
    tries: Positive
    host_failures: Positive


class PolicySettings(Table, frozen=True):
    bounds: tuple[float, ...]
    step: Annotated[float, msgspec.Meta(ge=0, le=8)]
    choice: Literal["strict", "patient", "best", "weighted"]
    patience_s: Seconds
    leeway: Annotated[float, msgspec.Meta(ge=0)]
    wave: Literal["none", "layer", "batch"]
    top: Count
    quotas: tuple[Annotated[float, msgspec.Meta(ge=0)], ...]
    keep_rest: bool
    cut: float


class Keep(Table, frozen=True):
    min_chars: Count
    opted_out: bool
    refused: Literal["bytes", "text", "nothing"]
    shard_bytes: Positive
    gzip_level: Annotated[int, msgspec.Meta(ge=0, le=3)]


class CrawlSettings(Table, frozen=True):
    recipe: str
    workers: Count
    in_flight: Positive
    in_flight_bytes: Positive
    commit_pages: Positive
    commit_s: Seconds
    lease_s: Seconds
    max_wait_s: Seconds
    seed: int
    event_log: bool


class Stop(Table, frozen=True):
    pages: Count
    documents: Count
    size_bytes: Count
    tokens: Count
    seconds: Seconds
    layers: Count
    precision: Share
    saturation: Share


NO_STOP: Final = Stop(0, 0, 0, 0, 0.0, 0, 0.0, 0.0)


class CycleSettings(Table, frozen=True):
    window: Positive
    best: Positive
    order: Annotated[int, msgspec.Meta(ge=1, le=6)]
    smoothing: Literal["kneser-ney", "katz"]


class Scout(Table, frozen=True):
    mode: Literal["surface", "deep", "channels"]
    exclude: tuple[str, ...]
    budget: Count
    keep_messages: bool
    blocklist: str
    short_url_chars: Count
    per_domain: Positive
    min_chars: Count
    max_bytes: Positive
    min_confidence: Share
    cloaking: Share
    archive: str
