"""A small web inside the package: two topics in two languages, four sites, so that a first crawl needs no network.

An `Article` is parsed from the prose files, a `Frame` puts it into the skin of its site, and a `DemoSite` answers for
every target of one host, including traps and duplicates. Only package data is read, and nothing is written to disk.
"""

from opilio.webs.demo.answer import Answer
from opilio.webs.demo.article import Article, articles
from opilio.webs.demo.site import HOSTS, Authority, DemoSite, demo_web, labels

__all__ = ["HOSTS", "Answer", "Article", "Authority", "DemoSite", "articles", "demo_web", "labels"]
