"""Prometheus metrics of the web layer. The house layer has its own metrics.

Secret actions of a seat change none of these metrics: see docs/why/counters.md.
"""

from __future__ import annotations

from http import HTTPStatus

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Meter:
    """Counters of one process. Their labels are routes, methods and statuses, never names or tables."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "spelunke_requests", "Requests answered", ("route", "method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "spelunke_request_seconds", "Time to the start of the answer", ("route",), registry=self.registry
        )
        self.streams = Gauge("spelunke_streams", "Streams open now", registry=self.registry)
        self.pushes = Counter(
            "spelunke_pushes", "Messages pushed into streams of spectators", registry=self.registry
        )

    def note(self, route: str, method: str, status: int, seconds: float, *, at_table: bool) -> None:
        """Count a request.

        A request that acts at a table counts only if the server failed (status 500 or more), or if a rate limit
        refused it (status 429). Of the events at a table, the house layer counts those that everybody can see.
        """
        if at_table and status < HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.TOO_MANY_REQUESTS:
            return
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def write(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
