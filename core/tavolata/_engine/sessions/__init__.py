"""Sessions, the interface between a frontend of the program and a match or table."""
