"""The shelf under the interfaces of others. Generic: a new game is there without a line here."""
