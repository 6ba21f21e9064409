"""The scene: everything that one viewer may see of a table, as plain data that every frontend can draw."""
