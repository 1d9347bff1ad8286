#!/usr/bin/env python3
"""Sets up what is needed, then runs it:

python3 dev.py demo                   the demo
python3 dev.py test                   every check
python3 dev.py bench [NAME OPTIONS]   a benchmark; without a name, lists all of them

This needs Python 3.11 or newer and nothing else: packages go into `.venv` beside this file, and are installed again only
when pyproject.toml has changed.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
HOME = ROOT / ".venv"
BIN = HOME / ("Scripts" if os.name == "nt" else "bin")
# Each of two processes gets half of the tests; the one that is done first takes some from the other.
CORES = ("-n", "2", "--dist", "worksteal")
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
    ("pytest", *CORES, "tests/quality", "tests/bench"),  # figures, not lines: counting those would take twice as long
    ("coverage", "run", "-m", "pytest", *CORES, "--ignore=tests/quality", "--ignore=tests/bench"),
    ("coverage", "combine", "--quiet"),
    ("coverage", "report", "--skip-covered", "--skip-empty"),
)


def main() -> int:
    task, *rest = sys.argv[1:] or ["help"]
    if task == "demo":
        set_up("parquet,charts,vectors")
        return run("opilio", "demo", *rest)
    if task == "test":
        set_up("test", oracle="kenlm")
        return next((code for check in CHECKS if (code := run(*check))), 0)
    if task == "bench":
        set_up("bench", oracle="kenlm")
        return run("python", "-m", "bench", *rest)
    print(__doc__)
    return 2


def set_up(extras: str, oracle: str = "") -> None:
    """Makes a virtual environment with Opilio and these extras. The oracle is an extra that has to be built: where that
    fails, what compares with it is skipped and says so."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is run before anything is checked
        sys.exit(f"Opilio needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: python3.11 dev.py …")
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + extras.encode()).hexdigest()
    stamp = HOME / f"opilio-{extras.replace(',', '-')}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Setting up {HOME.name} …", file=sys.stderr, flush=True)
    if not (BIN / "python").exists():
        venv.create(HOME, with_pip=True)
    install = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    install.append("--editable")
    subprocess.run([*install, f"{ROOT}[{extras}]"], check=True)
    if oracle and subprocess.run([*install, f"{ROOT}[{oracle}]"], capture_output=True, check=False).returncode:
        print(f"{oracle} cannot be built here; comparisons with it are skipped.", file=sys.stderr, flush=True)
    stamp.write_text(wanted)


def run(command: str, *arguments: str) -> int:
    print(f"$ {' '.join((command, *arguments))}", file=sys.stderr, flush=True)
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    return subprocess.run([str(BIN / command), *arguments], cwd=ROOT, env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main())
