"""The house: people, tables, clocks and bots on a database.

It knows no HTTP, and neither rules nor name of any game.
"""
