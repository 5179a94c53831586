"""Reliability: how often a job is interrupted, what that costs, and what a short outage of power costs."""
