"""What Opilio is compared with, each run as `python -m bench.peers.NAME SEEDS PAGES CONNECTIONS FOLDER`.

Rule: peers run at their best. Every setting and every line of their spiders was chosen because it made them faster
here.
"""
