#!/usr/bin/env python3
"""Draws demo.svg and focus.png: runs the demo, records what the terminal shows, and saves it beside this file.

Run it where Opilio is installed with its charts: `python docs/pictures/make.py`. The port in the picture differs each time.
Rule: the picture must not load anything. Rich's own frame loads a font from the network, so that part is cut out.
"""

import os
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

import opilio
from opilio.core.outcome import Drop
from opilio.demo.experiment import run_experiment
from opilio.demo.picture import draw_experiment
from opilio.demo.tour import show_experiment
from opilio.folder import CrawlFolder, View
from opilio.report.why import why_lines

HERE = Path(__file__).resolve().parent
PAGES = 100


def main() -> None:
    console = Console(record=True, width=100, force_terminal=True, file=Path(os.devnull).open("w"))  # noqa: SIM115
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # the picture then shows a relative path, not one of this machine
        show(Path("opilio-demo"), console)
        os.chdir(HERE)
    svg = console.export_svg(title="opilio demo", theme=MONOKAI)
    (HERE / "demo.svg").write_text(without_network(svg), "utf-8")


def show(folder: Path, console: Console) -> None:
    """Prints what `opilio demo` prints, and then what `opilio why` says about a page that was not kept."""
    console.print("$ opilio demo", style="bold")
    runs = list(run_experiment(folder, PAGES))
    show_experiment(runs, folder, console)
    draw_experiment(runs, HERE / "focus.png")
    tell(runs[-1].folder, console)


def tell(folder: CrawlFolder, console: Console) -> None:
    with View(folder) as view:
        url = next(view.links.dropped(Drop.NOT_RELEVANT)).link.url
    console.print(f"\n$ opilio why {folder.path} '{url}'", style="bold", highlight=False)
    for line in why_lines(opilio.why(folder.path, url), console.width):
        console.print(line)


def without_network(svg: str) -> str:
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace")


if __name__ == "__main__":
    main()
