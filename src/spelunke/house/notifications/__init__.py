"""Notifications: messages to people who are not looking at a table, and the channels that deliver these
messages.

For the reasons, see docs/why/notifications.md.
"""

from spelunke.house.notifications.addresses import read_allowed
from spelunke.house.notifications.channels import ChannelLine, Choices
from spelunke.house.notifications.outside import MailServer, Outside
from spelunke.house.notifications.quiet import read_time, write_time, zones
from spelunke.house.notifications.room import Notifications
from spelunke.house.notifications.services import check_services
