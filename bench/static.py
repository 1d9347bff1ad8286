"""Writes a made web to files, DIR/ADDRESS/path, for servers that serve folders and clients that cannot map names."""

from pathlib import Path

from opilio.core.errors import ConfigError
from opilio.webs.address import BASE, host_addresses
from opilio.webs.made import MadeWeb
from opilio.webs.spread import SpreadWeb
from opilio.webs.web import open_web


def write_static(web: str, folder: Path, port: int, base: str = BASE) -> dict[str, str]:
    """Writes every page with links to http://ADDRESS:PORT/…; "/" is index.html. Returns host name → address."""
    addresses = host_addresses(web, base)
    made = open_web(web, lambda host: f"{addresses[host]}:{port}")
    if not isinstance(made, MadeWeb | SpreadWeb):
        raise ConfigError(f"only a made or spread web can be written as files, not {web!r}")
    for host, address in addresses.items():
        for target in made.targets(host):
            path = folder / address / (target.lstrip("/") or "index.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(made.answer(host, target).body)
    return addresses
