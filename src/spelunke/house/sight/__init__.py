"""The part of a table that each reader may see. Other data of a running game never leaves the server."""

from spelunke.house.sight.absence import Absence
from spelunke.house.sight.look import look_at
from spelunke.house.sight.past import check_link, told_since
from spelunke.house.sight.sentences import say_note
from spelunke.house.sight.viewers import Viewer
