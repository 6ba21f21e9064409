"""Sessions, the interface between a face of the program and a match or table."""
