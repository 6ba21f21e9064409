"""How a match runs: sources of chance and answers, the log, snapshots, files. Private to Tavolata."""
