"""Offline webs and experiments: the crawl that users run, over a recorded web and in simulated time."""
