"""What the web counts, beside what the house counts."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Meter:
    """Counters of one process; labels are routes and statuses, never names or tables."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "spelunke_requests", "Requests answered", ("route", "method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "spelunke_request_seconds", "Time to the start of the answer", ("route",), registry=self.registry
        )
        self.streams = Gauge("spelunke_streams", "Streams open now", registry=self.registry)
        self.pushes = Counter("spelunke_pushes", "Messages pushed into streams", registry=self.registry)

    def write(self) -> bytes:
        """All of it in the text format of Prometheus."""
        return generate_latest(self.registry)
