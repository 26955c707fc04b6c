"""A connection between a browser and a house that can be cut, go silent, or hold back an answer."""

from __future__ import annotations

import contextlib
import select
import socket
import threading


class Cable:
    """A port that forwards connections to the server's port, and that can cut them."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.whole = True
        self.silent = False
        self.silent_to = b""
        self.kept = b""
        self.held = threading.Event()
        self.let_go = threading.Event()
        self.lock = threading.Lock()
        self.ends: list[socket.socket] = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            with self.lock:
                if not self.whole:
                    near.close()
                    far.close()
                    continue
                self.ends += [near, far]
            threading.Thread(target=self.carry, args=(near, far), daemon=True).start()

    def carry(self, near: socket.socket, far: socket.socket) -> None:
        dead = False
        with contextlib.suppress(OSError, ValueError), near, far:
            while True:
                for end in select.select([near, far], [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    # For ever, as after a change of the network.
                    dead = (
                        dead or self.silent or bool(end is near and self.silent_to and self.silent_to in data)
                    )
                    if dead:
                        continue
                    if end is near and self.kept and self.kept in data:
                        self.keep(near, far, data)
                        return
                    (far if end is near else near).sendall(data)

    def keep(self, near: socket.socket, far: socket.socket, request: bytes) -> None:
        """Cut all other connections, and pass the request to the server. Hold the answer until `let_go` is set."""
        self.kept = b""
        self.cut(near, far)
        far.sendall(request)
        answer = far.recv(65536)
        self.held.set()
        self.let_go.wait(60)
        near.sendall(answer)

    def cut(self, *spared: socket.socket) -> None:
        """End all connections except the given ones, and refuse new ones."""
        with self.lock:
            self.whole = False
            for end in self.ends:
                if end in spared:
                    continue
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self.ends.clear()

    def cut_but(self, request: str) -> None:
        """Cut all connections when the first request that contains `request` comes.

        Only the answer to this request still gets through, after the test has set `let_go`.
        """
        self.kept = request.encode()

    def fall_silent(self, request: str = "") -> None:
        """Forward no more data, without closing.

        If ``request`` is not empty, do so only for connections on which a request contains this text.
        """
        self.silent, self.silent_to = not request, request.encode()

    def mend(self) -> None:
        """Forward new connections again. A connection that was cut, or has lost data, remains cut or silent."""
        self.silent, self.silent_to = False, b""
        self.whole = True
