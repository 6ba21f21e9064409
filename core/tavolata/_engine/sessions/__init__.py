"""Sessions: what a face of the program talks to, for a match in this process and what stands between."""
