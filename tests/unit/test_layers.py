"""What holds the packages apart, beyond the layers that import-linter checks: no cycles, and SQL only where tables are owned."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import opilio

SOURCE = Path(opilio.__file__).parent
OWNERS = {
    "core/database.py", "discover/directory.py", "discover/entries.py", "discover/memory.py", "discover/probe_rows.py",
    "enqueue/links.py", "enqueue/reader.py", "enqueue/rows.py", "enqueue/sqlite.py", "fetch/robots_cache.py",
    "folder/database.py", "folder/marks.py", "folder/meta.py", "keep/shards.py", "keep/stored.py", "keep/visits.py",
}  # fmt: skip
DUMPS = {"discover/link_rows.py", "discover/wikipedia.py"}  # they read files that are written in SQL
SQL = re.compile(r"execute(many|script)?\(|SELECT\b.*\bFROM|INSERT\b.*\bINTO|UPDATE\b.*\bSET|DELETE FROM|CREATE TABLE")


def test_sql_stands_in_the_files_that_own_its_tables_and_nowhere_else() -> None:
    """This is about the package. `bench/invariants.py` has SQL of its own, on purpose: it checks what the owners wrote, so it
    does not ask them."""
    writing = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if SQL.search(path.read_text("utf-8"))}
    assert writing - DUMPS == OWNERS


def test_no_package_imports_another_that_leads_back_to_it() -> None:
    """Imports within functions and for type checkers count too."""
    graph: dict[str, set[str]] = {}
    for path in SOURCE.glob("*/**/*.py"):
        package = path.relative_to(SOURCE).parts[0]
        graph.setdefault(package, set()).update({*_imported(path)} - {package})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(reversed(error.args[1]))) from None


def _imported(path: Path) -> Iterator[str]:
    """The packages of ours that a module names in its imports."""
    place = ["opilio", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            base = place[: len(place) + 1 - node.level] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            first, _, rest = name.partition(".")
            if first == "opilio" and (SOURCE / rest.partition(".")[0]).is_dir():
                yield rest.partition(".")[0]
