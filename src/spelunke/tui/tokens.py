"""Logins at servers, stored in the system's keyring if there is one, else in a file that only its owner can read."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
from pathlib import Path
from types import ModuleType

SERVICE = "spelunke"


def _keyring() -> ModuleType | None:
    """Return the module ``keyring`` if it is installed and works here, else None.

    Also return None if the environment variable ``SPELUNKE_KEYRING`` is 0.
    """
    if os.environ.get("SPELUNKE_KEYRING") == "0":
        return None
    try:
        keyring = importlib.import_module("keyring")
        failing = importlib.import_module("keyring.backends.fail").Keyring
    except ImportError:
        return None
    return None if isinstance(keyring.get_keyring(), failing) else keyring


def file_of_tokens() -> Path:
    """Return the path of the file with the logins."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "spelunke" / "logins.json"


def _read() -> dict[str, str]:
    try:
        found = json.loads(file_of_tokens().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def _write(tokens: dict[str, str]) -> None:
    file = file_of_tokens()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(tokens, out)
    new.replace(file)


def load_token(house: str) -> str | None:
    """Return the token for a server, or None if nobody is logged in there from this machine.

    If both the file of tokens and the system's keyring have a token for the server, return the token in the file. It is
    newer, because each change of the token in the keyring removes the token from the file.
    """
    tokens = _read()
    if house not in tokens and (keyring := _keyring()) is not None:
        with contextlib.suppress(keyring.errors.KeyringError):
            found: str | None = keyring.get_password(SERVICE, house)
            return found
    return tokens.get(house) or None


def keep_token(house: str, token: str | None) -> None:
    """Store the token for a server. If the token is None, forget the stored one.

    The token goes into the system's keyring. If there is no keyring, or if it is locked, the token goes into a file
    (`file_of_tokens`). If the token to forget is in a locked keyring, the function writes an empty text into the file.
    Then :func:`load_token` ignores the token in the keyring.
    """
    tokens = _read()
    before = dict(tokens)
    tokens.pop(house, None)
    keyring = _keyring()
    if keyring is None and token is not None:
        tokens[house] = token
    elif keyring is not None and not _change(keyring, house, token):
        tokens[house] = token or ""
    if tokens != before:
        # In a read-only folder, for example, the login lasts until the program ends.
        with contextlib.suppress(OSError):
            _write(tokens)


def _change(keyring: ModuleType, house: str, token: str | None) -> bool:
    """Store or delete the token in the keyring. Return False if the keyring is locked."""
    try:
        if token is not None:
            keyring.set_password(SERVICE, house, token)
        elif keyring.get_password(SERVICE, house) is not None:
            keyring.delete_password(SERVICE, house)
    except keyring.errors.KeyringError:
        return False
    return True


def known_houses() -> tuple[str, ...]:
    """Return the addresses of the servers for which the file of tokens has a login. Ignore logins in the keyring."""
    return tuple(sorted(house for house, token in _read().items() if token))
