"""Send e-mails through the mail server that the host has configured.

The module uses the client of the standard library. That client blocks its thread, so the threads of the
`Dispatcher` send the e-mails.
"""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from functools import cached_property

from spelunke.core.words import Translator, plain
from spelunke.house.notifications.carriers import Undelivered
from spelunke.house.notifications.outside import MailServer
from spelunke.house.outbox import Message
from spelunke.house.refusals import BadPlan

LONGEST = 254
POLICY = SMTP.clone(max_line_length=900)
"""A policy for e-mails, with lines that are long enough for the links in headers.

Otherwise a long link would be encoded, and e-mail programs would not find it.
"""
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}"
)


def check_address(text: str) -> str:
    """Return an e-mail address without spaces around it. Raise BadPlan if the address is malformed."""
    text = text.strip()
    if len(text) > LONGEST or not _ADDRESS.fullmatch(text):
        raise BadPlan("that is not an e-mail address; it should look like anna@example.org", "address")
    return text


class Mailer:
    """Sends e-mails. Thread-safe, because each e-mail has its own connection."""

    def __init__(
        self, server: MailServer, *, seconds: float = 10.0, tls: ssl.SSLContext | None = None
    ) -> None:
        self._server = server
        self._seconds = seconds
        self._given_tls = tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Load the machine's certificates with the first e-mail, as `sending` does.
        return self._given_tls or ssl.create_default_context()

    def carry(self, address: str, details: Mapping[str, str], message: Message) -> None:
        """Deliver a message as an e-mail, with an unsubscribe link in its text and in its header.

        Raise Undelivered if the mail server does not accept the e-mail.
        """
        lines = [f"{line}\n{url}" for line, url in zip(message.lines, message.urls, strict=True)]
        stop = details.get("stop_text", "").format(link=message.stop)
        headers = {
            "List-Unsubscribe": f"<{message.stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        self.send(address, message.title, "\n\n".join([*lines, f"-- \n{stop}"]), headers)

    def send(self, address: str, title: str, text: str, headers: Mapping[str, str] | None = None) -> None:
        """Send one e-mail. Raise Undelivered if the mail server does not accept it."""
        letter = EmailMessage(policy=POLICY)
        letter["From"] = self._server.sender
        letter["To"] = address
        letter["Subject"] = " ".join(title.split())[:200]
        letter["Date"] = formatdate()
        letter["Message-ID"] = make_msgid(domain=self._server.sender.rpartition("@")[2].rstrip(">"))
        for name, value in (headers or {}).items():
            letter[name] = value
        letter.set_content(text)
        try:
            with self._connect() as line:
                line.send_message(letter)
        except smtplib.SMTPRecipientsRefused as error:
            code, said = next(iter(error.recipients.values()))
            raise self._refused(code, said) from None
        except smtplib.SMTPAuthenticationError:
            raise Undelivered(
                "the mail server refuses e-mails from this site: the operator of the server has to check the settings"
            ) from None
        except smtplib.SMTPResponseException as error:
            raise self._refused(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, ssl.SSLError, OSError):
            raise Undelivered(
                "the mail server of the site could not be reached, or did not accept the e-mail"
            ) from None

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        if server.security == "tls":
            line: smtplib.SMTP = smtplib.SMTP_SSL(
                server.host, server.port, timeout=self._seconds, context=self._tls
            )
        else:
            line = smtplib.SMTP(server.host, server.port, timeout=self._seconds)
        try:
            if server.security == "starttls":
                line.starttls(context=self._tls)
            if server.user:
                line.login(server.user, server.password)
        except BaseException:
            line.close()
            raise
        return line

    @staticmethod
    def _refused(code: int, said: bytes | str) -> Undelivered:
        text = said.decode(errors="replace") if isinstance(said, bytes) else said
        told = "".join(letter for letter in " ".join(text.split())[:120] if letter.isprintable())
        if code >= 500:
            return Undelivered(f"the address is refused ({code} {told})", lasting=True)
        return Undelivered(f"the address is not taken now ({code} {told})")


def stop_text(words: Translator) -> str:
    """Return the last line of an e-mail. `Mailer.carry` replaces `{link}` in it by the unsubscribe link."""
    return words(
        plain(
            "You receive this e-mail because you turned on notifications by e-mail. To stop all of them, open "
            "this link: {link}"
        )
    )
