"""Tables before their start, and lists of tables."""

from spelunke.house.lobby.founding import NewTable, PlannedChair
from spelunke.house.lobby.inviting import Inviting
from spelunke.house.lobby.lists import EVERY, Lists, TableLine, TableWish
from spelunke.house.lobby.lobby import Lobby
from spelunke.house.lobby.next_games import NextGames
from spelunke.house.lobby.starting import Starting
