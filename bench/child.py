"""The processes that a benchmark starts: modules of this repository, found whatever the working directory is.

Bytecode may be cached even if the environment forbids it; without a cache, imports would be most of what is measured.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import opilio

_STATUS: Final = Path("/proc/self/status")
_FOLDERS: Final = (Path(__file__).parents[1], Path(opilio.__file__).parents[1])


def command(module: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", module, *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    """Returns the environment in which `bench` and this very `opilio` are importable."""
    paths = [*map(str, _FOLDERS), *filter(None, [os.environ.get("PYTHONPATH")])]
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return inherited | {"PYTHONPATH": os.pathsep.join(paths)} | more


def measure_apart(module: str, *arguments: object) -> Any:
    """Runs the module in a process of its own and returns the JSON object that it prints."""
    done = subprocess.run(command(module, *arguments), check=True, stdout=subprocess.PIPE, env=environment())
    return json.loads(done.stdout)


def memory_mb(field: str) -> float:
    """Counts this program alone: getrusage would begin with the size of the process that started it."""
    line = next(line for line in _STATUS.read_text("ascii").splitlines() if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024 / 1e6
