"""The toolkit of boards: the scene that a board shows, and templates for HTML that escape all values."""
