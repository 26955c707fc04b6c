"""The database, and what waiting for it takes: the writer, reads, leases, the bus between workers."""
