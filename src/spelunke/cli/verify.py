"""``spelunke verify``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spelunke.cli.arguments import File, Json, read_record
from spelunke.cli.output import out, write_json
from spelunke.core.digits import is_number
from spelunke.core.errors import BadInput

if TYPE_CHECKING:
    from spelunke.records.fairness import Verdict
    from spelunke.records.record import Record


def verify(
    file: File,
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment that you saw before the game began.")
    ] = None,
    nonce: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT=TEXT", help="The nonce that you gave; may be given again."),
    ] = None,
    json: Json = False,
) -> None:
    """Verify a finished game: commitment, every outcome of chance, every move, the result.

    The first place that deviates is named, and the exit code is 1.
    It is 0 only when everything was proven.

    [dim]spelunke verify game.json --commitment 3f9a… --nonce 0=harbour[/dim]
    """
    from spelunke.records.fairness import Deviation, Verdict
    from spelunke.records.fairness import verify as verify_record

    record = read_record(file)
    remembered = compare(record, commitment, nonce)
    verdict = verify_record(record)
    if remembered is not None:
        place, reason = remembered
        verdict = Verdict(
            verdict="altered",
            game=verdict.game,
            table=verdict.table,
            plies=verdict.plies,
            chances=verdict.chances,
            deviation=Deviation(place=place, reason=reason),
            text=f"Not as it was played: {place}: {reason}.",
        )
    if json:
        write_json(verdict)
    else:
        _show(record, verdict)
    if not verdict.ok:
        raise typer.Exit(1)


def compare(record: Record, commitment: str | None, nonces: list[str] | None) -> tuple[str, str] | None:
    """Place and reason where the record is not what its reader remembers; raises BadInput for a seat it lacks."""
    fairness = record.fairness
    for text in nonces or ():
        seat, sign, nonce = text.partition("=")
        if not sign or not is_number(seat) or int(seat) >= len(record.seats):
            raise BadInput(
                f"{text!r} is no SEAT=TEXT with a seat from 0 to {len(record.seats) - 1}", "--nonce"
            )
        written = fairness.nonces[int(seat)] if fairness else ""
        if written != nonce:
            return "fairness.nonces", f"the nonce of seat {seat} is {written!r} here, and you gave {nonce!r}"
    if commitment is not None:
        written = fairness.commitment if fairness else ""
        if written != commitment.strip().lower():
            return "fairness.commitment", f"it is {written!r} here, and you saw {commitment!r}"
    return None


def _show(record: Record, verdict: Verdict) -> None:
    console = out()
    style = {"fair": "green", "unproven": "yellow", "altered": "red"}[verdict.verdict]
    console.print(verdict.text, style=style, markup=False)
    if record.fairness is not None and verdict.verdict != "altered":
        console.print("Compare with what you saw and gave before the game began:")
        console.print(f"  commitment  {record.fairness.commitment}", markup=False, soft_wrap=True)
        for seat, (who, nonce) in enumerate(zip(record.seats, record.fairness.nonces, strict=True)):
            console.print(f"  nonce {seat}     {nonce or '(none)'}  {who.name}", markup=False, soft_wrap=True)
