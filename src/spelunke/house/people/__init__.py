"""People: their names, logins, devices, passwords, passkeys, profiles, friends, vacations and bans."""

from spelunke.house.people.bans import FOR_GOOD, find_ban, is_shut_out, put_ban, refuse_shut_out
from spelunke.house.people.codes import hash_code, new_code, read_code, store_code, take_code
from spelunke.house.people.devices import (
    IDLE_MS,
    DeviceLine,
    Devices,
    Lasting,
    Visit,
    is_token,
    name_in_logs,
)
from spelunke.house.people.holds import Hold
from spelunke.house.people.key_changes import KeyChange, What, note_key_change
from spelunke.house.people.members import HOST, Doors, Members
from spelunke.house.people.passkeys import Place
from spelunke.house.people.passwords import GOOD, LEAST, MOST, grade
from spelunke.house.people.people import (
    LONGEST_NAME,
    NOBODY,
    People,
    call_names,
    call_person,
    check_name,
    clean_name,
    fold_name,
    keys_of,
    like_name,
)
from spelunke.house.people.portraits import COLOURS, FIGURES
from spelunke.house.people.profiles import Profile, Profiles, Shown, met_by, put_profiles, read_shown
from spelunke.house.people.ties import (
    Change,
    Company,
    TieLine,
    Ties,
    are_friends,
    check_company,
    friends_of,
    is_hosted_for,
    read_blocked,
    remove_ties,
)
from spelunke.house.people.vacations import Vacation, Vacations
