"""Games that are over, looked at again: replays, analyses, problems."""
