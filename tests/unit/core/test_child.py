"""Messages between a process and its owner, whole or not at all."""

import os
import socket
import sys
from pathlib import Path

from opilio.core.child import Child, frame, read_messages, take_messages

MESSAGES = [b"one", b"", b"three" * 100_000]


def test_messages_are_taken_out_of_any_pieces() -> None:
    stream = b"".join(map(frame, MESSAGES))
    received = bytearray()
    taken: list[bytes] = []
    for start in range(0, len(stream), 7_001):
        received += stream[start : start + 7_001]
        taken += take_messages(received)
    assert taken == MESSAGES
    assert not received


def test_messages_are_read_until_the_other_side_is_gone() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            theirs.sendall(frame(b"whole") + frame(b"cut off")[:-1])
        assert list(read_messages(ours)) == [b"whole"]


def test_a_child_answers_and_ends_with_its_socket(tmp_path: Path) -> None:
    (tmp_path / "echo.py").write_text(
        "from opilio.core.child import connect_to_owner, frame, read_messages\n"
        "with connect_to_owner() as connection:\n"
        "    for message in read_messages(connection):\n"
        "        print('not among the answers')\n"
        "        connection.sendall(frame(message[::-1]))\n"
    )
    child = Child("echo", os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])})
    child.socket.sendall(frame(b"abc") + frame(b"def"))
    answers = read_messages(child.socket)
    assert [next(answers), next(answers)] == [b"cba", b"fed"]
    answers.close()  # type: ignore[attr-defined]
    child.socket.close()
    assert child.reap(30.0) == 0
