"""What an operator may set, from the environment, with defaults that suit a living room."""

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
from spelunke.house.notifications import MailServer, Outside, check_services, read_allowed
from spelunke.house.people import Lasting
from spelunke.house.store import keep_folder_private, keep_private, make_folder, read_address, read_key
from spelunke.house.work import Keeping

PREFIX = "SPELUNKE_"


class BadSetting(SpelunkeError):
    """An environment variable of the house has a value that can't be used."""


Hours = Annotated[float, msgspec.Meta(ge=0.25, le=8760)]
Days = Annotated[float, msgspec.Meta(ge=0, le=36_500)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of one house. Field `database` is read from SPELUNKE_DATABASE, and so on."""

    database: str = ""
    """SQLAlchemy address; empty means a SQLite file in the user's data folder."""
    redis: str = ""
    """Redis address for word of changes between workers and shared rate limits; empty means one process."""
    worker: str = ""
    """What nginx calls this worker in its `upstream`, by which its tables are chosen; empty means its own address."""
    sockets: str = ""
    """Folder in which workers of one machine take over each other's requests; empty means one in the user's data."""
    secret: str = ""
    """Key that signs the guests' cookies; empty means one that is made and kept beside the SQLite file."""
    signing_key: str = ""
    """64 hexadecimal digits that the house signs with; empty means a key kept beside the SQLite file, or made from the
    secret."""
    host: str = "127.0.0.1"
    port: int = 8000
    metrics_token: str = ""
    """What the host shows (`Authorization: Bearer …`) to read counters and details; empty: this machine alone may."""
    base_url: str = ""
    """Address that friends reach the house by, for links and QR codes; empty means what the browser asked for."""
    bot_pause: float = 0.7
    """Seconds that a bot waits before it moves, so that people can follow."""
    body_limit: int = 65_536
    """Bytes of a request's body above which it is refused."""
    reads_per_minute: int = 1200
    writes_per_minute: int = 240
    tables_per_hour: int = 120
    log_ins_per_hour: int = 300
    """How often one network may try a password or a code, or become a member; a club sits behind one."""
    session_rest_hours: Hours = 720.0
    """Hours without a visit after which a member's browser must log in again; 0.5 is what ASVS level 2 asks for."""
    session_longest_hours: Hours = 4320.0
    """Hours after which it must in any case; 12 is what ASVS level 2 asks for."""
    request_seconds: float = 20.0
    """Seconds within which a request must be complete, its body included."""
    stalled_seconds: float = 60.0
    """Seconds after which a client is cut that doesn't take what was sent to it."""
    connections: int = 4000
    """Connections in all, as far as the system lets a process have so many open files."""
    connections_per_address: int = 200
    """Connections of one address (a /64 for IPv6); a trusted proxy is not counted."""
    streams_per_address: int = 100
    """Live streams of one address; each open table holds one."""
    keep_unstarted_days: Days = 14.0
    """Days after which a table that never began is removed; 0 keeps it for ever, here and below."""
    keep_guests_days: Days = 90.0
    """Days from a guest's first after which the house forgets one who sits at no table."""
    keep_finished_days: Days = 0.0
    """Days after which a game that is over is removed, with its record."""
    mail_server: str = ""
    """Mail server that the house hands its letters in at, `mail.example.org` or with `:587`; empty: it sends none."""
    mail_security: Literal["starttls", "tls", "none"] = "starttls"
    mail_user: str = ""
    mail_password: str = ""
    mail_from: str = ""
    """In whose name: `house@example.org`, or `The house <house@example.org>`."""
    push_key: str = ""
    """64 hexadecimal digits that the keys of Web Push are made from; empty means a key kept beside the SQLite file, or
    made from the secret."""
    contact: str = ""
    """Whom the browsers' push services may write to: a mail address or an address of the web."""
    webhooks: str = ""
    """Hosts that members may have webhooks and ntfy messages sent to: `ntfy.sh *.example.org`, or `*`; empty: none."""
    services: str = ""
    """Services of apprise that members may be told by: `tgram discord`; empty: none."""
    reachable: str = ""
    """Names and networks that may be sent to though they are not public: `hooks.lan 10.1.2.0/24`; empty: none."""
    heartbeat: float = 15.0
    """Seconds of silence after which a stream sends a comment, so that proxies keep it open."""
    beat: float = 1.5
    """Seconds after which a page is told that its line is whole; it notices the end of the line after twice as long."""
    docs: str = ""
    """Folder of the documentation site that `make docs` built, to be served under `/docs`; empty: none."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def shares_tables(self) -> bool:
        """Whether other workers may serve the same tables: a file has one process."""
        return bool(self.database) and read_address(self.database).get_backend_name() != "sqlite"

    @property
    def worker_name(self) -> str:
        """The name of this worker: as nginx on this machine or in a network of containers would call it."""
        here = self.host in ("localhost", "::1") or self.host.startswith("127.")
        return self.worker or f"{'127.0.0.1' if here else socket.gethostname()}:{self.port}"

    @property
    def socket_folder(self) -> Path:
        """Where the workers' sockets are."""
        return Path(self.sockets) if self.sockets else _data_folder() / "workers"

    @property
    def keeping(self) -> Keeping:
        """How long the house keeps what."""
        return Keeping(
            unstarted=self.keep_unstarted_days,
            guests=self.keep_guests_days,
            finished=self.keep_finished_days,
        )

    @property
    def lasting(self) -> Lasting:
        """How long the sessions of members last."""
        return Lasting(
            idle_ms=int(self.session_rest_hours * 3_600_000),
            longest_ms=int(self.session_longest_hours * 3_600_000),
        )

    @property
    def key(self) -> bytes | None:
        """What the house signs with: the setting, or made from the secret that all workers share; None: a file's.

        Made from the secret one way, so that it doesn't give the secret away, and stays while the secret does.
        """
        if self.signing_key:
            return read_key(self.signing_key)
        if read_address(self.database).get_backend_name() == "sqlite":
            return None
        return hmac.digest(self.secret.encode(), b"spelunke-signing-key-1", "sha256")

    @property
    def push_seed(self) -> bytes | None:
        """What the keys of Web Push are made from: as `key`, and apart from it."""
        if self.push_key:
            return read_key(self.push_key)
        if read_address(self.database).get_backend_name() == "sqlite":
            return None
        return hmac.digest(self.secret.encode(), b"spelunke-push-key-1", "sha256")

    @property
    def outside(self) -> Outside:
        """What may go out of the house; raises BadInput for what can't be."""
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
        """The address to put in links: the configured one, else `asked`, never with a final slash."""
        return (self.base_url or asked).rstrip("/")


def read_settings(environ: Mapping[str, str] | None = None, **given: object) -> Settings:
    """Settings from `environ` (default: the process's), where `given` values that are not None win.

    Raises BadSetting for a value of the wrong kind, HouseClosed for a database that is none. Other SPELUNKE_ variables
    are left alone: some systems set their own for a service of that name. A missing secret is read from, or made and
    written to, a file beside the SQLite database.
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
            f"{settings.redis!r} is no address of Redis; right would be redis://127.0.0.1:6379/0."
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
    """Raises BadSetting for what the house could not send by."""
    if settings.push_key and read_key(settings.push_key) is None:
        raise BadSetting("SPELUNKE_PUSH_KEY must have 64 hexadecimal digits.")
    goes_out = settings.mail_server or settings.webhooks or settings.services
    if goes_out and not settings.base_url.startswith(("https://", "http://")):
        raise BadSetting(
            "SPELUNKE_BASE_URL is missing: what the house sends holds links to it. Right would be https://house.example."
        )
    sender = parseaddr(settings.mail_from)[1]
    if settings.mail_server and not ("@" in sender and settings.mail_from.isprintable()):
        raise BadSetting("SPELUNKE_MAIL_FROM is missing: right would be house@example.org.")
    port = settings.mail_server.rpartition(":")[2] if ":" in settings.mail_server else "25"
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536):
        raise BadSetting(
            f"SPELUNKE_MAIL_SERVER can't be {settings.mail_server!r}: right would be mail.example.org:587."
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
    return str(error).lower().partition(" - at ")[0]


def find_database(given: str | None, environ: Mapping[str, str] | None = None) -> str:
    """The address that is given, else the one in the environment, else that of a file in the user's data folder."""
    environ = os.environ if environ is None else environ
    return given or environ.get(f"{PREFIX}DATABASE", "") or f"sqlite:///{_data_folder() / 'house.sqlite3'}"


def _data_folder() -> Path:
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "spelunke"
    keep_folder_private(folder)
    return folder


def _keep_secret(database: str) -> str:
    """The secret beside the SQLite file of `database`, made with owner-only rights when there is none."""
    url = read_address(database)
    if url.get_backend_name() != "sqlite":
        raise BadSetting(
            "SPELUNKE_SECRET is missing: a house on a database server needs one that all its workers share."
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
