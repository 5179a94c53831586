"""The admin of the directory and of what is paid for."""

from sponsors.admin.placements import PlacementAdmin
from sponsors.admin.vendors import VendorAdmin

__all__ = ["PlacementAdmin", "VendorAdmin"]
