"""Heirs: how long do you stay in a haunted house?"""
