"""What a reader may know of a table: nothing else of it leaves the house."""
