"""Shares of won matches, with their confidence intervals."""

from __future__ import annotations


def interval(wins: float, games: int) -> str:
    """Wilson's confidence interval of a share at 95 %, in percent."""
    z, share = 1.96, wins / games
    scale = 1 / (1 + z * z / games)
    middle = (share + z * z / (2 * games)) * scale
    reach = z * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5 * scale
    return f"{100 * share:.1f} % ({100 * (middle - reach):.1f} to {100 * (middle + reach):.1f})"
