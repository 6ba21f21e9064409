"""The thin part that touches sockets, clocks and chance; everything else in the package is pure."""
