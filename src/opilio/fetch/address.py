"""Which addresses a crawler may open a connection to: those that anybody on the internet could reach, and no other.

Rules:
* Only literals are judged here, as the URL parser or a resolver wrote them; anything else is not public.
* A list of refused networks decides, not `ipaddress.is_global`: that property calls multicast, NAT64, 6to4 and some
  metadata services global, and its answers move between Python versions.
* An IPv6 address that carries an IPv4 one (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP) is refused
  whatever it carries: no web site needs that form, and every such form has been used to get around a guard.

Invariant: a pure function of its argument. No lookup, no packet, and no message that could repeat the address.
"""

import ipaddress
from functools import lru_cache
from typing import Final

_REFUSED_V4: Final = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # "this network"; 0.0.0.0 reaches this machine
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, where 100.100.100.200 is a metadata service
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's host agent, on an address that looks public
        "169.254.0.0/16",  # link-local, where 169.254.169.254 is the metadata service of most clouds
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments, where 192.0.0.192 is a metadata service
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112: sinks for stray queries, no web behind them
        "192.52.193.0/24",  # AMT relays
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast at its end
    )
)

# Global unicast is 2000::/3. Most of what must be refused is outside of it: loopback, link- and site-local, fc00::/7
# (fd00:ec2::254 too), multicast, mapped and compatible addresses, both NAT64 prefixes. These are the exceptions inside
# it.
_GLOBAL_V6: Final = ipaddress.IPv6Network("2000::/3")
_REFUSED_V6: Final = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID and more
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
        "3ffe::/16",  # the former 6bone
    )
)
_ISATAP_MARKS: Final = frozenset({0x00005EFE, 0x02005EFE})


@lru_cache(maxsize=65_536)
def is_public(address: str) -> bool:
    """Returns whether this is a literal (brackets allowed) that a crawler may connect to. The answer is cached, because every
    fetch asks."""
    try:
        parsed = ipaddress.ip_address(address.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv4Address):
        return not any(parsed in block for block in _REFUSED_V4)
    return _is_public_v6(parsed)


def is_literal(host: str) -> bool:
    """Returns whether a host, as the URL parser writes it, is an address and not a name."""
    return host.startswith("[") or (host[-1:].isdigit() and host.replace(".", "").isdigit())


def _is_public_v6(address: ipaddress.IPv6Address) -> bool:
    if address.scope_id is not None or address not in _GLOBAL_V6:
        return False
    if (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP_MARKS:
        return False
    return not any(address in block for block in _REFUSED_V6)
