"""Servers on this machine that receive notifications: mail, push, webhooks; also dead, slow and redirecting ones."""

from __future__ import annotations

import contextlib
import http.server
import ipaddress
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.policy import default
from pathlib import Path
from typing import Any, ClassVar

import http_ece
from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Got:
    """One received request."""

    def __init__(self, path: str, headers: Any, body: bytes) -> None:
        self.path = path
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Receives POSTs and answers as the test wants: with a status, with a header, byte by byte, or not at all."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.got: list[Got] = []
        self.status = 200
        self.location = ""
        self.drips = False
        self.silent = False
        self.over = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                receiver.got.append(Got(self.path, self.headers, body))
                if receiver.silent:
                    receiver.over.wait(20)
                    return
                if receiver.drips:
                    with contextlib.suppress(OSError):
                        for letter in b"HTTP/1.1 200 OK\r\nx: " + b"y" * 500:
                            self.wfile.write(bytes([letter]))
                            self.wfile.flush()
                            if receiver.over.wait(0.02):
                                return
                    return
                self.send_response(receiver.status)
                if receiver.location:
                    self.send_header("location", receiver.location)
                self.send_header("content-length", "0")
                self.end_headers()

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *args: Any) -> None:
                pass  # a client that does not trust the certificate leaves

        self._server = Server(("127.0.0.1", 0), Handler)
        if certificate is not None:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Browser:
    """A browser's push subscription with its private key, which decrypts pushes."""

    def __init__(self) -> None:
        import base64
        import os

        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.p256dh = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
        self.auth = base64.urlsafe_b64encode(self._secret).rstrip(b"=").decode()

    def read(self, body: bytes) -> Any:
        told = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return json.loads(told)


class Post:
    """An SMTP server that keeps messages; it rejects addresses in `refuses` for good, and those in `busy` for now."""

    refuses: ClassVar[frozenset[str]] = frozenset({"nobody@example.org"})
    busy: ClassVar[frozenset[str]] = frozenset({"busy@example.org"})

    def __init__(self, certificate: Path | None = None) -> None:
        self.letters: list[Message] = []
        given: dict[str, Any] = {}
        if certificate is not None:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            given = {"tls_context": tls, "require_starttls": True}
        self._controller = Controller(
            self, hostname="127.0.0.1", port=_free_port(), ready_timeout=20, **given
        )
        self._controller.start()
        self.port = self._controller.port

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.refuses:
            return "550 5.1.1 no such mailbox"
        if address in self.busy:
            return "451 4.3.0 come again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.letters.append(message_from_bytes(envelope.content, policy=default))
        return "250 OK"

    def close(self) -> None:
        self._controller.stop()


def make_certificate(folder: Path) -> Path:
    """Make a certificate for hook.example and this machine, with its key; return its path."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hook.example")])
    now = datetime.now(UTC)
    names = [x509.DNSName("hook.example"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "both.pem"
    file.write_bytes(private + made.public_bytes(pem))
    return file


def text_of(letter: Any) -> str:
    return str(letter.get_content())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def dead_port() -> int:
    """Return a port that nobody listens at."""
    return _free_port()


@contextlib.contextmanager
def stopwatch(most: float) -> Iterator[None]:
    """Check that the block takes no longer than ``most`` seconds."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < most
