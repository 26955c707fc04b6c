"""The visible part of a table for each reader: nothing else of it leaves the server."""

from spelunke.house.sight.absence import Absence
from spelunke.house.sight.look import look_at
from spelunke.house.sight.past import check_link, told_since
from spelunke.house.sight.sentences import say_note
from spelunke.house.sight.viewers import Viewer
