"""What judges save, read by an Opilio that may be another one."""

import msgspec
import pytest
import zstandard

from opilio.core.config import load_config
from opilio.core.errors import CrawlDirError
from opilio.core.plugin import Context, Sample, build_plugin
from opilio.judge import Judge

SAMPLES = tuple(Sample(name, f"The {name} is an arachnid that looks like a spider.") for name in ("harvestman", "mite"))
EACH_JUDGE = pytest.mark.parametrize("name", ["classifier", "perplexity", "topic"])


def build(name: str, state: bytes | None = None) -> bytes:
    """What the judge would save."""
    judge = build_plugin("judge", {"name": name}, Context(load_config(), None, SAMPLES, state))
    assert isinstance(judge, Judge)
    saved = judge.state()
    assert saved is not None
    return saved


def refuse(name: str, state: bytes, cause: str) -> None:
    with pytest.raises(
        CrawlDirError, match=rf"{name} judge has saved .* cannot be read: .*{cause}.* begin in a new folder"
    ):
        build(name, state)


@EACH_JUDGE
def test_a_state_of_another_version_or_layout_is_refused_and_what_to_do_is_said(name: str) -> None:
    saved = msgspec.msgpack.decode(zstandard.decompress(build(name)), type=dict[str, object])
    field = next(iter(saved))
    other = {key: value for key, value in saved.items() if key != field}
    for tree, cause in ((saved | {"version": 99}, "version"), (other, field), ({"rows": 1} | other, field)):
        refuse(name, zstandard.compress(msgspec.msgpack.encode(tree)), cause)


@EACH_JUDGE
def test_a_state_that_was_damaged_is_refused(name: str) -> None:
    state = build(name)
    for damaged in (b"nothing of the kind", state[:-9], state[:-1] + bytes([state[-1] ^ 1])):
        refuse(name, damaged, "")
