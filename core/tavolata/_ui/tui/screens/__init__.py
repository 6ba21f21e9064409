"""Screens: home and table, and the application that holds them."""
