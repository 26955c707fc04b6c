"""What every board is made of: the scene that it shows, and HTML with everything escaped."""
