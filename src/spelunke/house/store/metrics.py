"""Prometheus metrics of the house, without names of people or ids of tables.

A metric counts an event at a table only when spectators see the event: see docs/why/counters.md.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The metrics of one `House`.

    Each `House` has its own registry of metrics, so that a process can have several.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, namespace="spelunke", registry=self.registry)
        histogram = partial(Histogram, namespace="spelunke", registry=self.registry)
        self.actions = counter("actions", "Actions of people that everybody saw", ["status"])
        self.chances = counter("chances", "Outcomes of chance that everybody saw")
        self.conflicts = counter("conflicts", "Conflicts before changes that everybody saw")
        self.replays = counter("replays", "Tables replayed from their log")
        self.started = counter("games_started", "Games started", ["game"])
        self.ended = counter("games_ended", "Games ended", ["game", "reason"])
        self.due = counter("due_work", "Due tasks with effects that everybody saw", ["kind"])
        self.thinking = histogram(
            "bot_thinking_seconds",
            "Seconds that bots thought about moves that everybody saw",
            buckets=(0.001, 0.01, 0.1, 0.3, 1, 3),
        )
        self.acting = histogram(
            "action_seconds",
            "Seconds from the arrival of such an action to its commit",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
        )

    def watch(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        """Register a gauge whose value is read at each scrape."""
        Gauge(name, help_text, namespace="spelunke", registry=self.registry).set_function(read)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
