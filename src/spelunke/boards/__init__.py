"""The toolkit of boards: the scene that a board shows, and HTML with everything escaped."""
