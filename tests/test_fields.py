"""NumPy records by `record_type`: fields behave as those of ``np.record``, but no Python code runs at an access."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest

from spelunke.core.fields import Field, record_type

FIELDS: tuple[Field, ...] = (("hour", np.int16), ("crew", np.int16, (2, 3)), ("total", np.int64))
VALUES = (7, -1, True, 2.7, "3", np.int64(70_000), 40_000, None, [1, 2, 3], np.arange(4))


def record() -> Any:
    return np.zeros(1, record_type(*FIELDS))[0]


def stored(s: Any, field: str, value: object) -> object:
    """Set a field to a value, and return the field's content and its type, or the error's text."""
    try:
        setattr(s, field, value)
    except (TypeError, ValueError, OverflowError) as error:
        return repr(error)
    return getattr(s, field).tolist(), type(getattr(s, field))


@pytest.mark.parametrize("field", [name for name, *_ in FIELDS])
def test_a_field_accepts_and_refuses_the_same_values_as_a_numpy_record(field: str) -> None:
    theirs = np.zeros(1, np.dtype((np.record, list(FIELDS))))[0]
    for value in VALUES:
        assert stored(record(), field, value) == stored(theirs, field, value)


def test_fields_share_the_memory_of_their_pool() -> None:
    states = np.zeros(2, record_type(*FIELDS))
    s = states[1]
    s.crew[1, 2], s.hour = 5, 3
    assert states["crew"].sum() == 5
    assert states["hour"].tolist() == [0, 3]
    assert (s["hour"], s.item()[0]) == (3, 3)


def test_access_to_a_field_calls_no_python_function() -> None:
    s, called = record(), []
    sys.setprofile(lambda frame, event, _: called.append(frame.f_code) if event == "call" else None)
    try:
        s.hour = s.total
        s.crew[0, 1] = s.hour
    finally:
        sys.setprofile(None)
    assert called == []


def test_an_unknown_field_raises_an_error() -> None:
    with pytest.raises(AttributeError, match="day"):
        _ = record().day
    with pytest.raises(ValueError, match="day"):
        record().day = 1


def test_copies_and_pickles_are_records_of_the_same_type() -> None:
    s = record()
    s.crew[0] = 4
    for twin in (
        copy.deepcopy(s),
        pickle.loads(pickle.dumps(s)),
        pickle.loads(pickle.dumps(np.array([s])))[0],
    ):
        assert type(twin) is type(s)
        assert twin.dtype == s.dtype
        assert twin.tobytes() == s.tobytes()
        twin.hour = 1
        assert s.hour == 0
