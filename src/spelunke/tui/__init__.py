"""Play in the terminal on the whole screen: local games, and tables of a server over its HTTP API (docs/terminal.md)."""
