"""A peer at a table: what it says next, for its people, its bots and, where it must, for the table."""
