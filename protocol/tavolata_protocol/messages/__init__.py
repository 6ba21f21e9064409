"""The typed messages on the wire, with one module for each layer."""
