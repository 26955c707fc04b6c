"""Play on the whole screen of a terminal: local games, and tables of a server over its HTTP API (docs/terminal.md)."""
