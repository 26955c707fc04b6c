"""Count the records that a test verified with `spelunke verify` and in a browser, and write them to `bench/results.md`.

    SPELUNKE_RECORDS=10000 SPELUNKE_VERDICTS=FILE pytest -m deep tests/web/test_verdicts.py
    python bench/verdicts.py FILE COMMIT

The first command appends each passed case to FILE. If it is run again, it continues with the remaining cases.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path

from report import machine, write_section

HONEST, FORGED = "test_honest_records_of_all_options_are_fair", "test_forgeries_are_named_or_not_proven"


def count(path: Path) -> dict[str, Counter[str]]:
    """Return, for honest and for forged records, the number of records by verdict.

    A case that is in the file twice counts once.
    """
    cases = {line["case"]: line for line in map(json.loads, path.read_text().splitlines())}
    found: dict[str, Counter[str]] = {HONEST: Counter(), FORGED: Counter()}
    for name, line in cases.items():
        counts = found[name.partition("[")[0]]
        counts.update({verdict: number for verdict, number in line.items() if verdict != "case"})
    return found


def main() -> None:
    """Write the section of `bench/results.md`."""
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("file", type=Path)
    reader.add_argument("commit", help="that the records were verified with")
    given = reader.parse_args()
    found = count(given.file)
    where = re.sub("commit [^;]*", f"commit {given.commit}", machine().rpartition(", ; load")[0])
    rows = ["| records | verdicts | how many |", "|---|---|---:|"]
    for title, name in (("honest", HONEST), ("forged", FORGED)):
        rows += [f"| {title} | {verdict} | {number:,} |" for verdict, number in sorted(found[name].items())]
        rows.append(f"| {title} | all | {found[name].total():,} |")
    text = (
        f"## Records by command and page\n\n{where}.\n`tests/web/test_verdicts.py`, deep. Options and seats are"
        " drawn by chance. Each record is verified by command, with the key of its house, and by the page of that house"
        " in Chromium, with the help of the house; verdict, sentences and claims are the same, byte for byte, or the"
        " case fails. Beside it stands what the browser found alone, without the rules. Unread: it is no record."
        " Forgeries: 18 changes and whole games; with the old seal, without one, as format 1, signed otherwise."
        "\n\n" + "\n".join(rows)
    )
    print(text)
    write_section("verdicts", text)


if __name__ == "__main__":
    main()
