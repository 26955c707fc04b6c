"""Records: the file of a game, its replay, the part that a seat may see, and the proof that its chance was fair."""
