"""Functions that draw parts of pages. They take typed arguments and return escaped HTML."""
