"""Scrapy that only follows links, with a set of met URLs of its own in place of Scrapy's filter."""

import sys

from .spider import HandTunedSpider, run

if __name__ == "__main__":
    run(HandTunedSpider, sys.argv[1:])
