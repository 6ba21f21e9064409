"""Kinds of questions: each is one module, and the frontends know none of them, only their shapes."""
