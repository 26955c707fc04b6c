"""Tables that are being played: their places in memory, and what seats do."""
