"""The core of the site: people, tables, clocks and bots, stored in a database.

The package serves no pages, and depends on no particular game.
"""
