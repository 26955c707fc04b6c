"""The operator's settings, from the environment, with defaults for a small private server."""

from __future__ import annotations

import hmac
import os
import secrets
import socket
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import msgspec

from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.core.misfit import explain_misfit
from spelunke.house.notifications import MailServer, Outside, check_services, read_allowed
from spelunke.house.people import Lasting
from spelunke.house.store import keep_folder_private, keep_private, make_folder, read_address, read_key
from spelunke.house.work import Keeping

PREFIX = "SPELUNKE_"


class BadSetting(SpelunkeError):
    """A setting has a value that can't be used."""


Hours = Annotated[float, msgspec.Meta(ge=0.25, le=8760)]
Days = Annotated[float, msgspec.Meta(ge=0, le=36_500)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. Each is read from an environment variable, for example `database` from SPELUNKE_DATABASE."""

    database: str = ""
    """The SQLAlchemy address of the database. If empty, use an SQLite file in the user's data folder."""
    redis: str = ""
    """The address of Redis, through which workers share changes and rate limits. If empty, only one worker may run."""
    worker: str = ""
    """The name of this worker in nginx's `upstream`. If empty, the worker's own address is used.

    The names of all workers determine which worker owns which tables.
    """
    sockets: str = ""
    """The folder for the sockets between workers on one machine. If empty, use a folder in the user's data folder."""
    secret: str = ""
    """The secret that signs guests' cookies.

    If empty, use the secret in the file beside the SQLite file, or make this file. With a database server, it can't be
    empty, because all workers need the same secret.
    """
    signing_key: str = ""
    """The key with which the server signs records, 64 hexadecimal digits.

    If empty, use the key in a file beside the SQLite file. With a database server, derive the key from the secret.
    """
    host: str = "127.0.0.1"
    port: int = 8000
    metrics_token: str = ""
    """The token for reading metrics and the details of health checks (`Authorization: Bearer …`).

    If empty, only requests from this machine may read them.
    """
    base_url: str = ""
    """The public address of the site, for links and QR codes.

    If empty, use the address that the browser requested. If that is localhost and other devices can connect, use this
    machine's network address.
    """
    bot_pause: float = 0.7
    """Seconds that a bot waits before it moves, so that people can follow."""
    body_limit: int = 65_536
    """Maximum size of a request's body in bytes."""
    reads_per_minute: int = 1200
    writes_per_minute: int = 240
    tables_per_hour: int = 120
    log_ins_per_hour: int = 300
    """The maximum number of login attempts and sign-ups from one network per hour. A club may share a network."""
    session_rest_hours: Hours = 720.0
    """A login in a browser ends after this number of hours without a visit. ASVS level 2 asks for 0.5."""
    session_longest_hours: Hours = 4320.0
    """Every login in a browser ends after this number of hours at the latest. ASVS level 2 asks for 12."""
    request_seconds: float = 20.0
    """Seconds within which a request must arrive completely, with its body."""
    stalled_seconds: float = 60.0
    """Seconds after which the server cuts the connection to a client that accepts no data."""
    connections: int = 4000
    """The maximum number of connections, if the system allows that many open files."""
    connections_per_address: int = 200
    """The maximum number of connections of one address (a /64 for IPv6). A trusted proxy is not counted."""
    streams_per_address: int = 100
    """The maximum number of live streams of one address. Each open page of a table needs one stream."""
    keep_unstarted_days: Days = 14.0
    """Days after which a table that never began is deleted. In this and the next three settings, 0 means never."""
    keep_guests_days: Days = 90.0
    """Days between a guest's first visit and the deletion of the guest.

    Guests at a table or in a tournament are not deleted. Banned guests are kept longer.
    """
    keep_finished_days: Days = 0.0
    """Days after which a finished game is deleted, with its record."""
    keep_chat_days: Days = 0.0
    """Days after which a message is deleted, if the game at its table is finished."""
    mail_server: str = ""
    """The mail server, such as `mail.example.org` or `mail.example.org:587`. If empty, the server sends no mail."""
    mail_security: Literal["starttls", "tls", "none"] = "starttls"
    mail_user: str = ""
    mail_password: str = ""
    mail_from: str = ""
    """Sender of e-mails: `house@example.org`, or `The house <house@example.org>`."""
    push_key: str = ""
    """The seed for the keys of Web Push, 64 hexadecimal digits.

    If empty, use the seed in a file beside the SQLite file. With a database server, derive the seed from the secret.
    """
    contact: str = ""
    """Contact for the browsers' push services: a mail address or a web address."""
    webhooks: str = ""
    """Hosts to which webhooks and ntfy messages may go: `ntfy.sh *.example.org`, or `*` for all. If empty, none."""
    services: str = ""
    """Messengers that members may use, by their names in the library apprise: `tgram discord`. If empty, none."""
    reachable: str = ""
    """Private destinations to which messages may go: `hooks.lan 10.1.2.0/24`. If empty, only public destinations."""
    heartbeat: float = 15.0
    """Seconds without data after which a stream sends a heartbeat, so that proxies keep the connection open."""
    beat: float = 1.5
    """Seconds between heartbeats for a page. The page reports a lost connection after twice this time without data.

    While nothing happens, the intervals become longer (`hearts.Heart`).
    """
    docs: str = ""
    """The folder that `make docs` built, to serve under `/docs`. If empty, the server has no documentation pages."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def shares_tables(self) -> bool:
        """Whether other workers may serve the same tables. With SQLite, there is only one process."""
        return bool(self.database) and read_address(self.database).get_backend_name() != "sqlite"

    @property
    def worker_name(self) -> str:
        """The name of this worker in nginx's `upstream`: the setting `worker`, or else host and port."""
        here = self.host in ("localhost", "::1") or self.host.startswith("127.")
        return self.worker or f"{'127.0.0.1' if here else socket.gethostname()}:{self.port}"

    @property
    def socket_folder(self) -> Path:
        """The folder for the workers' sockets."""
        return Path(self.sockets) if self.sockets else _data_folder() / "workers"

    @property
    def keeping(self) -> Keeping:
        """The times after which the server deletes data."""
        return Keeping(
            unstarted=self.keep_unstarted_days,
            guests=self.keep_guests_days,
            finished=self.keep_finished_days,
            chat=self.keep_chat_days,
        )

    @property
    def lasting(self) -> Lasting:
        """The lifetime of members' sessions."""
        return Lasting(
            idle_ms=int(self.session_rest_hours * 3_600_000),
            longest_ms=int(self.session_longest_hours * 3_600_000),
        )

    @property
    def key(self) -> bytes | None:
        """The signing key, or None if it is in the file beside the SQLite database.

        The key is the setting `signing_key`. If this is empty and the database is not SQLite, all workers derive
        the key from the secret that they share. The derived key is always the same, and doesn't reveal the secret.
        """
        if self.signing_key:
            return read_key(self.signing_key)
        if read_address(self.database).get_backend_name() == "sqlite":
            return None
        return hmac.digest(self.secret.encode(), b"spelunke-signing-key-1", "sha256")

    @property
    def push_seed(self) -> bytes | None:
        """The seed for the keys of Web Push, or None if it is in the file beside the SQLite database.

        The seed is the setting `push_key`. If this is empty and the database is not SQLite, all workers derive the
        seed from the secret that they share.
        """
        if self.push_key:
            return read_key(self.push_key)
        if read_address(self.database).get_backend_name() == "sqlite":
            return None
        return hmac.digest(self.secret.encode(), b"spelunke-push-key-1", "sha256")

    @property
    def outside(self) -> Outside:
        """The settings for outgoing messages. Raise BadInput if a setting can't be used."""
        host, _, port = (
            self.mail_server.rpartition(":") if ":" in self.mail_server else (self.mail_server, "", "")
        )
        usual = {"starttls": 587, "tls": 465, "none": 25}[self.mail_security]
        mail = None
        if self.mail_server:
            mail = MailServer(
                host=host,
                port=int(port) if port.isascii() and port.isdecimal() else usual,
                security=self.mail_security,
                sender=self.mail_from,
                user=self.mail_user,
                password=self.mail_password,
            )
        services = frozenset(self.services.replace(",", " ").lower().split())
        check_services(services)
        return Outside(
            base=self.base_url.rstrip("/"),
            mail=mail,
            webhooks=frozenset(self.webhooks.replace(",", " ").lower().split()),
            services=services,
            allowed=read_allowed(self.reachable),
            contact=self._contact,
        )

    @property
    def _contact(self) -> str:
        told = self.contact or parseaddr(self.mail_from)[1]
        if "@" in told and not told.startswith(("mailto:", "https:")):
            return f"mailto:{told}"
        return told or (self.base_url if self.base_url.startswith("https:") else "mailto:house@localhost")

    def public_url(self, asked: str) -> str:
        """Return the public address for links, without a final slash: the configured one, or else `asked`."""
        return (self.base_url or asked).rstrip("/")


def read_settings(environ: Mapping[str, str] | None = None, **given: object) -> Settings:
    """Return the settings. Take each one from `given`, else from `environ`, else take its default.

    `environ` is by default the environment of the process.

    Raise BadSetting for a value that can't be used, or HouseClosed for an unusable database. Ignore unknown SPELUNKE_
    variables: systems such as Kubernetes set their own for a service named `spelunke`.

    If SPELUNKE_SECRET is not set, read the secret from the file beside the SQLite database, or make this file.
    """
    environ = os.environ if environ is None else environ
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(Settings)}
    found: dict[str, object] = {}
    for key, text in environ.items():
        name = key.removeprefix(PREFIX).lower()
        if key.startswith(PREFIX) and name in fields:
            try:
                found[name] = msgspec.convert(text, fields[name], strict=False)
            except msgspec.ValidationError as error:
                raise BadSetting(f"{key} can't be {text!r}: {_reason(error, name)}.") from None
    found.update({name: value for name, value in given.items() if value is not None})
    try:
        settings = msgspec.convert(found, Settings)
    except msgspec.ValidationError as error:
        name = str(error).rpartition("$.")[2].rstrip("`")
        raise BadSetting(
            f"{name.replace('_', '-')} can't be {found.get(name)!r}: {_reason(error, name)}."
        ) from None
    if settings.redis and not settings.redis.startswith(("redis://", "rediss://")):
        raise BadSetting(
            f"{settings.redis!r} is no address of Redis; use one such as redis://127.0.0.1:6379/0."
        )
    if not settings.database:
        settings = msgspec.structs.replace(settings, database=find_database(None, {}))
    if not settings.secret:
        settings = msgspec.structs.replace(settings, secret=_keep_secret(settings.database))
    if len(settings.secret) < 16:
        raise BadSetting("SPELUNKE_SECRET is too short: it needs 16 characters or more.")
    if settings.signing_key and read_key(settings.signing_key) is None:
        raise BadSetting("SPELUNKE_SIGNING_KEY must have 64 hexadecimal digits.")
    _check_outside(settings)
    if 0 < len(settings.metrics_token) < 16:
        raise BadSetting("SPELUNKE_METRICS_TOKEN is too short: it needs 16 characters or more.")
    if settings.docs and not (Path(settings.docs) / "index.html").is_file():
        raise BadSetting(
            f"SPELUNKE_DOCS can't be {settings.docs!r}: there is no index.html in it. `make docs` fills build/site."
        )
    return settings


