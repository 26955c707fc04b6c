"""Verify records on the server, and serve the page that verifies them in the browser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spelunke.records.claims import Kept
from spelunke.records.fairness import Verdict, verify
from spelunke.records.kept import read_link
from spelunke.records.record import parse_record
from spelunke.records.sealing import undone_in
from spelunke.records.sentences import STATES, TITLES, UNKNOWN, VERDICTS
from spelunke.records.signing import word_list
from spelunke.records.telling import translate_verdict
from spelunke.web.pages import site_of
from spelunke.web.refusal import Refusal
from spelunke.web.security import POLICY_WITH_RULES, network_of
from spelunke.web.shapes import VerifyIn
from spelunke.web.threads import call
from spelunke.web.words import translate as _

MOST_PLIES = 10_000
"""The maximum number of plies, notes and moves taken back in a record that the server verifies.

The command `spelunke verify` has no such limit.
"""


async def show_verify(request: Request) -> Response:
    """Show the page that verifies records. `?table=` in the address chooses a table's record."""
    table = request.query_params.get("table", "")
    site = site_of(request)
    with_rules = [name.removesuffix(".wasm") for name in site.statics if name.endswith(".wasm")]
    answer = await site.page(
        request,
        "verify.html",
        modules={
            game: (site.static(f"{game}.wasm"), site.static(f"{game}.words.json")) for game in with_rules
        },
        table=table if table.isalnum() and len(table) < 33 else "",
        key=site.house.store.key,
        verdicts=VERDICTS,
        unknown=UNKNOWN,
        titles=TITLES,
        states=STATES,
    )
    if with_rules:
        answer.headers["content-security-policy"] = POLICY_WITH_RULES
    return answer


async def show_words(_request: Request) -> Response:
    """Send the list of words with which the links (hashes) of hash chains are written, six words for each link."""
    return JSONResponse(list(word_list()), headers={"cache-control": "public, max-age=86400"})


async def judge_record(request: Request, body: VerifyIn) -> Verdict:
    """POST /verdicts. Verify a record with this server's key, and return the result in the reader's language.

    Refuse a record that can't be parsed or is longer than `MOST_PLIES`. Refuse a link of a hash chain that can't be
    parsed. Refuse too many requests from one network.
    """
    site = site_of(request)
    client = request.client.host if request.client else "unknown"
    if not await site.limits.allow("verify", network_of(client)):
        raise Refusal(429, "too_many_tries", _("Too many attempts. Wait a minute."))

    def judge() -> Verdict:
        record = parse_record(body.record)
        beside = () if record.proof is None else (*record.proof.notes, *undone_in(record.proof))
        if len(record.plies) + len(beside) > MOST_PLIES:
            sentence = _.many(
                "This server verifies records of at most {n} ply. Use the command: spelunke verify FILE.",
                "This server verifies records of at most {n} plies. Use the command: spelunke verify FILE.",
                MOST_PLIES,
            )
            raise Refusal(413, "too_long", sentence.format(n=MOST_PLIES))
        links = (read_link(body.kept),) if body.kept.strip() else ()
        return translate_verdict(verify(record, Kept(key=site.house.store.key, links=links)), _)

    async with site.verifying:
        return await call(judge)


ROUTES = [
    Route("/verify", show_verify),
    Route("/verify/words.json", show_words),
]
