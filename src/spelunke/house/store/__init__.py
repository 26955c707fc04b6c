"""The database: its tables, its writer and its readers, leases, and the bus between workers.

The package also keeps the list of live workers, private files, the files with the server's keys, and the clock.
"""

from spelunke.house.store.bus import Change, open_bus
from spelunke.house.store.company_schema import (
    day_choices,
    day_plays,
    days,
    evenings,
    event_players,
    event_tables,
    events,
    own_problems,
    problem_ratings,
    ratings,
    reports,
    results,
    seeds,
    seeks,
    solvers,
    ties,
    vacations,
)
from spelunke.house.store.ending import Ending, HelpOf, RankOf, ReasonOf, write_ending
from spelunke.house.store.engine import (
    check,
    is_empty,
    lock_alone,
    migrate_database,
    open_engine,
    read_address,
)
from spelunke.house.store.files import FILE, keep_folder_private, keep_private, make_folder
from spelunke.house.store.key_file import keep_key, read_key
from spelunke.house.store.leases import Found, Leases
from spelunke.house.store.now import Now
from spelunke.house.store.reading import (
    WATCHING,
    read_facts,
    read_newest,
    read_newest_of,
    read_rows,
)
from spelunke.house.store.revealing import is_revealed, new_seed, read_seed
from spelunke.house.store.schema import (
    analyses,
    answers,
    bans,
    channels,
    chat,
    codes,
    deliveries,
    devices,
    due,
    house_log,
    house_settings,
    key_changes,
    letters,
    members,
    moves,
    notification_choices,
    notifications,
    outbox,
    passkeys,
    people,
    profiles,
    seats,
    tables,
)
from spelunke.house.store.store import PATIENCE_S, Store, insert_new, insert_or_update, touch
from spelunke.house.store.trouble import NOT_KNOWN
from spelunke.house.store.turnstile import Turnstile
from spelunke.house.store.waiting import call_away, run
from spelunke.house.store.workers import Worker, Workers
from spelunke.house.store.writer import Conflict, Write
