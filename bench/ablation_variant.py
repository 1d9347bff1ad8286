"""Variants of the learned lead: what is left out or exchanged in each, as settings or as a learner.

The variants in `SINGLE_GROUPS` have one group of signals each; those in `SINGLE_CHANGES` differ from the unmodified lead in one
thing.
"""

import importlib.util
import inspect
import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from opilio.lead.learned import Learned
from opilio.lead.learned.signals import GROUPS, TRUST
from opilio.model.online_logistic import OnlineLogistic

from .ablation_learner import AdaGrad, Exchange, Frozen, unbelieving

EVERYTHING: Final = "everything"
SINGLE_CHANGES: Final = "one thing changed"
SINGLE_GROUPS: Final = "one group of signals alone"
PEER: Final = "vowpalwabbit"
SINGLES: Final = tuple(group for group in GROUPS if group != "all")
_REFRESHES: Final = (64, 256, 512, 2_048)
_PEERS: Final = {  # the best rates of several, by log loss on some of the crawls that are measured
    "as it comes": "--learning_rate 1",  # adaptive, normalized, invariant
    "not normalized": "--adaptive --invariant --learning_rate 0.1",
    "ftrl": "--ftrl --ftrl_alpha 0.1",
}
_COIN: Final = "--coin"  # has no rate, and takes no prediction to start from


class Variant(NamedTuple):
    name: str
    block: str
    settings: Sequence[str] = ()
    exchange: Exchange | None = None
    hard: bool = False


def variants() -> list[Variant]:
    """Lists the lead as it is first."""
    found = [Variant(EVERYTHING, ""), Variant("other random numbers", SINGLE_CHANGES, ("lead.seed=1000",))]
    found += [
        Variant(f"without {group}", SINGLE_CHANGES, (only(each for each in SINGLES if each != group),))
        for group in SINGLES
    ]
    found += [
        Variant("no credit", SINGLE_CHANGES, ("lead.discount=0",)),
        Variant("no exploration", SINGLE_CHANGES, ("lead.explore=0",)),
        Variant("no tokens", SINGLE_CHANGES, ("lead.rate=0",)),
        Variant("hard verdicts", SINGLE_CHANGES, hard=True),
        Variant("nothing learned", SINGLE_CHANGES, exchange=Frozen),
        Variant("no beliefs", SINGLE_CHANGES, exchange=unbelieving(1.0)),
        Variant("no beliefs, wide", SINGLE_CHANGES, exchange=unbelieving(1.0 / TRUST)),
        Variant("AdaGrad for signals too", SINGLE_CHANGES, exchange=AdaGrad),
    ]
    usual = inspect.signature(Learned).parameters["refresh"].default
    found += [
        Variant(f"refresh {many:,}", SINGLE_CHANGES, (f"lead.refresh={many}",)) for many in _REFRESHES if many != usual
    ]
    found += _peers()
    return found + [Variant(f"{group} alone", SINGLE_GROUPS, (only((group,)),)) for group in SINGLES]


def _peers() -> list[Variant]:
    """Returns no variants where the peer is not installed."""
    if importlib.util.find_spec(PEER) is None:
        return []
    found = [Variant(f"{PEER}, {name}", SINGLE_CHANGES, exchange=partial(_peer, each)) for name, each in _PEERS.items()]
    return [*found, Variant(f"{PEER}, coin, no beliefs", SINGLE_CHANGES, exchange=_coin)]


def _peer(arguments: str, own: OnlineLogistic) -> OnlineLogistic:
    from .peers.vowpal import Vowpal

    return Vowpal(own, arguments)


def _coin(own: OnlineLogistic) -> OnlineLogistic:
    return _peer(_COIN, unbelieving(1.0)(own))


def only(groups: Iterable[str]) -> str:
    """Returns the setting for a lead with these groups of signals."""
    return f"lead.signals={json.dumps(list(groups))}"
