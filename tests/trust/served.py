"""`catwalk` for a shell without a second of imports a time: one process that has made them forks each command.

`python -m tests.trust.served FOLDER` puts a `catwalk` into the folder and serves it until its standard input ends.
"""

import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path

_CLIENT = """#!{python} -ISE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({served!r})
    words = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(asked, [len(words).to_bytes(4, "big")], [0, 1, 2])
    asked.sendall(words)
    sys.exit(asked.recv(1)[0])
"""


def serve(folder: Path) -> None:
    """Forks a process for each command until nobody asks any more."""
    from consumers.command import main

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "served"))
        listening.listen()
        client = folder / "catwalk"
        client.write_text(_CLIENT.format(python=sys.executable, served=str(folder / "served")))
        client.chmod(0o755)
        threading.Thread(target=_until_nobody_asks, daemon=True).start()
        while True:
            asked, _ = listening.accept()
            if os.fork() == 0:
                asked.sendall(bytes([_run(asked, main)]))
                os._exit(0)
            asked.close()


def _until_nobody_asks() -> None:
    sys.stdin.read()
    os._exit(0)


def _run(asked: socket.socket, main: object) -> int:
    """The command, with the caller's files, folder and environment: its status."""
    size, given, _, _ = socket.recv_fds(asked, 4, 3)
    words = b""
    while len(words) < int.from_bytes(size, "big"):
        words += asked.recv(65536)
    arguments, folder, environment = json.loads(words)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, file in enumerate(given):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = os.fdopen(0)
    status: object = 0
    try:
        assert callable(main)
        main(arguments, prog_name="catwalk")
    except SystemExit as ended:
        status = ended.code
    except BaseException as error:
        sys.stderr.write(f"{error!r}\n")
        status = 70
    sys.stdout.flush()
    sys.stderr.flush()
    for number in range(3):
        os.close(number)
    return status if isinstance(status, int) else int(status is not None)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
