"""Account at the other end of a connection, as the operating system knows it."""

import os
import socket
import uuid

import pytest

from consumers.gateway.connections import Connection, accepted

_NOBODY = 65_534


def says(address: str, uid: int) -> None:
    """Send two lines, as a process of that user."""
    pid = os.fork()
    if pid:
        assert os.waitpid(pid, 0)[1] == 0
        return
    status = 1
    try:
        if uid != os.getuid():
            os.setuid(uid)
        with socket.socket(socket.AF_UNIX) as one:
            one.connect(address)
            one.sendall(b"a\nb\n")
        status = 0
    finally:
        os._exit(status)


@pytest.mark.parametrize("uid", [os.getuid(), _NOBODY])
def test_each_line_has_the_client_that_sent_it_and_its_user(uid: int) -> None:
    if uid != os.getuid() and os.getuid() != 0:
        pytest.skip("only root may become another user")
    address = f"\0catwalk-{uuid.uuid4()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        says(address, uid)
        there, _ = server.accept()
    connection = Connection(there, accepted(there, "3.7"))
    connection.read(100)
    lines = [connection.give(), connection.give()]
    connection.close()
    assert [line and (line.came_from, line.place, line.stored) for line in lines] == [
        (f"user {uid}, socket 3.7", 1, b"a"),
        (f"user {uid}, socket 3.7", 2, b"b"),
    ]
    assert all(line is not None and line.client is connection.client for line in lines)
    assert connection.client.name == f"user {uid}, socket 3.7"
    assert connection.client.uid == uid
    assert not connection.client.console
