"""Files that outlive the process: matches, the agreed log, history, ratings, small JSON files."""
