"""Tests that ``test_openapi.py`` runs: the API keeps the promises of its document, for any request of a client."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from spelunke.web.app import create_app
from spelunke.web.openapi import write_openapi
from web.conftest import GAME, Guest, make_settings

DOCUMENT = write_openapi("0")
schema = schemathesis.openapi.from_dict(DOCUMENT)
schema.config.phases.coverage.enabled = True  # about 1,900 cases

_world: dict[str, Any] = {}


def world(tmp_path_factory: Any) -> dict[str, Any]:
    """Return a client, the guest Anna, and the ids of tables, which all examples of a run share.

    The tables are open, ready to start, running and finished. No table has the last id.
    """
    if not _world:
        app = create_app(make_settings(tmp_path_factory.mktemp("api")))
        client = TestClient(app)
        client.__enter__()
        anna = Guest(client)
        opened = anna.table("me", "open")
        ready = anna.table("me", "bot:deckhand")
        playing = anna.table("me", "bot:deckhand")
        anna.start(playing)
        over = anna.table("me", "bot:deckhand")
        anna.start(over)
        anna.post(f"/tables/{over}/resign", {"key": "give-it-up"})
        _world.update(client=client, anna=anna, tables=(opened, ready, playing, over, "nowhere"), turn=0)
    return _world


@schema.exclude(path_regex="/stream$").parametrize()
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
def test_answers_are_as_documented(case: schemathesis.Case, tmp_path_factory: Any) -> None:
    here = world(tmp_path_factory)
    here["turn"] += 1
    if "table" in (case.path_parameters or {}):
        case.path_parameters["table"] = here["tables"][here["turn"] % 5]
    if "game" in (case.path_parameters or {}) and here["turn"] % 2:
        case.path_parameters["game"] = GAME
    headers = here["anna"].headers if here["turn"] % 5 else {}
    given = case.as_transport_kwargs(base_url="http://testserver")
    given["headers"] = {**dict(given.get("headers") or {}), **headers}
    given.pop("cookies", None)
    if isinstance(given.get("data"), (bytes, str)):
        given["content"] = given.pop("data")
    response = here["client"].request(**given)
    assert response.status_code < 500, response.text
    if case.method.lower() != case.operation.method.lower():
        assert response.status_code == 405, response.text
        return
    documented = DOCUMENT["paths"][case.operation.path][case.operation.method]["responses"]
    assert str(response.status_code) in documented, (
        f"{response.status_code} is not documented: {response.text}"
    )
    assert response.headers["content-type"] == "application/json"
    _check_shape(documented[str(response.status_code)], response.json())


def _check_shape(answer: dict[str, Any], body: Any) -> None:
    import jsonschema_rs

    shape = answer["content"]["application/json"]["schema"]
    whole = {**shape, "components": DOCUMENT["components"]}
    validator = jsonschema_rs.Draft202012Validator(whole)
    assert validator.is_valid(body), [str(error) for error in validator.iter_errors(body)][:3]
