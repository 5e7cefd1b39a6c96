"""Poop: The Game: its facts for everybody."""

from ...core.history import HISTORY
from ...core.spec import GameSpec, Option
from . import display, observation, parameters, record, rules, scenario
from .cards import EDITIONS

SPEC = GameSpec(
    name="poop",
    version=0,
    title="Poop: The Game",
    summary="Keep the table's total below the number on the toilet lid; the first empty hand wins.",
    parameters=parameters,
    rules=rules,
    observation=observation,
    scenario=scenario,
    display=display,
    num_actions=record.NUM_ACTIONS,
    min_players=2,
    max_players=record.SEATS,
    default_players=4,
    options=(
        Option("edition", "classic", "colours, actions of the Wilds and lids", choices=tuple(EDITIONS)),
        Option("variant", "classic", "the rulebook's game or one of its variants", choices=parameters.VARIANTS),
        Option(
            "duties",
            "automatic",
            "whether the actions of Wilds are always performed, or now and then forgotten (PG-16)",
            choices=("automatic", "forgetful"),
        ),
        Option("forget_probability", 0.1, "that a seat forgets its duties when it plays a card", 0, 1, assumed=True),
        Option("catch_probability", 0.5, "that this is noticed; 1 in blind_pooper, if forgetful", 0, 1, assumed=True),
        Option(
            "two_player_reverse",
            "none",
            "what a Reverse does between two players (PG-9)",
            choices=("none", "skip"),
            assumed=True,
        ),
        Option(
            "lid_itself",
            "over",
            "whether a total equal to the lid is too much in blind_pooper and super_pooper (PG-30)",
            choices=("over", "fits"),
            assumed=True,
        ),
        Option("drinking", False, "the drinking rules: drinks are counted (PG-29)"),
        Option("drink_weight", 0.0, "what a drink more than the average costs at the end", 0, 1000, assumed=True),
        Option("max_decisions", None, "decisions of a game; default 250 per player", 1, 1_000_000, assumed=True),
        Option(
            "slap_weights",
            None,
            "how likely each seat is to be the first who slaps (PG-26); default equal",
            read=parameters.read_weights,
            form=parameters.WEIGHTS_FORM,
            assumed=True,
        ),
        Option(
            "deck",
            None,
            "replaces the cards: how many of each",
            read=parameters.read_deck,
            form=parameters.DECK_FORM,
        ),
        Option(
            "toilet_deck",
            None,
            "replaces the toilets",
            read=parameters.read_toilets,
            form=parameters.TOILETS_FORM,
        ),
        HISTORY,
    ),
    sources=("Poop: The Game and Poop: The Game Party Pooper Edition, their common rules (Breaking Games, 2014)",),
    status="verified: compared decision by decision with an independent referee",
    variants={
        "default": {},
        "party_pooper": {"edition": "party_pooper"},
        "blind_pooper": {"variant": "blind_pooper"},
        "flushers_delight": {"variant": "flushers_delight"},
        "interceptor": {"variant": "interceptor"},
        "super_pooper": {"variant": "super_pooper"},
        "deep_doo_doo": {"variant": "deep_doo_doo"},
        "drinking": {"drinking": True, "drink_weight": 0.05},
        "forgetful": {"duties": "forgetful"},
        "blind_drinking_forgetful": {"variant": "blind_pooper", "drinking": True, "duties": "forgetful"},
    },
)
