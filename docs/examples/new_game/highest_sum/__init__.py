"""A small game that is registered nowhere, written as somebody else would write theirs.

Highest Sum: everybody lays both hand cards, drawing in between while cards are left; the highest sum alone wins.
"""

from poopdeck.envs.core.history import HISTORY
from poopdeck.envs.core.spec import GameSpec, Option

from . import cards, display, observation, parameters, record, rules, scenario

SPEC = GameSpec(
    name="highest_sum",
    version=3,
    title="Highest Sum",
    summary="Lay cards; the highest sum alone wins.",
    parameters=parameters,
    rules=rules,
    observation=observation,
    scenario=scenario,
    display=display,
    num_actions=record.NUM_ACTIONS,
    min_players=2,
    max_players=4,
    default_players=3,
    options=(
        Option("kinds", 4, "kinds of cards, three of each", 4, cards.MAX_KINDS),
        Option("max_decisions", 40, "decisions of a game", 1, 1000),
        HISTORY,
    ),
    sources=("made up",),
    status="for tests",
    variants={"default": {}, "short": {"max_decisions": 5}},
)
