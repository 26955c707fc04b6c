"""Records: the file of a game, its replay, what of it a seat may see, and the proof that its chance was fair."""
