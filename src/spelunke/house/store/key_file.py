"""A private file with a key, beside the house's SQLite database."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from spelunke.house.refusals import HouseClosed
from spelunke.house.store.files import FILE, keep_private
from spelunke.records.signing import new_signing_key

_HEX = re.compile(r"[0-9a-f]{64}")


def read_key(text: str) -> bytes | None:
    """Return the key that a text of 64 hexadecimal digits encodes. If the text is malformed, return None."""
    text = text.strip().lower()
    return bytes.fromhex(text) if _HEX.fullmatch(text) else None


def keep_key(file: Path, what: str) -> bytes:
    """Return the key in the file. If there is no file, first make it with a new key. `what` names the key in errors.

    If several workers start together, no worker ever sees a half-written file.
    Raise HouseClosed if the file can't be read or made, or does not contain a key.
    """
    try:
        if not file.exists():
            mine = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
            handle = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
            try:
                with os.fdopen(handle, "w", encoding="ascii") as out:
                    out.write(new_signing_key().hex() + "\n")
                _name_once(mine, file)
            finally:
                mine.unlink(missing_ok=True)
        keep_private(file)
        key = read_key(file.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise HouseClosed(f"the {what} key of the house can't be stored in {file}: {error}") from None
    if key is None:
        raise HouseClosed(f"{file} should contain the {what} key of the house: 64 hexadecimal digits")
    return key


def _name_once(mine: Path, file: Path) -> None:
    """Give the file `mine` the name `file`, unless a file with that name exists."""
    try:
        file.hardlink_to(mine)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        if not file.exists():
            mine.rename(file)
