"""The pages docs/levels/GAME.md: how strong the opponents are that come with the package.

``python docs/make/levels_page.py --measure`` plays what is not there yet, table by table, and keeps the figures in
docs/levels/GAME.json and the ladders in training/evaluation/ladder.json. ``--only GAME`` measures one game, ``--parts``
some parts, ``--again PART`` one part anew, of ``ladder``, ``best``, ``held_out``, ``expert`` and ``responses``. Without
``--measure`` the pages are written from the figures, and ``--check`` says whether they are what the figures give.
"""

import argparse
import json
import pathlib
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from poopdeck.agents.levels.level import EASY, EXPERT, HARD, MEDIUM
from poopdeck.agents.levels.weights import find_shipped, shipped
from poopdeck.agents.loading import agent_names, load_agent
from poopdeck.envs.core import registry
from poopdeck.envs.core.game import Game
from poopdeck.envs.core.spec import Settings
from poopdeck.training.benchmark.exploit import exploit
from poopdeck.training.evaluation import ladder as ladders
from poopdeck.training.evaluation.evaluate import Evaluation, evaluate
from poopdeck.training.evaluation.ladder import Ladder, read_ladders
from poopdeck.training.evaluation.ladder_making import make_ladder, rung_names, with_slow_rung
from poopdeck.training.evaluation.pair_games import Table
from poopdeck.training.storage.plain_json import json_text

FOLDER = pathlib.Path(__file__).parents[1] / "levels"
PARTS = ("ladder", "best", "held_out", "expert", "responses")
LADDER_GAMES, GAMES, EXPERT_GAMES, RESPONSE_SAMPLES = 10_000, 10_000, 48, 1_000_000
SEED = 90_000


def tables(game: Game) -> Iterator[tuple[str, int]]:
    """Variant and players of every table that is measured: from two players to the usual number."""
    for players in range(game.spec.min_players, game.spec.default_players + 1):
        yield "default", players
    for one in shipped(game.spec):
        for variant in one.facts["variants"]:
            if variant != "default":
                yield variant, one.facts["players"]


def key(variant: str, players: int) -> str:
    """What a table is called among the figures."""
    return f"{variant} {players}"


def figures_of(found: Evaluation) -> dict[str, Any]:
    """The game's first rate, with truncated games as its loss, and the payoff."""
    rates = [name for name in found.rates if f"{name}_ci" in found.rates]
    name = rates[0] if rates else ""
    counted = f"{name}_or_truncated" if name == "loss_rate" else name
    return {
        "role": found.role,
        "rate": counted,
        "value": round(found.rates[counted], 4),
        "interval": [round(value, 4) for value in found.rates[f"{counted}_ci"]],
        "payoff": round(found.mean_payoff, 4),
        "truncated": round(found.truncated_share, 4),
        "games": found.games,
        "ms": round(1000 * found.seconds / max(found.mean_length * found.games, 1), 4),
    }


def roles_of(game: Game, settings: Settings) -> list[str | None]:
    """Each role, or None where there is one."""
    known = sorted(set(game.spec.seat_roles(settings)))
    return [game.spec.roles[role].name for role in known] if len(known) > 1 else [None]


