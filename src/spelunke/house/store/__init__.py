"""The store: tables in SQLite or PostgreSQL by one address, their migrations, and the thread that writes."""
