"""Dinghy: when you row, a wave brings two to six barrels aboard, or it takes all that you have not landed."""

from spelunke.core.option import Count
from spelunke.games.game import Game

GAME = Game(
    name="dinghy",
    title="Dinghy",
    package=__name__,
    seats=(2, 3),
    version=1,
    pitch="Row on, or bring it ashore?",
    options=(Count(name="goal", title="Barrels to win", default=20, least=5, most=100),),
)
