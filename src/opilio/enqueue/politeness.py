"""How long hosts are left alone, and how often a link or a host may fail."""

from typing import NamedTuple

from opilio.core.config import Config


class Politeness(NamedTuple):
    delay_s: float = 1.0
    max_delay_s: float = 3600.0
    backoff_s: float = 5.0
    max_backoff_s: float = 3600.0
    tries: int = 3
    host_failures: int = 6
    lease_s: float = 300.0
    pages_per_host: int = 0
    patience_s: float = 30.0

    @classmethod
    def of(cls, config: Config) -> "Politeness":
        fetch = config.fetch
        return cls(
            fetch.delay_s, fetch.max_delay_s, fetch.backoff_s, fetch.max_backoff_s, fetch.tries, fetch.host_failures,
            config.crawl.lease_s, config.scope.pages_per_host, config.policy.patience_s,
        )  # fmt: skip
