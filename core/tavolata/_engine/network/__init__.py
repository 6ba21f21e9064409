"""The way to a table: opening, joining, announcing, finding, identities, and the driver of the log."""
