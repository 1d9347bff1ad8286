#!/usr/bin/env python3
"""Draws demo.svg: crawls the demo web, writes down what the terminal shows, and saves it beside this file.

Run it where Opilio is installed: `python docs/pictures/make.py`. The port in the picture is another one each time.
Rule: the picture asks nothing of anybody. Rich's own frame loads a font from the network, so that part is cut out.
"""

import os
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from opilio.core.database import open_readonly
from opilio.demo.tour import crawl_demo, show_demo
from opilio.flow import CrawlFolder
from opilio.report.story import story
from opilio.report.tables import printable

PICTURE = Path(__file__).with_name("demo.svg")
DUPLICATE = "SELECT url FROM links WHERE \"drop\" = 'duplicate' ORDER BY id LIMIT 1"


def main() -> None:
    console = Console(record=True, width=100, force_terminal=True, file=Path(os.devnull).open("w"))  # noqa: SIM115
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # so that the picture names the folder and not the machine
        show(CrawlFolder(Path("opilio-demo")), console)
        os.chdir(PICTURE.parent)
    PICTURE.write_text(without_network(console.export_svg(title="opilio demo", theme=MONOKAI)), "utf-8")


def show(folder: CrawlFolder, console: Console) -> None:
    """What `opilio demo` prints, and then `opilio why` for a page that was not kept."""
    console.print("$ opilio demo", style="bold")
    reason = crawl_demo(folder, 0, quiet=True)
    connection = open_readonly(folder.database)
    show_demo(connection, folder, reason, console)
    url = connection.execute(DUPLICATE).fetchone()[0]
    connection.close()
    console.print(f"\n$ opilio why {folder.path} '{url}'", style="bold", highlight=False)
    for step, words in story(folder, url):
        console.print(f"{step:>14}  {printable(words)}", markup=False, highlight=False)


def without_network(svg: str) -> str:
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace")


if __name__ == "__main__":
    main()
