"""The ladder: one power from the chip to the grid, and what each rung adds to it."""
