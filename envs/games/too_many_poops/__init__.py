"""Too Many Poops: its facts for everybody."""

from ...core.history import HISTORY
from ...core.spec import GameSpec, Option
from . import display, observation, parameters, record, rules, scenario
from .cards import ITEM_COUNTS, LITTER_NAMES, RIVALS

SPEC = GameSpec(
    name="too_many_poops",
    version=0,
    title="Too Many Poops",
    summary="Get ten points of cats into your home before ten poops lie in your litter box.",
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
        Option(
            "items",
            ITEM_COUNTS,
            "how many there are of each item; a name left out keeps its number",
            assumed=True,
            read=parameters.read_items,
            form=f"a mapping of item names to whole numbers from 0 to {record.MAX_COPIES}",
        ),
        Option(
            "rivals",
            RIVALS,
            "which cats are rivals",
            assumed=True,
            read=parameters.read_rivals,
            form="a list of pairs of cats, no cat in two of them and no rainbow cat",
        ),
        Option(
            "litters",
            list(LITTER_NAMES),
            "what the litters are called in words, pictures and names of actions; scenarios keep their words",
            assumed=True,
            read=parameters.read_litters,
            form="a list of six different names",
        ),
        Option("optional_draw", False, "drawing may end before the hand has six cards (TM-4)"),
        Option("golden_poople", False, "poops are drawn from a pouch with the golden poople in it (TM-21)"),
        Option("rainbow_cats", 4, "rainbow cats in the deck", 0, record.MAX_RAINBOWS),
        Option("max_decisions", None, "decisions of a game; default 150 per player", 1, 1_000_000, assumed=True),
        HISTORY,
    ),
    sources=("Too Many Poops, rulebook of the card game's makers",),
    status="verified: compared decision by decision with an independent referee",
    variants={
        "default": {},
        "golden_poople": {"golden_poople": True},
        "optional_draw": {"optional_draw": True},
        "many_rainbows": {"rainbow_cats": 8},
        "reactions": {"items": {"hiss": 9, "closed door": 8, "bad fish": 0}},
    },
)
