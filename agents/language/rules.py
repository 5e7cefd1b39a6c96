"""The rules of a game as a text for a language model, with the parameters in force.

The rules themselves are taken from the game's page by ``docs/make`` and lie beside this file.
"""

import pathlib
import re
from typing import Literal, get_args

from ...envs.core.game import Game
from ...envs.core.spec import Settings, option_text
from .answers import FORM

RULES = pathlib.Path(__file__).parent / "rules"
Extent = Literal["short", "full", "none"]
SENTENCE = re.compile(r"(?<=[.])\s+(?=[A-Z`])")
OF_VARIANT = re.compile(r"[A-Z]+-\d+: `(\w+)`:")
SENTENCES = 2  # of each rule, where they are told shortly


def check_extent(rules: str) -> str:
    """The value; ValueError if it is none of those allowed."""
    if rules not in get_args(Extent):
        raise ValueError(f"rules={rules!r}: allowed is {' or '.join(map(repr, get_args(Extent)))}")
    return rules


def system_text(game: Game, settings: Settings, rules: str = "short") -> str:
    """What a model is told before a game: what it plays, the rules, the parameters in force, and how to answer.

    ``rules`` is "short" (the first two sentences of each), "full" or "none".
    """
    spec = game.spec
    parts = [f"You play {spec.title}. {spec.summary}"]
    written = in_force(rules_text(spec.name), game, settings)
    if check_extent(rules) != "none" and written:
        parts.append("Rules:\n" + (shortened(written) if rules == "short" else written))
    roles = "; ".join(f"{role.name}: {role.meaning}" for role in spec.roles)
    values = ", ".join(f"{name}={option_text(value)}" for name, value in settings.items())
    parts += [f"Roles: {roles}.", f"Parameters of this game: {values}."]
    low, high = spec.parameters.payoff_bounds(settings)
    parts.append(f"Your payoff lies between {low:g} and {high:g}; make it as high as you can.")
    parts.append(f"Whenever you are asked, think as you like, then {FORM}. Name exactly one action.")
    return "\n\n".join(parts)


def rules_text(name: str) -> str:
    """The rules of a game, one a line, as its page has them; empty for a game without a page."""
    path = RULES / f"{name}.txt"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def in_force(rules: str, game: Game, settings: Settings) -> str:
    """The rules without those that begin with the name of a choice that these settings have not made."""
    chosen = {choice: settings[option.name] for option in game.spec.options for choice in option.choices}

    def holds(line: str) -> bool:
        found = OF_VARIANT.match(line)
        return found is None or found[1] not in chosen or chosen[found[1]] == found[1]

    return "\n".join(filter(holds, rules.splitlines()))


def shortened(rules: str) -> str:
    """The beginning of every rule."""
    return "\n".join(" ".join(SENTENCE.split(line)[:SENTENCES]) for line in rules.splitlines())
