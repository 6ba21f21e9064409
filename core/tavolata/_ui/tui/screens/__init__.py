"""The screens, home and table, and the applications that show them."""
