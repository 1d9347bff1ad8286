"""Errors that a person caused or can fix. Their text names the thing, the cause and what to do next.

OpilioError
├── ConfigError          a setting, a seeds file or a command line that cannot be used
├── CrawlDirError        a crawl folder that is locked, damaged, or of another version
├── ModelError           a language model's file that cannot be read, or a text that is not enough to train one
├── NothingFetchedError  a crawl that came to its end without a page
└── StorageError         the disk refused a write; what was acknowledged is safe
"""


class OpilioError(Exception):
    """Base of every error that the command line shows in a sentence, and with its exit code."""

    exit_code = 2


class ConfigError(OpilioError):
    pass


class CrawlDirError(OpilioError):
    pass


class ModelError(OpilioError):
    pass


class NothingFetchedError(OpilioError):
    """No seed led to a page with a text. The text names the seeds with their causes; what was tried is in the folder."""

    exit_code = 3


class StorageError(OpilioError):
    pass
