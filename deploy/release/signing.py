"""Sign the tag of a release with the key of its maintainer, or in a dry run with a key for this run only."""

from __future__ import annotations

import re
from pathlib import Path

from release.shell import Failed, Refused, git, run

SETTINGS = ("user.name", "user.email", "user.signingkey", "gpg.format", "gpg.program", "gpg.ssh.program")
SIGNED = re.compile(r"^-----BEGIN (PGP|SSH) SIGNATURE-----$", re.MULTILINE)
TRIAL = "signing-trial"
ADVICE = (
    "git cannot sign a tag here: set user.name, user.email and user.signingkey (with gpg.format ssh for a key of SSH), "
    "and try `git tag -s`."
)


def take_settings(root: Path, clone: Path) -> None:
    """Copy git's settings for the author and the signing key into a clone."""
    for name in SETTINGS:
        found = _setting(root, name)
        if found:
            git(clone, "config", name, found)


def make_key(clone: Path, scratch: Path) -> None:
    """Make a key without a passphrase and let a clone sign with it."""
    key = scratch / "key"
    run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "dry run", "-f", key])
    for name, value in {
        "user.name": "Dry run",
        "user.email": "dry-run@example.org",
        "gpg.format": "ssh",
        "user.signingkey": str(key.with_suffix(".pub")),
    }.items():
        git(clone, "config", name, value)


def check_key(clone: Path) -> None:
    """Sign a tag and remove the tag. Raise Refused if the key or its passphrase is missing.

    Otherwise this would be noticed only after an hour, when the release is signed.
    """
    try:
        git(clone, "tag", "-s", "-m", "A trial.", TRIAL)
    except Failed as error:
        raise Refused(f"{ADVICE} It said: {str(error).splitlines()[-1]}") from error
    signed = SIGNED.search(git(clone, "cat-file", "tag", TRIAL))
    git(clone, "tag", "-d", TRIAL)
    if not signed:  # git 2.39 ends with 0 if a key of SSH is missing
        raise Refused(ADVICE)


def sign(clone: Path, tag: str, message: str) -> None:
    """Make a signed tag of the newest commit."""
    git(clone, "tag", "-s", "--cleanup=verbatim", "-F", "-", tag, given=message.rstrip("\n") + "\n")


def verify(clone: Path, tag: str, scratch: Path) -> str:
    """Check that a tag is annotated and has a valid signature. Return the kind of key.

    An SSH signature must be made with the key in git's settings, unless the settings name a file of allowed signers.
    """
    if git(clone, "cat-file", "-t", tag) != "tag":
        raise Failed(f"The tag {tag} has no text.")
    found = SIGNED.search(git(clone, "cat-file", "tag", tag))
    if not found:
        raise Failed(f"The tag {tag} has no signature.")
    options: list[str] = []
    if found[1] == "SSH" and not _setting(clone, "gpg.ssh.allowedSignersFile"):
        allowed = scratch / "allowed_signers"
        allowed.write_text(f"{_setting(clone, 'user.email')} {_public(clone)}\n", encoding="utf-8")
        options = ["-c", f"gpg.ssh.allowedSignersFile={allowed}"]
    git(clone, *options, "verify-tag", tag)
    return found[1]


def _public(clone: Path) -> str:
    """Return the public key for signatures. The setting ``user.signingkey`` names its file, or contains the key."""
    named = _setting(clone, "user.signingkey").removeprefix("key::")
    if named.startswith(("ssh-", "ecdsa-", "sk-")):
        return named
    file = Path(named).expanduser()
    return (file if file.suffix == ".pub" else file.with_name(f"{file.name}.pub")).read_text("utf-8").strip()


def _setting(folder: Path, name: str) -> str:
    try:
        return git(folder, "config", "--get", name)
    except Failed:
        return ""
