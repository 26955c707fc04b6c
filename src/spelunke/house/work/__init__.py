"""What the house does by itself when it is due."""
