"""The web layer: pages, JSON API and live streams for `spelunke.house`.

This layer contains no rules and names no game: boards, texts and options come from each game's definition.
"""
