"""Pictures and pages for people. Nothing here decides anything: it shows what the crawl says of itself."""
