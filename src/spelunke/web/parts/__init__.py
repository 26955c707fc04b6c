"""Parts of pages, as typed functions that return escaped HTML."""
