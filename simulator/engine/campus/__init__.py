"""The campus over a year: energy, its bill, water, carbon, and how fast it is built."""
