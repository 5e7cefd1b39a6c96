"""The page docs/agents/belief.md: how much of the unknown a belief removes, per game and table.

``python docs/make/belief_page.py --measure`` plays and measures; without it the page is written from the figures beside
it, docs/agents/belief.json, and ``--check`` says whether it is what they give.
"""

import argparse
import itertools
import json
import pathlib
import sys
from typing import Any

import numpy as np

from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.agents.search.belief import REMEMBERED, Belief, can_rewind
from poopdeck.envs.core import registry
from poopdeck.envs.tables.context import context_of
from poopdeck.envs.tables.past import PastDecisions
from poopdeck.training.evaluation.intervals import mean_interval

FOLDER = pathlib.Path(__file__).parents[1] / "agents"
CANDIDATES, WAYS = 256, 64  # deals, and ways in which the true position is taken back
LOOKED_AT = 300  # decisions of a table, about
PLAYERS = (2, 4)  # at the tables


def measure(game_name: str, players: int, seated: str, models: list[str]) -> dict[str, Any]:
    """Bits by which the truth becomes likelier than an average deal that agrees with what a seat knows."""
    game = registry.game(game_name)
    settings = game.spec.settings(players)
    agent = load_agent(seated, game, settings)
    belief = Belief([load_agent(model, game, settings) for model in models])
    rng = np.random.default_rng(0)
    bits: list[float] = []
    sizes: list[float] = []
    games: list[int] = []
    seed = 0
    while len(bits) < LOOKED_AT:
        state, before = game.new_state(seed, players), PastDecisions(REMEMBERED)
        while not game.is_terminal(state):
            seat, mask = game.current_player(state), game.action_mask(state)
            if mask.sum() > 1 and rng.random() < 0.25:
                context = context_of(game, state, rng, False, before)
                truth = np.repeat(state.records, WAYS)
                truth["rng"] = rng.integers(0, 2**63, WAYS, dtype=np.uint64)
                dealt = context.positions(0, CANDIDATES, len(bits))
                logs = belief.log_weights(context, 0, np.concatenate([dealt, truth]))
                means = [np.logaddexp.reduce(part) - np.log(len(part)) for part in np.split(logs, [CANDIDATES])]
                bits.append((means[1] - means[0]) / np.log(2))
                weights = np.exp(logs[:CANDIDATES] - logs[:CANDIDATES].max())
                sizes.append(weights.sum() ** 2 / (weights**2).sum())
                games.append(seed)
            action = int(agent.act(game.observation(state, seat)[None], mask[None], rng)[0])
            before.note(state, seat, action)
            game.apply_action(state, action)
        seed += 1
    mean, low, high = mean_interval(np.array(bits), np.array(games))
    return {
        "game": game_name,
        "players": players,
        "seated": seated,
        "models": models,
        "bits": round(mean, 3),
        "ci": [round(low, 3), round(high, 3)],
        "likelier": round(float(np.mean(np.array(bits) > 0)), 3),
        "effective": round(float(np.median(sizes))),
        "decisions": len(bits),
        "games": seed,
    }


def measure_all() -> list[dict[str, Any]]:
    """All rows of the page: the right model, all heuristics together, and a table of the weaker heuristic."""
    rows = []
    able = [name for name in registry.names() if can_rewind(registry.game(name))]
    for name, players in itertools.product(able, PLAYERS):
        heuristics = [one for one in agent_names(registry.game(name)) if one.startswith("heuristic")]
        weaker = heuristics[-1]
        for seated, models in (("heuristic", ["heuristic"]), ("heuristic", heuristics), (weaker, heuristics),
                               (weaker, ["heuristic"])):  # fmt: skip
            print(f"{name}, {players} players: {seated}, taken for {' or '.join(models)}", flush=True)
            rows.append(measure(name, players, seated, models))
    return rows


def page(rows: list[dict[str, Any]]) -> str:
    """The page as Markdown."""
    able = [registry.spec(name).title for name in registry.names() if can_rewind(registry.game(name))]
    others = [registry.spec(name).title for name in registry.names() if not can_rewind(registry.game(name))]
    lines = [
        "# What others' decisions tell of their cards",
        "",
        "Written by `python docs/make/belief_page.py --measure`; the figures lie in [belief.json](belief.json).",
        "",
        "With `belief=particles` a searching agent weighs the positions that it deals by how likely the others' last",
        f"{REMEMBERED} decisions were if each of them were true: each position is taken back decision by decision,",
        "and the models are asked what they would have done. *Bits* say by how much the true position becomes likelier",
        "than an average deal that agrees with all that the seat knows, which is what search without a belief takes",
        "(0 bits); with 95 % intervals over games. *Effective* is how many of",
        f"{CANDIDATES} deals are left to count, at the median.",
        "A table is held out where those who sit there are none of the models; nothing is gained there, so a searcher",
        "that meets strangers should be given several models.",
        "",
        "| game | players | at the table | models | bits | truth likelier | effective | decisions, games |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["ci"]
        held_out = "" if row["seated"] in row["models"] else " (held out)"
        title, models = registry.spec(row["game"]).title, ", ".join(f"`{model}`" for model in row["models"])
        lines.append(
            f"| {title} | {row['players']} | `{row['seated']}`{held_out} | {models} "
            f"| {row['bits']:+.2f} [{low:+.2f}, {high:+.2f}] | {100 * row['likelier']:.0f} % | {row['effective']} "
            f"| {row['decisions']}, {row['games']} |"
        )
    lines += [
        "",
        f"Positions can be taken back in {' and '.join(able)}; in {' and '.join(others)} the same option changes",
        "nothing yet, and is as good as `belief=none`. What the bits are worth in games won is another question, which",
        "these figures do not answer.",
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Measures, writes or checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="play and measure anew")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    given = parser.parse_args()
    data, target = FOLDER / "belief.json", FOLDER / "belief.md"
    if given.measure:
        data.write_text(json.dumps(measure_all(), indent=1) + "\n", encoding="utf-8")
    text = page(json.loads(data.read_text(encoding="utf-8")))
    if given.check:
        current = target.read_text(encoding="utf-8") == text
        print("up to date" if current else f"{target} is not what {data} gives")
        return 0 if current else 1
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
