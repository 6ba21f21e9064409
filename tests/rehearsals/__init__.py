"""Whole evenings of a family, with every machine in one process, in virtual time, from one seed."""
