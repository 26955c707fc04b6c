"""Some statements of docs/security-asvs.md about passwords and one-time codes, checked directly."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from spelunke.house.house import House
from spelunke.house.people.codes import LENGTH, LETTERS, hash_code, new_code, store_code, take_code
from spelunke.house.people.passwords import LEAST, MOST, check_password, hash_password, is_outdated, is_right
from spelunke.house.refusals import SpentCode, WeakPassword
from spelunke.house.store import schema

LONG = "rope lantern harbour " * 10


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "password",
    [LONG[:MOST], LONG[:64], "zzqv rope lantern", "ключ якорь парус", "🗝️ anchor & sail ⚓", "kein groß kein"],
    ids=["128", "64", "letters alone", "Cyrillic", "pictures", "one case"],
)
def test_any_characters_make_a_password(password: str) -> None:
    check_password(password)
    stored = hash_password(password)
    assert is_right(stored, password)
    assert not is_right(stored, password[:-1])
    assert not is_right(stored, password + "x")


@pytest.mark.parametrize("password", ["zq7!vKp2#xW"[: LEAST - 1], LONG[: MOST + 1]])
def test_a_password_has_12_to_128_characters(password: str) -> None:
    with pytest.raises(WeakPassword):
        check_password(password)


def test_two_unicode_spellings_of_a_password_are_equal() -> None:
    assert is_right(hash_password("\u00e9toile over the harbour"), "e\u0301toile over the harbour")


def test_each_hash_has_a_salt_of_its_own_and_says_how_it_was_made() -> None:
    first, second = hash_password("rope lantern harbour"), hash_password("rope lantern harbour")
    assert first != second
    assert first.startswith("$argon2id$")
    assert not is_outdated(first)
    assert is_outdated("$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21l$" + "A" * 43)


def test_a_code_has_130_bits_and_is_kept_as_its_hash(house: House) -> None:
    code = new_code()
    assert len(code) == LENGTH
    assert len(set(LETTERS)) ** LENGTH >= 2**128
    with house.store.engine.begin() as connection:
        store_code(connection, "device", None, house.store.now(), code)
        (kept,) = connection.execute(select(schema.codes.c.code)).scalars()
    assert kept == hash_code("device", code)
    assert code not in kept


def test_a_challenge_is_accepted_only_once(house: House) -> None:
    challenge, now = b"a challenge of 32 bytes", house.store.now()
    with house.store.engine.begin() as connection:
        store_code(connection, "device", None, now, challenge)
        assert take_code(connection, "device", challenge, now) is None
        with pytest.raises(SpentCode):
            take_code(connection, "device", challenge, now)
