"""What commands write for people at a terminal."""

from typing import Any


def payoffs_line(game: Any, state: Any, payoffs: Any) -> str:
    """Every seat's payoff, in one line."""
    named = zip(game.spec.agent_names(state.settings), map(float, payoffs), strict=True)
    return "payoffs: " + ", ".join(f"{name} {value:+.2f}" for name, value in named)
