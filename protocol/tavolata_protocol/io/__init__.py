"""Input and output: sockets, clocks and random bytes; everything else in the package is pure."""
