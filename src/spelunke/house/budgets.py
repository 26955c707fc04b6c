"""Sizes and lifetimes of the caches of the house and its pages.

The table below lists all caches except some small ones with a fixed number of entries. It has five columns:

- *content*: the cached data
- *class*: the class or module with the cache
- *visible to, and key*: the people who may see an entry. In parentheses: the reason for this. After a colon: the
  entry's key, if it does not follow from the content. `Knowledge` is the facts about a reader that decide what the
  reader sees. One `Knowledge` means: all readers whose `Knowledge` is equal.
- *removed*: the reasons for which an entry is removed. *Elsewhere* means: if another worker process makes the change,
  the entry is removed after `NAME_S` seconds.
- *limit*: the limit of the cache's size. *Its table's* means: the entry is part of a table in memory, and is removed
  with the table.

| content | class | visible to, and key | removed | limit |
|---|---|---|---|---|
| tables, replayed | `TableStore` | everybody | least recently used | `TABLES` |
| names of people | `People` | everybody: the id | new name, removal; elsewhere `NAME_S` | `PEOPLE` |
| the person of a cookie or token | `Site` | its bearer | least recently used | `TOKENS` |
| the person of a device's token | `Devices` | its bearer: the hash | logout, 4 min; elsewhere `NAME_S` | `DEVICES` |
| unread notifications | `Inbox` | the recipient: the id | new or read; elsewhere `NAME_S` | `UNREAD` |
| seats that programs play | `Showing` | everybody: the table and the person | least recently used | `MARKED` |
| the match after an entry of the log | `Moment` | nobody (pages are made from it) | the next entry | its table's |
| presence at seats | `Presence` | everybody (nothing in it is hidden) | a new sighting, or a timeout | its own limit |
| names, data to verify chance | `Table.by_facts` | a seat, or all | the table's stored data change | its table's |
| a viewer's log, hash chain, view | `Noticed` | a seat, or all spectators | the view: next entry | its table's |
| cards on the table | views of open games | everybody: the place of each card | least recently used | `VIEWED` |
| start and end of the newest round | `Table` | nobody (views are made from it) | the next round | its table's |
| sentences of the log | `Noticed` | a seat, or all spectators: language, names | the end of the game | its table's |
| parts of pages, messages | `Renderings` | one `Knowledge`: it, language, address | see `RENDERED_S` | `RENDERINGS` |
| rarely changing parts of pages | `draw_once` | a seat, or all: table, seat, language | least recently used | `DRAWN` |
| parts of boards, data | `Sheet` | a seat, or all: table, seat, language | redrawn; least recently used | `DRAWN` |
| short texts as HTML | `escape` | everybody: the text itself | all entries, at the limit | 8,192 texts |
| finished games | `Replays` | everybody (nothing is hidden any more) | least recently used | `COURSES` |
| proofs of records | `Replays` | everybody | least recently used | `VERDICTS` |
| analyses of finished games | `Analyses` | everybody | least recently used | `ANALYSES` |
| a device's own analyses | `OwnAnalyses` | its owner: the person | least recently used | `OWN_ANALYSES` |
| parts of these analyses | `OwnAnalyses` | nobody (analyses are made from them) | `RESULTS_S` | `RESULTS` |
| games that gave no problem | `OwnProblems` | the searcher: person, table | least recently used | `SEARCHED` |
| judgements of positions | `Judging` | everybody: the position | least recently used | `JUDGEMENTS` |
| lines of the log as HTML | `Renderings` | one `Knowledge`: it, language | earlier lines change | `RENDERINGS` |
| preview pictures of links | `web.picture_pages` | everybody: the drawing itself | least recently used | `PICTURES` |
| files, compressed | `web.compressing` | everybody: the file itself | the end of the process | its files |

A key contains everything on which the entry depends. So nobody receives another person's data, and nobody can
infer such data from the time of an answer. Most entries that are not removed with their table are in
a :class:`Cache`. Its limits are estimates in bytes.
"""

from __future__ import annotations

TABLES = 256 << 20
PEOPLE = 8 << 20
TOKENS = 8 << 20
DEVICES = 8 << 20
UNREAD = 4 << 20
MARKED = 1 << 20
RENDERINGS = 64 << 20
COURSES = 64 << 20
VERDICTS = 1 << 20
ANALYSES = 16 << 20
OWN_ANALYSES = 16 << 20
RESULTS = 16 << 20
SEARCHED = 4 << 20
JUDGEMENTS = 8 << 20
PICTURES = 16 << 20
NAME_S = 5.0
"""The seconds for which another worker may still show an old name, or accept a token that is no longer valid."""
RENDERED_S = 1.0
"""The longest time, in seconds, for which a rendering is used again.

It is short, because the rendering shows the time left.
"""
