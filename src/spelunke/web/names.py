"""Names for guests who have not chosen one."""

from __future__ import annotations

import secrets

_FIRST = (
    "Tarred Tidy Salty Foggy Windy Rusty Sandy Misty Sunny Hasty Barnacled Copper Silver Amber Northerly Westerly "
    "Quiet Merry Lucky Sleepy Brave Nimble Painted Whistling Limping Singing"
).split()
_SECOND = (
    "Anchor Lantern Gull Bosun Rudder Compass Mermaid Kraken Oyster Heron Cutter Schooner Pelican Herring Cooper "
    "Stowaway Helmsman Pilot Otter Capstan Sextant Ferryman Walrus Tern Puffin Cormorant"
).split()


def invent() -> str:
    """Return a random name with a harbour theme, such as ``Foggy Pelican``, of at most 24 characters."""
    return f"{secrets.choice(_FIRST)} {secrets.choice(_SECOND)}"
