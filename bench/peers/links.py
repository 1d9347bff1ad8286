"""Scrapy that only follows links: neither text nor language nor files, and a frontier in memory."""

import sys

from .spider import LinkSpider, run

if __name__ == "__main__":
    run(LinkSpider, sys.argv[1:])
