"""Offline webs and experiments: the same crawl over a recorded web, in simulated time."""
