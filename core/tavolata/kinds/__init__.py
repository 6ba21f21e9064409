"""Kinds of questions: each is one module, and the faces know none of them, only their shapes."""
