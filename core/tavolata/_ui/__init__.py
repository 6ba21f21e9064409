"""The faces of a match and the words they speak."""
