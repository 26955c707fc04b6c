"""Administration by hosts of the site, and the export and deletion of a person's data."""

from spelunke.house.hosting.closing import Closing
from spelunke.house.hosting.evenings import Evening, Evenings, write_calendar
from spelunke.house.hosting.figures import Figures, Measuring
from spelunke.house.hosting.health import Health, check_health
from spelunke.house.hosting.hosting import LINES_A_PAGE, Deed, DeedLine, Hosting
from spelunke.house.hosting.leaving import Leaving
from spelunke.house.hosting.registry import PEOPLE_A_PAGE, Group, Registry, State
from spelunke.house.hosting.reports import A_PAGE as REPORTS_A_PAGE
from spelunke.house.hosting.reports import Decision, Report, Reports
