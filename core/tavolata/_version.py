"""The versions of program and API, alone in their module so that `tt --version` imports nothing else."""

__version__ = "0.1.0"
API = 1
"""The version of the API for authors; names and signatures last as long as Tavolata 1.x."""
