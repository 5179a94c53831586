"""The supply of power: from the utility through generators, UPS and conversions to the feeds of racks."""
