"""The core of the site: people, tables, clocks and bots, stored in a database.

The package depends neither on HTTP nor on any particular game.
"""
