"""Tables until they start, and lists of them."""
