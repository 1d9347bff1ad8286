"""A small web inside the package: two topics in two languages, four sites, so that a first crawl needs no network.

An `Article` is parsed from the prose files, a `Frame` sets it in the skin of its site, and a `DemoSite` answers for
every target of one host, traps and duplicates among them. Nothing is read from or written to disk but package data.
"""

from opilio.webs.demo.answer import Answer
from opilio.webs.demo.article import Article, articles
from opilio.webs.demo.site import HOSTS, Authority, DemoSite, demo_web, labels

__all__ = ["HOSTS", "Answer", "Article", "Authority", "DemoSite", "articles", "demo_web", "labels"]
