"""Measurements that people run by hand, `make bench`: they tell numbers, and fail nobody."""