def _check_outside(settings: Settings) -> None:
    """Raise BadSetting for settings with which messages can't be sent."""
    if settings.push_key and read_key(settings.push_key) is None:
        raise BadSetting("SPELUNKE_PUSH_KEY must have 64 hexadecimal digits.")
    goes_out = settings.mail_server or settings.webhooks or settings.services
    if goes_out and not settings.base_url.startswith(("https://", "http://")):
        raise BadSetting(
            "SPELUNKE_BASE_URL must be the address of this server, such as https://house.example: messages contain "
            "links to it."
        )
    sender = parseaddr(settings.mail_from)[1]
    if settings.mail_server and not ("@" in sender and settings.mail_from.isprintable()):
        raise BadSetting("SPELUNKE_MAIL_FROM is missing: set it to an address such as house@example.org.")
    port = settings.mail_server.rpartition(":")[2] if ":" in settings.mail_server else "25"
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536):
        raise BadSetting(
            f"SPELUNKE_MAIL_SERVER can't be {settings.mail_server!r}: set it to a server such as "
            "mail.example.org:587."
        )
    for name in ("webhooks", "services", "reachable"):
        try:
            msgspec.structs.replace(Settings(), **{name: getattr(settings, name)}).outside  # noqa: B018
        except BadInput as error:
            raise BadSetting(
                f"SPELUNKE_{name.upper()} can't be {getattr(settings, name)!r}: {error}."
            ) from None


