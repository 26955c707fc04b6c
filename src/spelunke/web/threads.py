"""Call methods of the house layer from the event loop: slow methods run in threads, so that they don't block it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.concurrency import run_in_threadpool

from spelunke.house.house import House
from spelunke.house.inputs import Body
from spelunke.house.operation import Operation
from spelunke.house.store import run

P = ParamSpec("P")
T = TypeVar("T")


async def call(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a blocking function in a thread, and return its result."""
    return await run_in_threadpool(function, *args, **kwargs)


async def do_at_table(
    operation: Operation, house: House, table: str, person: str, given: Body | None
) -> object:
    """Run an operation at a table, and return its result. Raise a SpelunkeError if the operation is refused."""
    way = run if operation.brief else call
    return await way(operation.do, house, table, person, given)
