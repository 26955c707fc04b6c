"""Names for guests who have not chosen one."""

from __future__ import annotations

import secrets

from spelunke.core.words import plain
from spelunke.house.people import LONGEST_NAME
from spelunke.web.words import translate as _

# Translators: the next two lists make the names of guests, such as Foggy Pelican. Choose your own words: animals and
# things for the second list, and for the first what goes with each of them unchanged, such as “im Nebel”. Both parts
# and the space have at most 24 characters together.
FIRST = plain(
    "Tarred, Tidy, Salty, Foggy, Windy, Rusty, Sandy, Misty, Sunny, Hasty, Barnacled, Copper, Silver, Amber, "
    "Northerly, Westerly, Quiet, Merry, Lucky, Sleepy, Brave, Nimble, Painted, Whistling, Limping, Singing"
)
# Translators: the things and animals in the names of guests; see the list that begins with Tarred.
SECOND = plain(
    "Anchor, Lantern, Gull, Bosun, Rudder, Compass, Mermaid, Kraken, Oyster, Heron, Cutter, Schooner, Pelican, "
    "Herring, Cooper, Stowaway, Helmsman, Pilot, Otter, Capstan, Sextant, Ferryman, Walrus, Tern, Puffin, Cormorant"
)
# Translators: the name of a guest, made of one word of each list; turn them round if your language does.
NAME = plain("{first} {second}")


def invent() -> str:
    """Return a random name with a harbour theme in the language of the request, such as ``Foggy Pelican``.

    It has at most 24 characters.
    """
    first, second = _(FIRST).split(", "), _(SECOND).split(", ")
    while (
        len(name := _(NAME).format(first=secrets.choice(first), second=secrets.choice(second))) > LONGEST_NAME
    ):
        pass  # only if a translator overlooked a long word
    return name
