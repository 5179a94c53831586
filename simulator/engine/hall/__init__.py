"""Rows and halls: how many racks their caps let in, and what cooling them takes."""
