"""Liar's Dice: hidden dice, and bids about all of them."""
