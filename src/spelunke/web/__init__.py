"""The web layer: pages, JSON API and live streams for `spelunke.house`.

This layer has no rules and names no game. It gets boards, texts and options from each game's definition.
"""
