"""The address guard, over every encoding that was ever used to get around one."""

import pytest

from opilio.core.outcome import Drop
from opilio.core.url import parse
from opilio.fetch import is_public, is_web_port
from opilio.fetch.address import is_literal

# Hosts as a link may write them. The URL parser turns the odd ones into plain literals, or refuses them.
REFUSED_HOSTS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0x7f.0x0.0x0.0x1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "１２７.0.0.1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "0x0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "0xa000001",
    "012.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "3232235521",
    "0xc0a80001",
    "169.254.169.254",
    "169.254.0.1",
    "0xA9FEA9FE",
    "2852039166",
    "0251.0376.0251.0376",
    "169.254.43518",
    "0xa9.0xfe.0xa9.0xfe",
    "168.63.129.16",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "192.0.0.8",
    "192.0.0.170",
    "192.0.0.192",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "198.18.0.1",
    "198.19.255.255",
    "192.88.99.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.175.48.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::a9fe:a9fe]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::8.8.8.8]",
    "[64:ff9b:1::1]",
    "[64:ff9b:1:ffff::10.0.0.1]",
    "[100::1]",
    "[2001::1]",
    "[2001:0:a9fe:a9fe::1]",
    "[2001:2::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[2001:db8::1]",
    "[2002:a9fe:a9fe::]",
    "[2002:7f00:1::]",
    "[2002:808:808::1]",
    "[2620:4f:8000::1]",
    "[3fff::1]",
    "[3ffe::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fdff::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[ff0e::1]",
    "[4000::1]",
    "[5f00::1]",
    "[2606:4700::5efe:7f00:1]",
    "[2606:4700::200:5efe:a00:1]",
]

PUBLIC_HOSTS = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "0x08080808",
    "134744072",
    "[2001:4860:4860::8888]",
    "[2606:4700:4700::1111]",
    "[2a00:1450:4001::1]",
    "[2001:200::1]",
]


def test_the_table_is_long_enough() -> None:
    assert len(set(REFUSED_HOSTS)) >= 60


@pytest.mark.parametrize("host", REFUSED_HOSTS)
def test_no_encoding_of_a_private_address_is_public(host: str) -> None:
    url = parse(f"http://{host}/")
    assert isinstance(url, Drop) or (is_literal(url.host) and not is_public(url.host)), url


@pytest.mark.parametrize("host", PUBLIC_HOSTS)
def test_public_addresses_pass(host: str) -> None:
    url = parse(f"http://{host}/")
    assert not isinstance(url, Drop)
    assert is_literal(url.host)
    assert is_public(url.host)


@pytest.mark.parametrize(
    "text", ["", "localhost", "example.com", "1.2.3", "1.2.3.4.5", "fe80::1%eth0", "2a00::1%1", "::g"]
)
def test_what_is_no_literal_is_not_public(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize("host", ["example.com", "1.example", "4.com", "xn--e1a4c.xn--p1ai", "3.14.example.5a", ""])
def test_names_are_not_literals(host: str) -> None:
    assert not is_literal(host)


@pytest.mark.parametrize("port", [80, 443, 1024, 8000, 8080, 8443, 3000, 65535])
def test_web_ports_pass(port: int) -> None:
    assert is_web_port(port)


@pytest.mark.parametrize(
    "port", [0, 1, 21, 22, 23, 25, 53, 110, 143, 445, 993, 2375, 3306, 5432, 6000, 6379, 9200, 11211, 65536]
)
def test_ports_of_other_services_are_refused(port: int) -> None:
    assert not is_web_port(port)
