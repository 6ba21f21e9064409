"""Four in a Row: a board game for two, with one question a turn and nothing hidden."""
