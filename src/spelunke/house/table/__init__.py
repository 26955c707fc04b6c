"""A table by itself: what is stored of it, its game as replayed from the log, clocks, what is due. No database."""
