"""How Shanghaien looks. No logic: a face draws what a view says."""
