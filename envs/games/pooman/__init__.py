"""Pooman: its facts for everybody."""

from ...core.history import HISTORY
from ...core.spec import GameSpec, Option, Role
from . import display, observation, parameters, record, rules, scenario

SPEC = GameSpec(
    name="pooman",
    version=0,
    title="Pooman",
    summary="Collect five brown stars before the cards run out, while the Pooman hunts you.",
    parameters=parameters,
    rules=rules,
    observation=observation,
    scenario=scenario,
    display=display,
    num_actions=record.NUM_ACTIONS,
    min_players=2,
    max_players=record.MAX_PLAYERS,
    default_players=3,
    options=(
        Option("chase", "grid", "a run around a room, or off: cards are lost at once", choices=("grid", "off")),
        Option(
            "counts",
            None,
            "the deck by kind of card; a kind left out keeps its default",
            read=parameters.read_counts,
            form=parameters.COUNTS_FORM,
            assumed=True,
        ),
        Option("room_size", 11, "columns and rows of the room", 2, 100, assumed=True),
        Option("start_distance", 4, "steps from the Pooman to the players at the start", 1, 149, assumed=True),
        Option("pooman_speed", 2, "choices of the Pooman in a tick", 1, record.MAX_SPEED, assumed=True),
        Option("player_speed", 1, "choices of a player in a tick", 1, record.MAX_SPEED, assumed=True),
        Option("chase_ticks", 10, "ticks of a chase by the Pooman", 1, 1000),
        Option("pooperman_ticks", 20, "ticks of a chase by The Pooperman", 1, 1000),
        Option("freeze_ticks", 5, "ticks that a Poocicle freezes the Pooman", 1, 1000),
        Option("empty_handed_run", False, "players without cards are in the chase, too (PM-20)", assumed=True),
        Option("pooperman_unstoppable", False, "without the chase nothing stops The Pooperman (PM-21)"),
        Option("max_decisions", 5000, "decisions of a game", 1, 1_000_000, assumed=True),
        HISTORY,
    ),
    labels=(Option("pooman_seat", None, "who plays the Pooman, in a series of games (PM-23)", 0, 2**31 - 1),),
    sources=("Pooman, the rulebook in the card game's box",),
    status="verified: compared decision by decision with an independent referee",
    roles=(
        Role("player", "collects stars and runs from the Pooman"),
        Role("pooman", "hunts the players; wins when the cards run out"),
    ),
    extra_roles=("pooman",),
    variants={
        "default": {},
        "quiet": {"chase": "off"},
        "unstoppable": {"chase": "off", "pooperman_unstoppable": True},
        "everybody_runs": {"empty_handed_run": True},
        "home_made": {"counts": {"balancer": 4}},
        "home_made_quiet": {"chase": "off", "counts": {"balancer": 3}},
        "fast": {"room_size": 7, "start_distance": 3, "pooman_speed": 3, "player_speed": 2},
    },
)
