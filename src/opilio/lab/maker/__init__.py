"""Webs that are made, not recorded: any size, many hosts, everything about them known.

A `Library` holds texts by language and topic. `Parameters` and a library make a `Plan`: hosts first, then the kind, language,
topic and date of every page. `Links` draws where each page leads, `prose` finds its words, `Markup` sets both in the templates
of the host's `Engine`, and `make_web` writes page after page with its labels, and counts.
`make_tunnel` makes one small web of another kind, for one question.
"""

from .library import Library
from .parameters import PURE, Parameters
from .tunnel import make_tunnel
from .write import make_web

__all__ = ["PURE", "Library", "Parameters", "make_tunnel", "make_web"]
