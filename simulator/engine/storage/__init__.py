"""Storage: what a checkpoint weighs, how long it takes to write, and what accelerators lose while they wait."""
