"""Run a tournament on a Ray cluster, with the extra ``cluster``.

If no player is an external program or has a time limit, the results are the same as on one machine.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Iterator

from spelunke.arena.match import Job, Pairing, Result, Spread, play_pairing
from spelunke.core.digits import is_number
from spelunke.core.errors import BadInput


def spread_over(address: str | None = None, **settings: object) -> Spread:
    """Return a function for :func:`spelunke.arena.match.run` that plays pairings on the cluster at ``address``.

    If ``address`` is None, the returned function starts a new cluster on this machine. If Ray is already in use in this
    process, the returned function plays on Ray's current cluster instead. ``settings`` are arguments for ``ray.init``.
    Raise BadInput if Ray is not installed. If no cluster answers, the returned function raises BadInput.
    """
    try:
        import ray
    except ImportError:
        raise BadInput('Ray is not installed; install the extra: pip install "spelunke[cluster]"') from None

    local: dict[str, object] = {} if address else {"include_dashboard": False}

    def spread(job: Job, todo: Iterable[Pairing]) -> Iterator[tuple[Result, ...]]:
        begun = not ray.is_initialized()
        if begun:
            _knock(address)
            try:
                # Hide Ray's own messages from the person who runs a tournament.
                ray.init(
                    address=address or "local",
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    **local,  # type: ignore[arg-type, unused-ignore]  # Ray itself checks its arguments
                    **settings,  # type: ignore[arg-type, unused-ignore]
                )
            except (ConnectionError, RuntimeError, ValueError) as error:
                raise BadInput(f"Ray can't be used there: {str(error).splitlines()[0]}", "cluster") from None
        try:
            remote = ray.remote(max_retries=2)(play_pairing)
            resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
            width = 3 * max(1, int(resources.get("CPU", 1)))
            waiting: list[object] = []
            for pairing in todo:
                waiting.append(remote.remote(job, pairing))
                while len(waiting) >= width:
                    done, waiting = ray.wait(waiting)
                    yield from ray.get(done)
            while waiting:
                done, waiting = ray.wait(waiting)
                yield from ray.get(done)
        finally:
            if begun:
                ray.shutdown()

    return spread


def _knock(address: str | None) -> None:
    """Raise BadInput if no server answers at this address. If the address has no port, do nothing.

    Without this check, Ray would try for minutes to connect.
    """
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if not is_number(port):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
    except (OSError, OverflowError) as error:
        raise BadInput(f"no Ray cluster answers at {address} ({error})", "cluster") from None
