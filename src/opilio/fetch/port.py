"""Which ports a crawler may connect to while the guard is on.

The web's own ports and the unprivileged ones are allowed, except those where other services listen for a line of text:
such a service can take an HTTP request that somebody's link makes us send for a command.
"""

from typing import Final

_REFUSED_PORTS: Final = frozenset(
    {
        *(1080, 1433, 1434, 1521, 1723, 1883),  # proxies, databases, tunnels, queues
        *(2049, 2181, 2375, 2376, 2379, 2380),  # file system, coordination, container engines
        *(3128, 3260, 3306, 3389, 3659),  # proxy, block storage, database, desktop, authentication
        *(4045, 4190, 4369, 4444, 4505, 4506),  # locks, mail filters, cluster control
        *(5060, 5061, 5222, 5269, 5432, 5555, 5672, 5900, 5901, 5984, 5985, 5986),  # telephony, chat, databases
        *range(6000, 6064),  # window system
        *(6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697),  # key-value stores, cluster control, chat
        *(7000, 7199, 8086, 8500, 9042, 9092, 9100, 9160, 9200, 9300),  # databases, service registries, printers
        *(10080, 10250, 10255, 11211, 15672, 26379, 27017, 27018, 27019, 50000, 61616),
    }
)


def is_web_port(port: int) -> bool:
    return port in (80, 443) or (1024 <= port <= 65535 and port not in _REFUSED_PORTS)
