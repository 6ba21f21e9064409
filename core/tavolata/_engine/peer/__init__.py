"""A peer at a table, which acts for its people, its bots and, as the coordinator, for the table."""
