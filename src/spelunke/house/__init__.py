"""The house: people, tables, clocks and bots on a database. It knows no rules, no HTTP and no game by name."""
