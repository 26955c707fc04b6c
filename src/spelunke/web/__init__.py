"""The web site of the house: pages, JSON API and live streams over `spelunke.house`.

Nothing here knows a rule or names a game: boards, words and options come from each game's definition.
"""
