"""A game beside its slow referee, decision by decision: who acts, what is legal, the position, returns.

The test of a game makes a subclass of ``Comparison`` that says how its referee is asked, and calls ``follow``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar

from poopdeck.envs.core.game import Game, State

OWN_TO_THE_GAME = ("rng", "seed")  # chance and where it came from


class Comparison:
    """How a game and its referee are asked the same; what differs from game to game is below ``follow``."""

    game: ClassVar[Game]
    referee: ClassVar[Callable[[dict], Any]]  # takes a complete scenario
    policies: ClassVar[Sequence[Callable]]  # each chooses among sorted names of actions
    change_of_policy = 0.1  # share of decisions by another policy than the seat's
    reload = 0.01  # share of decisions after which the game's position is dumped and loaded again
    tolerance = 1e-6  # of returns

    def common(self, dump: dict) -> dict:
        """What the referee knows, too."""
        return {field: value for field, value in dump.items() if field not in OWN_TO_THE_GAME}

    def check_same(self, s: State, referee: Any, history: tuple) -> dict:
        """Everything the two have in common, at one decision; the game's position as a dump."""
        game, dump = self.game, self.game.dump(s)
        assert self.common(dump) == referee.dump(), history
        assert game.current_player(s) == referee.current_player(), history
        assert {game.action_name(a, s) for a in game.legal_actions(s)} == referee.legal_actions(), history
        assert game.is_terminal(s) == referee.is_terminal() and game.is_truncated(s) == referee.truncated, history
        pairs = zip(game.returns(s).tolist(), referee.returns(), strict=True)
        assert all(abs(got - expected) < self.tolerance for got, expected in pairs), history
        return dump

    def follow(self, s: State, rng: Random, most: int = 100_000) -> Counter:
        """Play to the end, or for ``most`` decisions, comparing at every step; a tally of what came up."""
        game, names, seen = self.game, [], Counter()
        start = game.dump(s)
        history = (start, names)  # shown where the two differ: load the first, take the second
        referee = type(self).referee(start)
        policies = self.choose_policies(rng, referee)
        before = self.check_same(s, referee, history)
        while not referee.is_terminal() and len(names) < most:
            seat = referee.current_player()
            policy = rng.choice(self.policies) if rng.random() < self.change_of_policy else policies[seat]
            name = self.choose(policy, rng, referee)
            names.append(name)
            game.apply_action(s, game.action(name, s))
            self.tell(referee, name, s)
            told, referee = referee, self.go_on(referee, s)
            after = self.check_same(s, referee, history)
            self.check_also(start, after, history)
            self.note(seen, before, name, seat, after, told)
            before = after
            if rng.random() < self.reload:
                s = game.load(game.dump(s))
                self.check_same(s, referee, history)
        self.check_same(game.load(game.dump(s)), referee, history)  # where it ended, too
        return seen

    def choose_policies(self, rng: Random, referee: Any) -> list[Callable]:
        """One for each seat."""
        return [rng.choice(self.policies) for _ in range(referee.players)]

    def choose(self, policy: Callable, rng: Random, referee: Any) -> str:
        """The name of a legal action."""
        return policy(rng, sorted(referee.legal_actions()))

    def tell(self, referee: Any, name: str, s: State) -> None:
        """Tells the referee what was done; ``s``, the position after it, may say what chance has brought."""
        referee.apply(name)

    def note(self, seen: Counter, before: dict, name: str, seat: int, after: dict, referee: Any) -> None:
        """Tallies the situations that the runs must have met; the referee is the one that was told."""
        raise NotImplementedError

    def go_on(self, referee: Any, s: State) -> Any:
        """The referee of the next decision."""
        return referee

    def check_also(self, start: dict, now: dict, history: tuple) -> None:
        """What holds throughout one game beside its being the referee's."""


def never_met(seen: Counter, situations: Sequence[str]) -> list[str]:
    """The situations of a list that a tally lacks."""
    return [situation for situation in situations if not seen[situation]]
