"""Deals in a process of its own and says, as JSON, what came of it and what was compiled.

``python -m tiny_game`` deals; ``edit FILE OLD NEW`` edits a file first that is imported already; ``replace`` deals
with a rule replaced in this process, then puts it back; ``layouts`` climbs in records of the layouts that are named
(``narrow``, ``wide``), one after the other; ``all`` plays the dummy game through every interface instead.
"""

import gc
import json
import pathlib
import sys

import numpy as np

from poopdeck.envs.core import compiler, drivers
from tiny_game import rules, view

LAYOUTS = {"narrow": rules.STATE, "wide": compiler.layout(rng="u8", before="i8", value="i4")}


def counts() -> dict[str, int]:
    """Drivers taken from the cache, drivers compiled, rules compiled."""
    found = {"loaded": 0, "compiled": 0, "rules": 0}
    if not compiler.PLAIN_PYTHON:
        from numba.core.dispatcher import Dispatcher

        for thing in gc.get_objects():
            if isinstance(thing, Dispatcher) and "numba" not in thing.py_func.__module__:
                if thing.py_func.__qualname__.endswith("<locals>.run"):
                    hits = sum(thing.stats.cache_hits.values())
                    found["loaded"] += hits
                    found["compiled"] += len(thing.signatures) - hits
                else:
                    found["rules"] += len(thing.signatures)
    return found


def deal(driver=drivers.deal, layout=rules.STATE) -> int:
    """The number that is dealt."""
    states = np.zeros(1, layout)
    driver(rules, view)(states, 0)
    return int(states["value"][0])


def play_dummy() -> list:
    """The dummy game, through every interface."""
    sys.path.append(str(pathlib.Path(__file__).parents[2] / "docs" / "examples" / "new_game"))
    from highest_sum import SPEC

    from poopdeck.envs.adapters.aec import GameEnv
    from poopdeck.envs.adapters.vector import VectorEnv
    from poopdeck.envs.core.game import Game

    game = Game(SPEC)
    env, batch = GameEnv(game), VectorEnv(game, 3)
    env.reset(seed=1)
    batch.reset(seed=1)
    while env.agents:
        done = env.terminations[env.agent_selection]
        env.step(None if done else int(env.last()[0]["action_mask"].argmax()))
    for _ in range(20):
        batch.step(batch.mask.argmax(axis=1))
    s = game.resample(game.new_state(seed=1), 0, 1)
    game.apply_action(s, game.legal_actions(s)[0])
    return [batch.final_returns.tolist(), game.dump(s), game.returns(s).tolist(), game.observation(s, 1).tolist()]


@compiler.driver
def deal_again(rules, view):
    """Another driver over the same rule."""

    def run(states, i):
        rules.deal(states[i])

    return run


@compiler.driver
def climb(rules, view):
    """A driver over a rule that stays a function of its own in machine code."""

    def run(states, i):
        rules.climb(states[i], 9)

    return run


@compiler.rule
def triple(x):
    """In place of ``double``."""
    return 3 * x


def main(what: str = "deal", *details: str) -> None:
    """Does one of these things."""
    if what == "edit":
        path = pathlib.Path(details[0])
        path.write_text(path.read_text().replace(details[1], details[2]))
    if what == "replace":
        rules.double, kept = triple, rules.double
        assert deal() % 1000 == 15
        rules.double = kept
        answer = deal(deal_again)  # holds a rule that numba compiled while the other was in place
    elif what == "layouts":
        answer = [deal(climb, LAYOUTS[name]) for name in details]
    else:
        answer = play_dummy() if what == "all" else deal()
    print(json.dumps({"answer": answer, "counts": counts()}))


main(*sys.argv[1:])
