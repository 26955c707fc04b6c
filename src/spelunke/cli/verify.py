"""The command ``spelunke verify``."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import File, Json, read_record
from spelunke.cli.output import out, write_json
from spelunke.cli.words import house_words
from spelunke.cli.words import translate as _
from spelunke.core.errors import BadInput

if TYPE_CHECKING:
    from spelunke.records.claims import Kept
    from spelunke.records.fairness import Verdict
    from spelunke.records.record import Record

UNPROVEN = 3
"""The exit code if nothing contradicts the record, but the proof is incomplete."""
SECONDS = 10.0
LONGEST = 10_000


def verify(
    file: File,
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment that you saw before the game began.")
    ] = None,
    nonce: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=TEXT",
            help="The nonce that you gave before the game. You can give the nonces of several seats.",
        ),
    ] = None,
    link: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LINK",
            help="A link of the hash chain, from the page of your table: its six words, its 64 digits, or the text "
            "that the page's copy button copies.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The key of your server, from its page about fair chance."),
    ] = None,
    house: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The address of your server, to fetch its key."),
    ] = None,
    json: Json = False,
) -> None:
    """Verify the record of a finished game: report whether chance, moves and result are proven, and how.

    The exit code is 0 if chance was recomputed and agrees with everything that you gave. It is 1 if anything disagrees;
    the first such place is named. It is 3 if nothing disagrees, but the proof is incomplete: the seed is missing, or
    nothing that you gave confirms the record (a key, the address of a server, a commitment or a link). Without such a
    confirmation, a complete forgery would look like a true record.

    [dim]spelunke verify game.json --commitment 3f9a… --nonce 0=harbour --link 'apple … zoo'[/dim]
    """
    from spelunke.records.fairness import verify as verify_record

    record = read_record(file)
    if house is not None and key is None:
        key = fetch_key(house)
    verdict = verify_record(record, read_kept(record, commitment, nonce, link, key))
    if json:
        write_json(verdict)
    else:
        _show(record, verdict)
    raise typer.Exit({"fair": 0, "altered": 1, "unproven": UNPROVEN}[verdict.verdict])


def fetch_key(house: str) -> str:
    """Return the public key of the server at this address.

    Raise BadInput if this is not an address, if the server does not answer, or if it publishes no key.
    """
    address = house.rstrip("/") + "/api/v1/key"
    if not address.startswith(("https://", "http://")):
        raise BadInput(f"{house!r} is not an address; write it like https://house.example", "--house")
    import http.client
    import urllib.request

    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:  # noqa: S310  # checked above
            key = json_module.loads(answer.read(LONGEST)).get("key")
    except (OSError, ValueError, AttributeError, RecursionError, http.client.HTTPException) as error:
        raise BadInput(f"the key of {house} can't be read: {error}", "--house") from None
    if not isinstance(key, str):
        raise BadInput(f"{house} publishes no key", "--house")
    return key


def read_kept(
    record: Record,
    commitment: str | None,
    nonces: list[str] | None,
    links: list[str] | None,
    key: str | None,
) -> Kept:
    """Return the data to compare with the record, from the values of the command's options.

    Raise BadInput if a value has a wrong form.
    """
    from spelunke.records.claims import Kept
    from spelunke.records.kept import read_link

    given: dict[int, str] = {}
    for text in nonces or ():
        seat, sign, nonce = text.partition("=")
        known = [str(number) for number in range(len(record.seats))]
        if not sign or seat not in known:
            raise BadInput(
                f"{text!r} is not of the form SEAT=TEXT with a seat from 0 to {len(record.seats) - 1}",
                "--nonce",
            )
        given[int(seat)] = nonce
    return Kept(
        commitment=_read_digits(commitment, "--commitment"),
        nonces=given,
        key=_read_digits(key, "--key"),
        links=tuple(read_link(text, "--link") for text in links or ()),
    )


def _read_digits(text: str | None, place: str) -> str | None:
    from spelunke.records.signing import is_link

    digits = None if text is None else text.strip().lower()
    if digits is not None and not is_link(digits):
        raise BadInput("it must have 64 hexadecimal digits", place)
    return digits


COLOURS = {"proven": "green", "not proven": "yellow", "contradicted": "red"}


def _show(record: Record, verdict: Verdict) -> None:
    from spelunke.records.sentences import STATES, TITLES
    from spelunke.records.signing import words_of
    from spelunke.records.telling import say_verdict

    house = house_words()
    console = out()
    style = {"fair": "green", "unproven": "yellow", "altered": "red"}[verdict.verdict]
    console.print(say_verdict(verdict, house), style=style, markup=False)
    console.print()
    for claim in verdict.claims:
        told = _("{claim}: {state}") if claim.ply is None else _("{claim}: {state} at ply {ply}")
        told = told.format(claim=house(TITLES[claim.claim]), state=house(STATES[claim.state]), ply=claim.ply)
        console.print(told, style=COLOURS[claim.state], markup=False)
        console.print(f"  {house.refusal(claim.text)}", markup=False, soft_wrap=True)
    if record.fairness is not None and verdict.verdict != "altered":
        console.print()
        console.print(_("Compare these values with those that you saw or gave before the game began:"))
        promised, none = _("commitment"), _("(none)")
        console.print(f"  {promised:<11} {record.fairness.commitment}", markup=False, soft_wrap=True)
        for seat, (who, nonce) in enumerate(zip(record.seats, record.fairness.nonces, strict=True)):
            console.print(f"  nonce {seat}     {nonce or none}  {who.name}", markup=False, soft_wrap=True)
    if record.proof is not None and verdict.verdict != "altered":
        console.print()
        console.print(
            _(
                "Each line has the six words of one player or of the spectators. Compare yours with those that "
                "your page showed at the end:"
            )
        )
        spectators = _("spectators")
        for head in record.proof.heads:
            saw = None if head.viewer is None else record.seats[head.viewer]
            if saw is None or saw.kind == "person":
                words = words_of(bytes.fromhex(head.link))
                console.print(f"  {words}  {saw.name if saw else spectators}", markup=False, soft_wrap=True)
