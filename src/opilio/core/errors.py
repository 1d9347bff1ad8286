"""Errors that a person caused or can fix. Their text names the thing, the cause and what to do next.

OpilioError
├── ConfigError     a setting, a seeds file or a command line that cannot be used
├── CrawlDirError   a crawl folder that is locked, damaged, or of another version
├── ModelError      a language model's file that cannot be read, or a text that is not enough to train one
└── StorageError    the disk refused a write; what was acknowledged is safe
"""


class OpilioError(Exception):
    """Base of every error that the command line shows as one sentence and exit code 2."""


class ConfigError(OpilioError):
    pass


class CrawlDirError(OpilioError):
    pass


class ModelError(OpilioError):
    pass


class StorageError(OpilioError):
    pass
