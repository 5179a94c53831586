"""By which quantities facts are narrowed, in REST and in GraphQL."""

IN_USE = {
    "power": ("power", "W"),
    "energy": ("energy", "J"),
    "weight": ("mass", "kg"),
    "length": ("length", "m"),
    "airflow": ("volume_flow", "m3/h"),
    "height": ("rack_units", "U"),
}
"""A name -> what it measures, and the base unit of that."""
