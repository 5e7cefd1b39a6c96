"""Golden games: whole games written down as text, so that a change of rules or observations is seen and reviewed.

    python -m poopdeck.envs.conformance.playthrough --write tests/playthroughs
    python -m poopdeck.envs.conformance.playthrough --check tests/playthroughs

There is one file for every variant of every game, at the usual number of players, and for the first variant also at
the fewest and the most. Random seats play; the choice is the same on every platform. A digest over what was observed
so far, observations and masks, stands at every position told, so that a change shows where it begins.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random

import numpy as np

from ..core import registry
from ..core.game import Game, State
from ..core.spec import GameSpec
from .replay import pick

HEAD = 120  # decisions listed from the start of a game
TAIL = 40  # and from its end
TOLD_EVERY = 20  # positions told, among the decisions listed
WATCHED_EVERY = 5  # positions at which the digest takes in all seats, not only the one to act
COMMAND = "python -m poopdeck.envs.conformance.playthrough --write"


def golden_tables(spec: GameSpec) -> dict[str, tuple[str, int]]:
    """File name -> (variant, number of players) of every playthrough that a game needs."""
    cases = {}
    for number, variant in enumerate(spec.variants):
        counts = {spec.min_players, spec.default_players, spec.max_players} if number == 0 else {spec.default_players}
        for players in sorted(counts):
            cases[f"{spec.name}-{variant}-{players}.txt"] = (variant, players)
    return cases


def play(game: Game, variant: str, num_players: int) -> str:
    """The text of one playthrough; its seed is the number of players."""
    spec = game.spec
    s = game.new_state(seed=num_players, num_players=num_players, **spec.variants[variant])
    actions = _random_actions(game, game.clone(s), num_players)
    head = [
        f"game: {spec.id}",
        f"variant: {variant}",
        f"parameters: {json.dumps(s.settings)}",
        f"seed: {s.seed}, for the deal and for the random choice of actions",
        f"decisions: {len(actions)}",
        "",
    ]
    return "\n".join([*head, *_decisions(game, s, actions), *_end(game, s)]) + "\n"


def _random_actions(game: Game, s: State, seed: int) -> list[int]:
    random, actions = Random(seed), []
    while legal := game.legal_actions(s):
        actions.append(pick(random, legal))
        game.apply_action(s, actions[-1])
    return actions


def _decisions(game: Game, s: State, actions: list[int]) -> Iterator[str]:
    """Plays the actions, in place; a line for each that is listed, and now and then the position."""
    agents, digest = game.spec.agent_names(s.settings), hashlib.sha256()
    for number, action in enumerate(actions):
        seat = game.current_player(s)
        _digest_position(game, s, digest, all_seats=number % WATCHED_EVERY == 0)
        if number < HEAD or number >= len(actions) - TAIL:
            if number % TOLD_EVERY == 0:
                yield from ["", game.describe(s, None), f"{agents[seat]} sees: {game.describe(s, seat)}"]
                yield from [f"digest of all seen so far: {digest.hexdigest()[:16]}", ""]
            legal = ", ".join(game.action_name(a, s) for a in game.legal_actions(s))
            yield f"{number} {agents[seat]}: {game.action_name(action, s)}    of: {legal}"
        elif number == HEAD:
            yield f"... {len(actions) - HEAD - TAIL} decisions left out"
        game.apply_action(s, action)
    _digest_position(game, s, digest, all_seats=True)
    yield from ["", game.describe(s, None), f"digest of all seen: {digest.hexdigest()}"]


def _digest_position(game: Game, s: State, digest: "hashlib._Hash", all_seats: bool) -> None:
    digest.update(game.action_mask(s).tobytes())
    for seat in range(game.num_seats(s)) if all_seats else (game.current_player(s),):
        digest.update(game.observation(s, seat).astype("<f4", copy=False).tobytes())


def _end(game: Game, s: State) -> list[str]:
    agents, returns = game.spec.agent_names(s.settings), game.returns(s)
    paid = ", ".join(f"{agent} {np.float32(value):.4f}" for agent, value in zip(agents, returns, strict=True))
    return [f"truncated: {game.is_truncated(s)}", f"returns: {paid}"]


def write(folder: Path, names: Iterable[str] | None = None) -> list[Path]:
    """Writes the playthroughs of these games, by default of all; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in registry.names() if names is None else names:
        game = registry.game(name)
        for file, case in golden_tables(game.spec).items():
            (folder / file).write_text(play(game, *case), encoding="utf-8", newline="\n")
            written.append(folder / file)
    return written


def difference(game: Game, folder: Path, file: str) -> str:
    """What is different between a file and the game as it is played now; empty if nothing is."""
    variant, players = golden_tables(game.spec)[file]
    again = f"if that is meant, write it anew and read the difference: {COMMAND} {folder}"
    if not (folder / file).exists():
        return f"{file} is not there; {again}"
    kept = (folder / file).read_text(encoding="utf-8").splitlines()
    now = play(game, variant, players).splitlines()
    for number, (old, new) in enumerate(zip_longest(kept, now), start=1):
        if old != new:
            return f"{file}, line {number}: was\n  {old}\nis now\n  {new}\n{again}"
    return ""


def strangers(folder: Path) -> list[str]:
    """Files in the folder that belong to no game."""
    known = {file for name in registry.names() for file in golden_tables(registry.spec(name))}
    return sorted(path.name for path in folder.iterdir() if path.name not in known)


def main(arguments: list[str] | None = None) -> int:
    """The command line; 1 if something is different."""
    parser = argparse.ArgumentParser(
        prog="python -m poopdeck.envs.conformance.playthrough", description="Golden games."
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", type=Path, metavar="FOLDER", help="write the files of all games")
    action.add_argument("--check", type=Path, metavar="FOLDER", help="compare the files with the games")
    chosen = parser.parse_args(arguments)
    if chosen.write:
        for path in write(chosen.write):
            print(path)
        for name in strangers(chosen.write):
            print(f"{chosen.write / name} belongs to no game: remove it")
        return 0
    found = [f"{name} belongs to no game" for name in strangers(chosen.check)]
    for name in registry.names():
        game = registry.game(name)
        found += filter(None, (difference(game, chosen.check, file) for file in golden_tables(game.spec)))
    print("\n".join(found) or "nothing is different")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
