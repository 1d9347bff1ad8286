"""The loopback addresses of hosts: counted upwards from a base, one address each unless some share.

It is a pure function, so that a crawler can make its map from names to addresses without asking the server.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address

from opilio.core.errors import ConfigError

from .web import host_names

BASE = "127.1.0.1"


def host_addresses(web: str, base: str = BASE, share: int = 0) -> dict[str, str]:
    """Returns the address of every host of a web; with `share` = n every n-th host has its predecessor's address."""
    return assign(host_names(web), base, share)


def assign(hosts: Sequence[str], base: str = BASE, share: int = 0, crowd: int = 0) -> dict[str, str]:
    """Gives every host an address. The first `crowd` hosts have one address together."""
    first = IPv4Address(base)
    addresses: dict[str, str] = {}
    used = -1
    for number, host in enumerate(hosts):
        shares = 0 < number < crowd or (share > 0 and number > 0 and (number + 1) % share == 0)
        used += not shares
        addresses[host] = str(first + used)
    if not (first.is_loopback and (first + max(used, 0)).is_loopback):
        raise ConfigError(f"{len(hosts)} hosts from {base} on do not fit into 127.0.0.0/8: choose another base")
    return addresses