def _reason(error: msgspec.ValidationError, name: str) -> str:
    kind = get_type_hints(Settings).get(name)
    if get_origin(kind) is Literal:
        return f"choose one of {', '.join(get_args(kind))}"
    return explain_misfit(str(error))[0]


def find_database(given: str | None, environ: Mapping[str, str] | None = None) -> str:
    """Return the database's address: `given`, else SPELUNKE_DATABASE, else a file in the user's data folder."""
    environ = os.environ if environ is None else environ
    return given or environ.get(f"{PREFIX}DATABASE", "") or f"sqlite:///{_data_folder() / 'house.sqlite3'}"


def _data_folder() -> Path:
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "spelunke"
    keep_folder_private(folder)
    return folder


def _keep_secret(database: str) -> str:
    """Return the secret from the file beside the SQLite database. Make this file if it is missing.

    Only its owner can read the file. For a database in memory, return a new secret. For a database server, raise
    BadSetting, because all workers need the same secret.
    """
    url = read_address(database)
    if url.get_backend_name() != "sqlite":
        raise BadSetting(
            "SPELUNKE_SECRET is missing: with a database server, all workers need the same secret."
        )
    if url.database in (None, "", ":memory:"):
        return secrets.token_urlsafe(32)
    file = Path(f"{url.database}.secret")
    make_folder(file.parent)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        keep_private(file)
        return file.read_text(encoding="ascii").strip()
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(secrets.token_urlsafe(32) + "\n")
    return file.read_text(encoding="ascii").strip()
