"""The fabric: how many switches and cables join accelerators, and how fast they then talk."""
