"""The version, where every module can read it and the build finds it."""

__version__ = "0.1.0"
