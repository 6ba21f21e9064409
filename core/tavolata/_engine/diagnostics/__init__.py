"""Diagnostics for `tt doctor`: the network and the folders of this machine."""
