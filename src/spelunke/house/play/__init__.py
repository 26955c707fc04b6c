"""Tables in memory, the states that their viewers see (looks), and people's moves, chat, reactions and presence."""

from spelunke.house.play.attendance import Attendance
from spelunke.house.play.chat import Chat
from spelunke.house.play.going_on import GoingOn
from spelunke.house.play.hands import Hand, Hands
from spelunke.house.play.looks import Looks
from spelunke.house.play.play import Play, check_level, stand_in_level
from spelunke.house.play.reactions import Reactions
from spelunke.house.play.showing import Showing
from spelunke.house.play.table_store import ROW_BYTES, TABLE_BYTES, Slot, TableStore
from spelunke.house.play.turns import MOST_TRIES, Tries, Turn
from spelunke.house.play.undoing import Undoing
