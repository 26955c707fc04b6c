"""Sign with the key of a server (Ed25519), verify signatures, and write links of hash chains as words for people."""

from __future__ import annotations

import functools
import re
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_LINK = re.compile(r"[0-9a-f]{64}")
WORDS = 6
BITS = 11
"""The number of bits that a word represents. There are 2048 words."""


def new_signing_key() -> bytes:
    """Return a new private key (32 bytes) for the signatures of a server."""
    return secrets.token_bytes(32)


class Signer:
    """The signing key of a server. ``public`` is the public key that verifies its signatures, in hexadecimal."""

    __slots__ = ("_key", "public")

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key: Ed25519PrivateKey = Ed25519PrivateKey.from_private_bytes(key)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, data: bytes) -> str:
        """Return the signature of the data in hexadecimal. The same data always gives the same signature."""
        return self._key.sign(data).hex()


def is_signed(public: str, data: bytes, signature: str) -> bool:
    """Return whether the owner of the public key signed exactly these bytes."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


@functools.cache
def word_list() -> tuple[str, ...]:
    """Return the 2048 words with which links of hash chains are written, in the order of their numbers."""
    from mnemonic import Mnemonic

    return tuple(Mnemonic("english").wordlist)


def words_of(link: bytes) -> str:
    """Return the first 66 bits of a link of a hash chain as six words."""
    number = int.from_bytes(link[:9], "big") >> (9 * 8 - WORDS * BITS)
    mask = (1 << BITS) - 1
    return " ".join(word_list()[number >> BITS * (WORDS - 1 - place) & mask] for place in range(WORDS))


def is_link(text: str) -> bool:
    """Return whether the text is a link of a hash chain in lower-case hexadecimal."""
    return _LINK.fullmatch(text) is not None


def is_word(text: str) -> bool:
    """Return whether the text is one of the words with which links are written (:func:`word_list`)."""
    return text in word_list()
