"""Each operation at a table is defined once, in `OPERATIONS`: API, page, OpenAPI and docs/protocol.md follow it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from spelunke.house.house import House, open_house
from spelunke.house.inputs import Body
from spelunke.house.operation import Button, Operation
from spelunke.house.operations import OPERATIONS
from spelunke.web.app import create_app
from spelunke.web.openapi import write_openapi
from spelunke.web.parts import buttons
from spelunke.web.settings import Settings

from .conftest import Guest

ROOT = Path(__file__).parents[2]


def row(operation: Operation) -> str:
    """Return the row for the operation in the table of docs/protocol.md."""
    fields = msgspec.structs.fields(operation.input) if operation.input else ()
    takes = ", ".join(f"`{field.name}`" + ("" if field.required else "?") for field in fields)
    may = (
        "everybody with a seat"
        if operation.may == ("seat",)
        else ", ".join(f"`{word}`" for word in operation.may)
    )
    return f"| `{operation.method} …/{operation.name}` | {takes} | {may} | {operation.summary} |"


def test_the_protocol_lists_every_operation() -> None:
    expected = "\n".join(row(operation) for operation in OPERATIONS.values())
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^\| `(?:POST|PUT) …/.*$", text) == expected.splitlines(), (
        f"docs/protocol.md is stale:\n{expected}"
    )


def test_the_example_bot_calls_only_existing_operations() -> None:
    text = (ROOT / "examples" / "http_bot.py").read_text(encoding="utf-8")
    done = set(re.findall(r"/tables/\{[^}]*\}/(\w[\w-]*)", text)) - {"stream"}
    assert {"join", "nonce", "act"} <= done
    assert done <= set(OPERATIONS)


def test_the_function_of_each_operation_accepts_its_fields(tmp_path: Path) -> None:
    house = open_house(f"sqlite:///{tmp_path}/house.sqlite3", timers=False)
    try:
        for operation in OPERATIONS.values():
            fields = msgspec.structs.fields(operation.input) if operation.input else ()
            given = {field.name: None for field in fields}
            inspect.signature(operation.calls(house)).bind("table", "person", **given)
    finally:
        house.close()


def test_every_entry_of_may_belongs_to_an_operation(anna: Guest, bert: Guest) -> None:
    known = {word for operation in OPERATIONS.values() for word in operation.may}
    shown = {
        button.may or operation.may[0] for operation in OPERATIONS.values() for button in operation.buttons
    }
    assert shown <= known
    table = anna.table("me", "open")
    met = set(anna.look(table)["may"]) | set(bert.look(table)["may"])
    assert bert.post(f"/tables/{table}/join", {}).status_code == 200
    met |= set(anna.look(table)["may"])
    for guest in (anna, bert):
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "share"}).status_code == 200
    met |= set(anna.wait(table, lambda look: look["status"] == "playing")["may"])
    assert anna.post(f"/tables/{table}/draw", {"answer": "offer"}).status_code == 200
    met |= set(bert.look(table)["may"])
    assert anna.post(f"/tables/{table}/stand-in", {}).status_code == 200
    met |= set(anna.look(table)["may"])
    assert bert.post(f"/tables/{table}/resign", {"key": "give-it-up"}).status_code == 200
    met |= set(bert.look(table)["may"])
    lesson = anna.post("/lessons", {"game": "shanghaien"}).json()["table"]
    met |= set(anna.look(lesson)["may"])
    assert anna.post(f"/tables/{table}/rematch").status_code == 200
    assert bert.post(f"/tables/{table}/dismiss-summary").status_code == 200
    met |= set(bert.look(table)["may"])
    assert met <= known
    depend_on_the_game = {"take_back", "standing", "seat", "recall", "show_hand", "hide_hand"}
    against_bots_alone = {"hint", "undo"}
    after_a_move = {"ask_undo", "answer_undo"}
    depend_on_time = {"nudge", "let_bot", "take_win", "call_off"}
    assert met >= known - depend_on_the_game - depend_on_time - against_bots_alone - after_a_move


class KnockIn(Body, frozen=True):
    """How hard."""

    times: int = 1


def test_a_new_operation_needs_only_one_entry_in_the_registry(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    knocked: list[int] = []

    def find(house: House) -> Callable[..., None]:
        def knock(table: str, person: str, *, times: int) -> None:
            assert house.looks.look(table, person).seat == 0
            knocked.append(times)

        return knock

    deed = Operation("knock", find, "Knock on the table", KnockIn, buttons=(Button(label="Knock"),))
    monkeypatch.setitem(OPERATIONS, "knock", deed)  # type: ignore[arg-type]
    monkeypatch.setattr(buttons, "BUTTONS", buttons.list_buttons())
    with TestClient(create_app(settings), follow_redirects=False) as client:
        anna = Guest(client)
        table = anna.table("me", "open")
        assert anna.post(f"/tables/{table}/knock", {"times": 2}).json() == {"ok": True}
        assert anna.post(f"/tables/{table}/knock", {"times": "x"}).status_code == 400
        client.cookies.set("guest", anna.token)
        assert f'action="/t/{table}/knock"' in client.get(f"/t/{table}").text
        answer = client.post(f"/t/{table}/knock", data={"times": "3"})
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/t/{table}"
        refused = client.post(f"/t/{table}/knock", data={"times": "many"})
        assert refused.status_code == 400
        assert "a whole number" in refused.text
        assert client.post(f"/t/{table}/knock").status_code == 303
    assert knocked == [2, 3, 1]
    described = write_openapi("0")["paths"]["/api/v1/tables/{table}/knock"]["post"]  # type: ignore[index]
    assert described["summary"] == "Knock on the table"
