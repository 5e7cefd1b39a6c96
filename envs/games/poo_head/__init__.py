"""Poo Head: its facts for everybody."""

from ...core.history import HISTORY
from ...core.spec import GameSpec, Option
from . import display, observation, parameters, record, rules, scenario

SPEC = GameSpec(
    name="poo_head",
    version=0,
    title="Poo Head",
    summary="Shed all your cards; the last player holding any is the Poo Head.",
    parameters=parameters,
    rules=rules,
    observation=observation,
    scenario=scenario,
    display=display,
    num_actions=rules.NUM_ACTIONS,
    min_players=2,
    max_players=25,
    default_players=4,
    options=(
        Option("poo_heads", 4, "Poo Head cards per deck", 0, record.MAX_SPECIALS, assumed=True),
        Option("bombs", 4, "Bombs per deck", 0, record.MAX_SPECIALS, assumed=True),
        Option("voluntary_pickup", False, "the pile may be taken although something else is legal (PH-9)"),
        Option("scoring", "loser", "one round with a loser, or a match for points", choices=("loser", "points")),
        Option("reward", "winner", "of a match: the winner's payoff, or its points", choices=("winner", "points")),
        Option("target", None, "points that end a match; default 7, with two players 11", 1, 1000),
        Option(
            "max_decisions",
            None,
            "decisions of a round; default 1,000 per player",
            1,
            1_000_000,
            assumed=True,
        ),
        Option("max_rounds", 31, "rounds of a match at most", 1, 1000, assumed=True),
        HISTORY,
    ),
    sources=("Poo Head, rules and instructions of the card game's makers",),
    status="verified: compared decision by decision with an independent referee",
    variants={
        "default": {},
        "points": {"scoring": "points"},
        "points_reward": {"scoring": "points", "reward": "points"},
        "voluntary_pickup": {"voluntary_pickup": True},
    },
)
