"""A table in a browser (`tt host --web`): an optional part, imported by nothing that does without it."""
