"""The server chooses the times of its garbage collections. Tests notice them by objects that refer to themselves."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from spelunke.web.collecting import Collector
from waiting import wait_until


class Knot:
    """An object that refers to itself, so that only a garbage collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector(seconds=0.01)
    yield found
    found.stop()


def test_a_timer_collects_old_garbage(collector: Collector) -> None:
    collector.start()
    knot = Knot()
    gc.collect(1)  # from now on it is old
    gone = weakref.ref(knot)
    del knot
    wait_until(lambda: gone() is None)


def test_the_collector_does_not_scan_permanent_objects(collector: Collector) -> None:
    before = gc.get_threshold(), gc.get_freeze_count()
    collector.start()
    assert gc.get_freeze_count() > before[1] + 1000
    assert gc.get_threshold()[2] > 10**6
    collector.stop()
    collector.stop()
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before[0], 0)
