"""What hosts of a house see and do, and what is stored about a person."""
