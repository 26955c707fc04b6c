"""Names for guests who have not chosen one."""

from __future__ import annotations

import secrets

from spelunke.core.words import plain
from spelunke.house.people import LONGEST_NAME
from spelunke.web.words import translate as _

# Translators: a guest's name has one word of this list and one of the next, such as Foggy Pelican. Choose your own
# words. The words of this list must fit each word of the next list unchanged, for example “im Nebel”. A name has at
# most 24 characters, with its space.
FIRST = plain(
    "Tarred, Tidy, Salty, Foggy, Windy, Rusty, Sandy, Misty, Sunny, Hasty, Barnacled, Copper, Silver, Amber, "
    "Northerly, Westerly, Quiet, Merry, Lucky, Sleepy, Brave, Nimble, Painted, Whistling, Limping, Singing"
)
# Translators: the animals and things in the names of guests. See the list that begins with Tarred.
SECOND = plain(
    "Anchor, Lantern, Gull, Bosun, Rudder, Compass, Mermaid, Kraken, Oyster, Heron, Cutter, Schooner, Pelican, "
    "Herring, Cooper, Stowaway, Helmsman, Pilot, Otter, Capstan, Sextant, Ferryman, Walrus, Tern, Puffin, Cormorant"
)
# Translators: a guest's name, with a word of each list. If your language needs it, change the order of the words.
NAME = plain("{first} {second}")


def invent() -> str:
    """Return a random name with a harbour theme in the language of the request, such as ``Foggy Pelican``.

    The name has at most 24 characters.
    """
    first, second = _(FIRST).split(", "), _(SECOND).split(", ")
    while (
        len(name := _(NAME).format(first=secrets.choice(first), second=secrets.choice(second))) > LONGEST_NAME
    ):
        pass  # only if a translator overlooked a long word
    return name
