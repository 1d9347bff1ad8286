"""A crawl whose n-th write or sync fails says so in words, loses nothing, and is brought to its end by the same command."""

import shutil
from collections.abc import Iterator
from random import Random

import pytest

from bench.writes import FAULTS, Fault, Trials, started
from bench.writes_child import Order

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="the failing file layer needs a C compiler")


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trials]:
    with started(tmp_path_factory.mktemp("writes")) as found:
        found.prepare(12)
        yield found


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
@pytest.mark.parametrize("first", [1, 3])
def test_no_failing_operation_costs_a_page_or_needs_a_manual_step(trials: Trials, fault: Fault, first: int) -> None:
    """The first operations make the folder and the database; the later ones lie in different commits."""
    random = Random(first)
    for at in (*range(first, 20, 4), *range(20 + first, 60, 20)):
        fired, violations = trials.suffer(fault, at, random)
        assert violations == []
        assert fired


def test_the_layer_fails_what_it_should_and_nothing_else(trials: Trials) -> None:
    healthy = trials._fail(FAULTS[0], 0)
    shutil.rmtree(trials._folder)  # a finished crawl writes next to nothing
    failing = trials._fail(FAULTS[0], 2)
    assert (healthy.code, healthy.fired, failing.fired) == (0, False, True)
    assert "opilio: " in failing.words
    assert not trials._ask(Order(["--version"], "/nowhere", 1, 5)).fired
