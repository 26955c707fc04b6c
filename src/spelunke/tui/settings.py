"""Settings of a new table: each has a title, a value, and the values that it can have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spelunke.core.digits import LONGEST_NUMBER
from spelunke.tui.words import translate as _

if TYPE_CHECKING:
    from spelunke.tui.client import Json


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting with its present value. If ``values`` is empty, the person types the value."""

    name: str
    title: str
    help: str
    value: Json
    values: tuple[tuple[Json, str], ...] = ()

    @property
    def text(self) -> str:
        """The present value as a text for people."""
        found = next((text for value, text in self.values if value == self.value), None)
        if found is not None:
            return found
        if isinstance(self.value, (list, tuple)):
            return "/".join(map(str, self.value))
        return write_number(self.value) if isinstance(self.value, float) else str(self.value)

    def with_value(self, value: Json) -> Setting:
        """Return this setting with another value."""
        return replace(self, value=value)

    def read(self, text: str) -> Setting:
        """Return this setting with a typed value. In numbers, a comma also works as a decimal point.

        If the setting needs a number, raise ValueError for a text that is not a number, and for more than
        ``LONGEST_NUMBER`` digits before the decimal point. If it needs a whole number, also raise it for other numbers.
        """
        if isinstance(self.value, (int, float)):
            number = type(self.value)(text.replace(",", "."))
            if not abs(number) < 10**LONGEST_NUMBER:  # also true of NaN
                raise ValueError(text)
            return self.with_value(number)
        return self.with_value(text)

    def step(self, by: int) -> Setting:
        """Return this setting with the next value if ``by`` is 1, or the previous value if ``by`` is -1.

        The setting must have ``values``.
        """
        place = next((n for n, (value, _text) in enumerate(self.values) if value == self.value), 0)
        return self.with_value(self.values[(place + by) % len(self.values)][0])


def table_settings() -> list[Setting]:
    """Return the settings that this program offers for a new table, with their usual values.

    The game's own options are not among them.
    """
    return [
        *_time_settings(),
        _switch(
            "rated",
            _("Rated"),
            _(
                "Only for members, without bots, by the standard rules, and with a clock. The result changes ratings."
            ),
        ),
        _switch(
            "friends",
            _("For my friends"),
            _("Only friends find this table, and only friends and people with the link may sit down."),
        ),
        _switch(
            "listed",
            _("Show this table in the server's list"),
            _("Other people find this table in the list, and can sit down or watch."),
            value=True,
        ),
        Setting(
            "delay",
            _("Delay for spectators, in steps"),
            _("From 0 to 200 steps. A step is a move, a roll or a drawn card."),
            0,
        ),
        _switch(
            "chat_closed", _("Private chat for the players"), _("Spectators can't read the players' chat.")
        ),
    ]


def _time_settings() -> list[Setting]:
    """Return the settings for the clock, and for waiting for somebody who is away."""
    return [
        Setting(
            "clock",
            _("Time"),
            _(
                "As usual: a table has a clock if it is rated, or if it is in the server's list and has free seats "
                "for anyone. Each player then has 15 minutes, plus 10 seconds per decision. "
                "Other tables have no clock."
            ),
            "usual",
            (
                ("usual", _("as usual")),
                ("none", _("no clock")),
                ("live", _("live")),
                ("days", _("over days")),
            ),
        ),
        Setting(
            "minutes", _("Live: minutes per player"), _("The time of each player for the whole game."), 15.0
        ),
        Setting(
            "increment",
            _("Live: seconds per decision"),
            _("Each decision adds this time to the player's clock."),
            10.0,
        ),
        Setting(
            "days",
            _("Over days: days per decision"),
            _("Each player has this many days for each decision."),
            3.0,
        ),
        Setting(
            "grace",
            _("Minutes to wait for somebody who is away"),
            _(
                "If a player is away on their turn for longer than this, the others may go on without them. This "
                "setting has no effect if the time is “over days”."
            ),
            2.0,
        ),
    ]


def switch_values() -> tuple[tuple[Json, str], ...]:
    """Return the two values of a setting that is off or on."""
    return ((False, _("no")), (True, _("yes")))


def _switch(name: str, title: str, text: str, *, value: bool = False) -> Setting:
    return Setting(name, title, text, value, switch_values())


def values_of(settings: Sequence[Setting]) -> dict[str, Json]:
    """Return the values of settings by their names."""
    return {one.name: one.value for one in settings}


def write_terms(settings: Sequence[Setting], *, for_anyone: bool = False) -> dict[str, object]:
    """Return the fields of a plan for `POST /tables`. Fields with their usual values are left out.

    `for_anyone`: whether the table has free seats for anyone. The usual clock depends on this: rated tables, and listed
    tables with free seats for anyone, usually have a live clock, and all other tables have none.
    """
    value, usual = values_of(settings), values_of(table_settings())
    plan: dict[str, object] = {}
    kind = value["clock"]
    if kind != "usual":
        parts = {"live": ("minutes", "increment", "grace"), "days": ("days",), "none": ("grace",)}[kind]
        plan["clock"] = {"kind": kind, **{name: value[name] for name in parts}}
    elif value["grace"] != usual["grace"]:
        live = value["rated"] or (value["listed"] and for_anyone)  # as the help of “Time” says
        plan["clock"] = {"kind": "live" if live else "none", "grace": value["grace"]}
    for name in ("rated", "friends", "listed", "delay", "chat_closed"):
        if value[name] != usual[name]:
            plan[name] = value[name]
    return plan


def say_clock(settings: Sequence[Setting]) -> str:
    """Return the clock in a few words, such as “15 min + 10 s” or “3 d for each move”."""
    value = values_of(settings)
    text = next(one.text for one in settings if one.name == "clock")
    if value["clock"] == "live":
        return _("{minutes} min + {seconds} s").format(
            minutes=write_number(value["minutes"]), seconds=write_number(value["increment"])
        )
    if value["clock"] == "days":
        return _("{days} d for each move").format(days=write_number(value["days"]))
    return text


def write_number(value: float) -> str:
    """Return a number as text. A whole number gets no decimal point and, however large, no exponent."""
    return f"{value:.0f}" if value % 1 == 0 else f"{value:.15g}"
