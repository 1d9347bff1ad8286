"""Compilation is announced once, to people, and only where something is compiled."""

import os
import re
import subprocess
import sys
from pathlib import Path

import opilio
from opilio.model.compiling import LINE

SOURCE = Path(opilio.__file__).parent
KERNEL = """
from opilio.model.compiling import njit

@njit(cache=True)
def double(number):
    return 2 * number

@njit(cache=True)
def half(number):
    return number / 2
"""
CALLS = "import kernel; print(kernel.double(2), kernel.half(2))"
REPORTED_CALLS = f"from opilio.model.compiling import report_to; report_to(lambda: print('told')); {CALLS}"


def run(folder: Path, code: str) -> tuple[str, str]:
    (folder / "kernel.py").write_text(KERNEL)
    os.utime(folder / "kernel.py", (1e9, 1e9))  # numba compiles again what seems to have changed
    environment = os.environ | {
        "PYTHONPATH": f"{folder}{os.pathsep}{SOURCE.parent}",
        "NUMBA_CACHE_DIR": str(folder / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=100, check=True
    )
    return done.stdout, done.stderr


def test_the_first_run_says_the_line_once_and_the_second_says_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, CALLS) == ("4 1.0\n", f"{LINE}\n")
    assert run(tmp_path, CALLS) == ("4 1.0\n", "")


def test_a_child_tells_its_owner_and_not_the_terminal(tmp_path: Path) -> None:
    assert run(tmp_path, REPORTED_CALLS) == ("told\n4 1.0\n", "")


def test_every_kernel_is_compiled_where_somebody_listens() -> None:
    """numba's own decorator would compile in silence."""
    silent = re.compile(r"^\s*(from numba import .*\bn?jit\b|import numba)", re.MULTILINE)
    found = [path.name for path in SOURCE.rglob("*.py") if silent.search(path.read_text("utf-8"))]
    assert found == ["compiling.py"]
