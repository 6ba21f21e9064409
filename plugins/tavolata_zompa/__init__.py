"""Zompa Cavallo! (Jump Horse), a Christmas game of fiches and cards."""