class Measuring:
    """One game's figures, kept after every part."""

    def __init__(self, name: str, networks: pathlib.Path | None, parts: Sequence[str], again: str | None):
        self.game, self.networks, self.parts, self.again = registry.game(name), networks, parts, again
        self.path = FOLDER / f"{name}.json"
        self.kept: dict[str, Any] = json.loads(self.path.read_text("utf-8")) if self.path.is_file() else {}

    def run(self) -> None:
        """Whatever is not there yet."""
        for variant, players in tables(self.game):
            settings = self.game.spec.variant_settings(variant, players)
            entry = self.kept.setdefault(key(variant, players), {"variant": variant, "players": players})
            for part in self.parts:
                if part in entry and part != self.again:
                    continue
                began = time.perf_counter()
                entry[part] = getattr(self, f"measure_{part}")(variant, players, settings)
                if entry[part] is None:
                    del entry[part]
                self.path.write_text(json_text(self.kept, 1) + "\n", encoding="utf-8")
                print(
                    f"{self.game.spec.name} {variant} {players} {part}: {time.perf_counter() - began:.0f} s", flush=True
                )

    def measure_ladder(self, variant: str, players: int, settings: Settings) -> Any:
        """Into the file that is shipped; here only its number of games."""
        table = Table(self.game, settings, 1)
        made = make_ladder(table, variant, rung_names(self.game, settings), LADDER_GAMES, SEED)
        _keep_ladder(made)
        return {"games": made.games}

    def measure_best(self, variant: str, players: int, settings: Settings) -> Any:
        """Every level that does not search at the best heuristic's table, in every role."""
        levels = [EASY, MEDIUM, *([HARD] if find_shipped(self.game.spec, settings) else [])]
        return {level: self._at(level, MEDIUM, settings, GAMES, SEED + 1) for level in levels}

    def measure_held_out(self, variant: str, players: int, settings: Settings) -> Any:
        """``medium`` and ``hard`` at tables of agents that ``hard`` was not trained with."""
        found = find_shipped(self.game.spec, settings)
        if found is None:
            return None
        met = {entry["agent"] for entry in found.facts["config"]["opponents"]}
        strangers = [name for name in agent_names(self.game) if name not in (*met, "heuristic", "random")]
        place = f"{self.game.spec.name}_{players}p_{variant}_s"
        own = f"{place}{found.facts['seed']}"
        others = sorted(path.name for path in self.networks.glob(f"{place}*") if path.is_dir()) if self.networks else []
        strangers += [str(self.networks / name) for name in others if name != own and self.networks]
        return {
            pathlib.Path(stranger).name: {
                level: self._at(level, stranger, settings, GAMES // 2, SEED + 2) for level in (MEDIUM, HARD)
            }
            for stranger in strangers
        }

    def measure_expert(self, variant: str, players: int, settings: Settings) -> Any:
        """``expert`` at mixed tables, which puts it on the ladder, and at the best heuristic's table."""
        if variant != "default":
            return None
        table = Table(self.game, settings, 1)
        ladder = _ladder(self.game.spec.name, variant, players).without([EXPERT])
        made, _ = with_slow_rung(table, ladder, EXPERT_GAMES, SEED + 3)
        _keep_ladder(made)
        return {"games": EXPERT_GAMES, **{EXPERT: self._at(EXPERT, MEDIUM, settings, EXPERT_GAMES, SEED + 4)}}

    def measure_responses(self, variant: str, players: int, settings: Settings) -> Any:
        """What a learner from nothing gains on each level, at the game's usual table."""
        if (variant, players) != ("default", self.game.spec.default_players):
            return None
        found = {}
        levels = [MEDIUM, *([HARD] if find_shipped(self.game.spec, settings) else [])]
        for level in levels:
            for role in roles_of(self.game, settings):
                with tempfile.TemporaryDirectory() as folder:
                    out, place = pathlib.Path(folder) / "run", {"players": players}
                    gain = exploit(level, self.game, place, out, samples=RESPONSE_SAMPLES, role=role)
                found[f"{level} {role or ''}".strip()] = gain.to_json()
        return found

    def _at(self, name: str, others: str, settings: Settings, games: int, seed: int) -> list[dict[str, Any]]:
        agent, table = load_agent(name, self.game, settings), [load_agent(others, self.game, settings)]
        found = []
        for role in roles_of(self.game, settings):
            found.append(figures_of(evaluate(self.game, settings, agent, table, games, seed, 1, role=role)))
        return found


def _ladder(name: str, variant: str, players: int) -> Ladder:
    return next(one for one in read_ladders() if (one.game, one.variant, one.players) == (name, variant, players))


def _keep_ladder(made: Ladder) -> None:
    """Puts a ladder into the file in place of the one of the same table."""
    place = (made.game, made.variant, made.players)
    kept = [one for one in read_ladders() if (one.game, one.variant, one.players) != place]
    entries = sorted([*kept, made], key=lambda one: (one.game, one.variant != "default", one.variant, one.players))
    lines = ",\n".join(json.dumps(one.to_json(), allow_nan=False) for one in entries)
    ladders.PATH.write_text(f'{{"format": "{ladders.FORMAT}", "ladders": [\n{lines}\n]}}\n', encoding="utf-8")


def page(name: str, kept: dict[str, Any]) -> str:
    """The page of a game."""
    game = registry.game(name)
    lines = [
        f"# {game.spec.title}: the levels",
        "",
        "How strong the opponents are that come with the package: `easy`, `medium`, `hard` and `expert`, as the",
        "[guide](../guide.md#levels) tells. Written by `python docs/make/levels_page.py`, measured by the same with",
        "`--measure`. All intervals are of 95 % over deals, every deal played once from each seat.",
        "",
        "Ratings are on Elo's scale with `medium`, the best heuristic, at 1,000: 100 points more win 64 % of the",
        "decided pairs of seats. *Beats the one below* is the share of the decided pairs won against the rung below at",
        "mixed tables. `expert` searches 100 ms a move on one core; where it has a row, that is of "
        f"{EXPERT_GAMES} games,",
        "and [search](../agents/search.md) tells more.",
        "",
    ]
    for entry in kept.values():
        lines += _table(game, entry)
    return "\n".join(lines).rstrip() + "\n"


def _table(game: Game, entry: dict[str, Any]) -> list[str]:
    variant, players = entry["variant"], entry["players"]
    settings = game.spec.variant_settings(variant, players)
    ladder = _ladder(game.spec.name, variant, players)
    own = find_shipped(game.spec, settings)
    lines = [f"## {players} players" + ("" if variant == "default" else f", {variant}"), ""]
    if own is None:
        lines += ["No network is shipped for this table: `hard` plays as `medium` here and says so.", ""]
    else:
        facts = own.facts
        lines += [
            f"`hard` was trained for {facts['hours'] * 60:.0f} minutes of one core ({facts['samples']:,} samples, seed "
            f"{facts['seed']}), at tables of {_trained_with(facts)}.",
            "",
        ]
    lines += ["| rung | rating | interval | beats the one below |", "| --- | --- | --- | --- |"]
    for place in reversed(range(len(ladder.rungs))):
        low, high = ladder.interval[place]
        beats = ""
        if place and ladder.pairs[place, place - 1] > 0:
            beats = f"{ladder.beat[place, place - 1]:.3f} of {ladder.pairs[place, place - 1]:,.0f}"
        lines.append(f"| `{ladder.rungs[place]}` | {ladder.elo[place]:.0f} | [{low:.0f}, {high:.0f}] | {beats} |")
    lines += ["", f"{ladder.games:,} games between the rungs that do not search.", ""]
    lines += _rates(entry) + _held_out(entry) + _responses(entry)
    return lines


def _trained_with(facts: dict[str, Any]) -> str:
    names = [f"`{opponent['agent']}`" for opponent in facts["config"]["opponents"]]
    own = " and earlier selves" if facts["config"].get("snapshots", {}).get("weight") else ""
    return ", ".join(names) + own


def _rates(entry: dict[str, Any]) -> list[str]:
    levels = {**entry.get("best", {}), **({EXPERT: entry["expert"][EXPERT]} if "expert" in entry else {})}
    lines = [
        "At a table of the best heuristic:",
        "",
        "| level | role | figure | value | interval | games | ms a decision |",
    ]
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")
    for level, found in levels.items():
        for one in found:
            lines.append(f"| `{level}` | {_cells(one)} | {one['ms']:.3g} |")
    return [*lines, ""]


def _cells(one: dict[str, Any]) -> str:
    """Role, figure, value, interval and games."""
    low, high = one["interval"]
    rate = one["rate"].replace("_", " ")
    return f"{one['role']} | {rate} | {one['value']:.3f} | [{low:.3f}, {high:.3f}] | {one['games']:,}"


def _held_out(entry: dict[str, Any]) -> list[str]:
    if not entry.get("held_out"):
        return []
    lines = ["At *held-out* tables, of agents that `hard` never met while it learnt:", ""]
    lines += [
        "| table of | level | role | figure | value | interval | games |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for stranger, levels in entry["held_out"].items():
        for level, found in levels.items():
            for one in found:
                lines.append(f"| `{stranger}` | `{level}` | {_cells(one)} |")
    return [*lines, ""]


def _responses(entry: dict[str, Any]) -> list[str]:
    if not entry.get("responses"):
        return []
    lines = [
        f"What a learner from nothing gains on a level in {RESPONSE_SAMPLES:,} samples (payoff a seat, a lower bound):",
        "",
    ]
    lines += ["| level | role | gain | interval | games |", "| --- | --- | --- | --- | --- |"]
    for level, gain in entry["responses"].items():
        (low, high), name = gain["gain_ci"], level.split()[0]
        games = f"{gain['games']:,}"
        lines.append(f"| `{name}` | {gain['role']} | {gain['gain']:+.3f} | [{low:+.3f}, {high:+.3f}] | {games} |")
    return [*lines, ""]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a page is not what its figures give."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--measure", action="store_true", help="play what is not measured yet")
    parser.add_argument("--only", choices=registry.BUILT_IN, help="this game alone")
    parser.add_argument("--parts", default=",".join(PARTS), help="these parts alone, by commas")
    parser.add_argument("--again", choices=PARTS, help="measure this part anew")
    parser.add_argument(
        "--networks", type=pathlib.Path, help="a folder of other runs, GAME_Np_VARIANT_sSEED, to be met"
    )
    parser.add_argument("--check", action="store_true", help="only say whether the pages fit")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore", UserWarning)  # levels that play as another one
    wrong = 0
    for name in [given.only] if given.only else registry.BUILT_IN:
        if given.measure:
            FOLDER.mkdir(exist_ok=True)
            Measuring(name, given.networks, given.parts.split(","), given.again).run()
        figures, path = FOLDER / f"{name}.json", FOLDER / f"{name}.md"
        if not figures.is_file():
            continue
        text = page(name, json.loads(figures.read_text("utf-8")))
        if given.check:
            if not path.is_file() or path.read_text("utf-8") != text:
                print(f"{path.name} is not what its figures give", file=sys.stderr)
                wrong = 1
        else:
            path.write_text(text, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
