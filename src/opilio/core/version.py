"""The version, in a place that every module and the build can read."""

__version__ = "0.1.0"
