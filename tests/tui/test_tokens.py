"""Where logins are kept: the system's keyring, or a file that only its owner can read."""

import sys
from types import ModuleType

import pytest

from spelunke.tui.tokens import SERVICE, file_of_tokens, keep_token, known_houses, load_token

pytestmark = pytest.mark.usefixtures("own_config")
HOUSE = "https://spelunke.example"


class Ring(ModuleType):
    """A keyring in memory, with the functions of the package `keyring`."""

    def __init__(self, works: bool) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False
        self.errors = ModuleType("keyring.errors")
        self.errors.KeyringError = RuntimeError  # type: ignore[attr-defined]
        self.fail = ModuleType("keyring.backends.fail")
        self.fail.Keyring = dict if works else list  # type: ignore[attr-defined]

    def get_keyring(self) -> object:
        return []

    def get_password(self, service: str, name: str) -> str | None:
        if self.locked:
            raise RuntimeError
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        if self.locked:
            raise RuntimeError
        self.kept[service, name] = value

    def delete_password(self, service: str, name: str) -> None:
        if self.locked or (service, name) not in self.kept:
            raise RuntimeError
        del self.kept[service, name]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Ring:
    ring = Ring(works=getattr(request, "param", True))
    monkeypatch.setenv("SPELUNKE_KEYRING", "1")
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.backends.fail", ring.fail)
    return ring


def test_a_token_is_stored_in_an_available_keyring(ring: Ring) -> None:
    keep_token(HOUSE, "secret")
    assert ring.kept == {(SERVICE, HOUSE): "secret"}
    assert not file_of_tokens().exists()
    assert load_token(HOUSE) == "secret"
    keep_token(HOUSE, None)
    assert load_token(HOUSE) is None


def test_a_locked_keyring_leaves_the_token_to_the_file(ring: Ring) -> None:
    ring.locked = True
    keep_token(HOUSE, "secret")
    assert load_token(HOUSE) == "secret"
    assert known_houses() == (HOUSE,)


def test_a_token_stored_while_the_keyring_was_locked_replaces_the_older_one(ring: Ring) -> None:
    keep_token(HOUSE, "old")
    ring.locked = True
    keep_token(HOUSE, "new")
    ring.locked = False
    assert load_token(HOUSE) == "new"
    keep_token(HOUSE, "newest")
    assert load_token(HOUSE) == "newest"
    assert known_houses() == ()


def test_a_logout_while_the_keyring_is_locked_stays_in_effect(ring: Ring) -> None:
    keep_token(HOUSE, "old")
    ring.locked = True
    keep_token(HOUSE, None)
    ring.locked = False
    assert load_token(HOUSE) is None
    assert known_houses() == ()
    keep_token(HOUSE, "new")
    assert load_token(HOUSE) == "new"


@pytest.mark.parametrize("ring", [False], indirect=True)
def test_a_keyring_without_a_backend_is_not_used(ring: Ring) -> None:
    keep_token(HOUSE, "secret")
    assert not ring.kept
    assert load_token(HOUSE) == "secret"


def test_a_broken_file_counts_as_no_login() -> None:
    file_of_tokens().parent.mkdir(parents=True)
    file_of_tokens().write_text("{", encoding="utf-8")
    assert load_token(HOUSE) is None
    keep_token(HOUSE, "secret")
    assert load_token(HOUSE) == "secret"


def test_a_folder_that_cannot_be_written_keeps_no_token() -> None:
    folder = file_of_tokens().parent
    folder.parent.mkdir(parents=True)
    folder.touch()
    keep_token(HOUSE, "secret")
    assert load_token(HOUSE) is None
