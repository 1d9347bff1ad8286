"""Microblogs: services whose users write short messages with links, and the traversal from user to user.

A `Service` knows how one platform is asked and how its answers are read; it has no state and opens no socket. A `Truc`
walks any service: it reads timelines or channels, has every message judged by the `MessageFilter`, and visits the
users who pass, one level (surface) or breadth first (deep). A `Microblog` is the source that puts them together from
the settings. User names leave the process only as digests or sealed (`Names`).
"""

from .listing import Kind, Listing, Message, Shown
from .message_filter import MessageFilter
from .microblog import Microblog
from .service import Service
from .truc import Truc

__all__ = ["Kind", "Listing", "Message", "MessageFilter", "Microblog", "Service", "Shown", "Truc"]
