"""Endings of paths that lead to files instead of pages."""

import re
from typing import Final

MEDIA_ENDINGS: Final = frozenset((
    "7z", "aac", "apk", "avi", "avif", "bin", "bmp", "bz2", "css", "csv", "deb", "dmg", "doc", "docx", "eot", "eps",
    "epub", "exe", "flac", "flv", "gif", "gz", "ico", "ics", "iso", "jar", "jpeg", "jpg", "js", "json", "m4a", "m4v",
    "mid", "mkv", "mobi", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "odp", "ods", "odt", "ogg", "ogv", "opus", "otf",
    "pdf", "png", "pps", "ppt", "pptx", "ps", "rar", "rpm", "rss", "rtf", "svg", "swf", "tar", "tgz", "tif", "tiff",
    "torrent", "ttf", "wav", "webm", "webp", "wma", "wmv", "woff", "woff2", "xls", "xlsx", "xml", "xz", "zip", "zst",
))  # fmt: skip


def path_ending(path: str) -> str:
    """Returns what follows the last dot of the last segment, in small letters, or ""."""
    last = path.rpartition("/")[2]
    return last.rpartition(".")[2].lower() if "." in last else ""


_FEED_PATH: Final = re.compile(
    r"^/(?:rss|atom|feeds?)/?$|/feed/?$|\.(?:rss|atom|rdf)$|/(?:rss|atom|feed|index)\.xml$|/feed\.json$"
)


def is_feed_path(path: str) -> bool:
    """Returns whether a path looks like that of a feed, such as /feed.xml."""
    return _FEED_PATH.search(path) is not None
