"""Werewolf: hidden roles whose deeds a narrator judges."""
