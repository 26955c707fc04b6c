"""Bots, which see a view and nothing else."""
