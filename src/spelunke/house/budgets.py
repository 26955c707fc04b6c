"""What the house keeps so that it need not be worked out twice: what, for whom, until when, and how much at most.

| kept | where | for whom: its key | until | at most |
|---|---|---|---|---|
| tables, replayed | `TableStore` | everybody | used longest ago | `TABLES` |
| names of people | `People` | everybody: the id | renamed or removed; by another worker: `NAME_S` | `PEOPLE` |
| who a cookie or a token is | `Site` | who shows it | used longest ago | `TOKENS` |
| who a device's token is | `Devices` | who shows it: its hash | ended, an hour; elsewhere `NAME_S` | `DEVICES` |
| how much a person has not read | `Inbox` | that person: the id | told, read; by another worker: `NAME_S` | `UNREAD` |
| what is asked after a row | `Moment` | everybody: nothing there is hidden | the next row | its table's |
| who is at a seat | `Presence` | everybody: nothing there is hidden | somebody is heard of, or time passes | its most |
| names, what proves chance | `Table.by_facts` | a seat, or all | the facts change | its table's |
| what was noticed, links, the view | `Noticed` | a seat, or all spectators | the view: the next row | its table's |
| cards that lie open | views of an open game | everybody: where all cards lie | used longest ago | `VIEWED` |
| where the newest round began and ended | `Table` | nobody: views are made of it | the next round | its table's |
| told lines of the log | `Noticed` | the same, by language and names | the end of the game | its table's |
| parts of pages, messages | `Renderings` | one `Knowledge`, language, address | see `RENDERED_S` | `RENDERINGS` |
| parts of pages that seldom change | `draw_once` | one table, seat, language | used longest ago | `DRAWN` |
| parts of boards, with what they read | `Sheet` | one table, seat, language | drawn anew; used longest ago | `DRAWN` |
| short texts as HTML | `escape` | everybody: the text itself | there are too many | 8,192 texts |
| finished games in all positions | `Replays` | everybody: nothing is hidden any more | used longest ago | `COURSES` |
| what proves a record | `Replays` | everybody | used longest ago | `VERDICTS` |
| analyses of finished games | `Analyses` | everybody | used longest ago | `ANALYSES` |
| judgements of positions | `Judging` | everybody: the position | used longest ago | `JUDGEMENTS` |
| lines of the log as HTML | `Renderings` | one `Knowledge` and language | lines before it change | `RENDERINGS` |
| files, compressed | `web.compressing` | everybody: the file itself | the end of the process | its files |

A key holds all that what is kept may rest on, so that nobody is handed what somebody else knows, and nobody's wait
tells what they can't know. What belongs to a table goes with it; the rest is a :class:`Cache`. Bytes are estimates.
"""

from __future__ import annotations

TABLES = 256 << 20
PEOPLE = 8 << 20
TOKENS = 8 << 20
DEVICES = 8 << 20
UNREAD = 4 << 20
RENDERINGS = 64 << 20
COURSES = 64 << 20
VERDICTS = 1 << 20
ANALYSES = 16 << 20
JUDGEMENTS = 8 << 20
NAME_S = 5.0
"""How long another worker may show the name that somebody has given up, or take a device that was ended."""
RENDERED_S = 1.0
"""What was drawn is shown while its reader's version and stamp stay, but so long at most: it tells the time left."""
