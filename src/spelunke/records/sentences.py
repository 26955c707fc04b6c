"""The texts of verdicts on records, and of a record's claims, which are proven, not proven or contradicted.

The command ``verify`` and the web page for verifying translate the texts.
"""

from __future__ import annotations

from spelunke.core.words import plain

VERDICTS = {
    "fair": plain("Fair: the seed matches its commitment and gives every outcome of chance ({chances})."),
    "unproven": plain("Not proven, but nothing contradicts this record."),
    "unseeded": plain("Not proven: the server has not published the seed of this game."),
    "undecided": plain("Not proven: the dice and cards of this game did not come from a server."),
    "shared": plain(
        "Not proven here. The seed matches its commitment, but several tables share this seed, and this page can't "
        "compute the dice and cards of this game from it. Use the command: spelunke verify FILE."
    ),
    "altered": plain("This record is wrong ({place}): {reason}"),
}
"""The beginning of the text of each kind of verdict. Details follow it."""

UNKNOWN = plain(
    "Nothing confirms who made this record, so it could be a forgery: no signature was verified with a key that you "
    "know, and you gave nothing that confirms the record."
)
"""The sentence for a reader who kept no data that confirms the record.

Without such data, the whole record may be forged.
"""

TITLES = {
    "chance": plain("Chance came from the seed and the players' texts"),
    "nonces": plain("The players' texts were fixed before any was shown"),
    "rules": plain("Moves and result follow the rules"),
    "moves": plain("Moves are those that were played"),
    "result": plain("Result, players and times are as the server signed them"),
    "kept": plain("The record agrees with what you kept"),
}

STATES = {
    "proven": plain("proven"),
    "not proven": plain("not proven"),
    "contradicted": plain("contradicted"),
}
