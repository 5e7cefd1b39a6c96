"""A game at one number of players with one set of options, and games played at it, for a check to look at."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from ..core.game import Game, State

EDGE = 3  # positions looked at from both ends of a game
MIDDLE = 8  # and in between
FOLLOWED = 40  # decisions that a copy is followed
SEATS = 4  # seats looked at where a point is costly
OPENING = 200  # decisions among which the first position of every kind is looked at


class Position(NamedTuple):
    """One position of a game played before: a state of one's own, and the actions that follow in that game."""

    state: State
    actions: Sequence[int]


class Case:
    """A game at one number of players with one set of options, and games played at it by random seats."""

    def __init__(self, game: Game, num_players: int, options: dict[str, Any], seeds: Sequence[int], variant: str = ""):
        self.game, self.num_players, self.options, self.seeds = game, num_players, options, seeds
        self.settings = game.spec.settings(num_players, **options)
        self.seats = range(game.spec.num_seats(self.settings))
        named = variant or ", ".join(f"{name}={value!r}" for name, value in options.items()) or "default"
        self.label = f"{named}, {num_players} players"
        self.modules = (game.spec.rules, game.spec.observation)
        self.place = ""  # where a check is, for the message of a fault
        self.actions: dict[int, list[int]] = {}  # by seed
        self.finals: dict[int, State] = {}
        self._marked: dict[int, dict[int, State]] = {}

    def deal(self, seed: int) -> State:
        """A new game at this case."""
        return self.game.new_state(seed=seed, num_players=self.num_players, **self.options)

    def at(self, seed: int, decision: int) -> None:
        """Notes where a check is."""
        self.place = f", seed {seed}, decision {decision}"

    def positions(self, ends: bool = True) -> Iterator[Position]:
        """Positions from the start, the middle and the end of every game; ``ends``: the final ones too."""
        for seed, actions in self.actions.items():
            if seed not in self._marked:
                self._marked[seed] = self._mark(seed, actions)
            for decision, state in self._marked[seed].items():
                if ends or decision < len(actions):
                    self.at(seed, decision)
                    yield Position(self.game.clone(state), actions[decision:])

    def _mark(self, seed: int, actions: list[int]) -> dict[int, State]:
        length = len(actions)
        random = Random(length)
        wanted = {*range(EDGE), *range(length - EDGE, length + 1)}
        wanted.update(int(random.random() * length) for _ in range(MIDDLE))
        s, marked, kinds = self.deal(seed), {}, set()
        for decision in range(length + 1):
            kind = self._kind(s) if decision < OPENING else None
            if decision in wanted or (kind is not None and kind not in kinds):
                kinds.add(kind)
                marked[decision] = self.game.clone(s)
            if decision < length:
                self.game.apply_action(s, actions[decision])
        return marked

    def _kind(self, s: State) -> tuple:
        """The phase of a position, whatever the game calls it: all words, and all yes and no, of its scenario."""
        return tuple(sorted(item for item in self.game.dump(s).items() if isinstance(item[1], str | bool)))

    def some_seats(self, s: State) -> list[int]:
        """All seats, or at large tables some of them, that to act among them."""
        seats = {max(self.game.current_player(s), 0), *self.seats[:SEATS]}
        return sorted(seats)

    def stretches(self, games: int = 2) -> Iterator[tuple[int, int, State, list[int]]]:
        """(seed, decision, state, actions) of stretches at the start, the middle and the end of some games."""
        for seed in list(self.actions)[:games]:
            actions = self.actions[seed]
            length = len(actions)
            s, decision = self.deal(seed), 0
            for start in sorted({0, length // 2, max(0, length - FOLLOWED)}):
                while decision < start:
                    self.game.apply_action(s, actions[decision])
                    decision += 1
                yield seed, decision, self.game.clone(s), actions[decision : decision + FOLLOWED]
