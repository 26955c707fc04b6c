"""The house as a web site: pages, JSON API and live streams over `spelunke.house`.

Nothing here knows a rule or names a game: boards, words and options come from each game's card.
"""
