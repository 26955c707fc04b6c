"""Records of games: their files and replays, the part that a seat may see, and the proof of fair chance."""
