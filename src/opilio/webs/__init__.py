"""Webs that are served on loopback addresses: the embedded demo sites, made webs, and recorded ones."""
