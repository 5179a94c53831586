"""What each layer is asked for, in the words of both APIs."""

LAYERS_ABOUT = {
    "supply": "Run the electrical tree from phase to utility: load and capacity of each tier, and which one binds.",
    "hall": "Fill a hall with racks under its caps: what finds a place, which cap binds, heat, air, PUE and WUE.",
    "fabric": "Size a fabric: switches, links and cables of two or three tiers, rails and planes, cost and power.",
    "storage": "Size checkpoints and feed: how long a write takes, and how long accelerators wait for it.",
    "reliability": "Ask how often a job stops, how often to save it, and what an outage costs.",
    "campus": "Ask what a campus takes in a year: energy, bill, water, carbon, and how long it takes to build.",
    "throttle": "Ask how warm a chip gets, and at which inlet, flow and power it lowers its clock.",
    "ladder": "Climb from the chip to the grid: the power at each rung, and what is lost between them.",
}

KIND_NAMES = {
    "rack": "Rack",
    "supply": "Electrical tree",
    "hall": "Hall",
    "fabric": "Fabric",
    "storage": "Storage",
    "reliability": "Reliability",
    "campus": "Campus",
    "throttle": "Throttling",
    "ladder": "Ladder",
}
"""What a question is called in front of people."""
KIND_CHOICES = list(KIND_NAMES.items())

HEADLINES = {
    "rack": "density_kw",
    "supply": "grid_kw",
    "hall": "facility_load_kw",
    "fabric": "switches_count",
    "storage": "checkpoint_write_s",
    "reliability": "ettr_fraction",
    "campus": "facility_energy_kwh",
    "throttle": "chip_c",
    "ladder": "grid_over_chips",
}
"""The number that a list shows of a report of each kind."""
