"""The web site of the house: pages, JSON API and live streams over `spelunke.house`.

This layer contains no rules and names no game: boards, texts and options come from each game's definition.
"""
