"""Short words for the tests of one game's rules: what is legal in a position, what follows, how it goes on."""

from collections.abc import Callable

from poopdeck.envs.core.game import Game, State


def legal_in(game: Game) -> Callable[[State], set[str]]:
    """``legal(s)``: the names of the legal actions."""

    def legal(s):
        return {game.action_name(action, s) for action in game.legal_actions(s)}

    return legal


def act_in(game: Game) -> Callable[..., dict]:
    """``act(s, *names)``: takes these actions in turn, in place; the position after them, as a dump."""

    def act(s, *names):
        for name in names:
            game.apply_action(s, game.action(name, s))
        return game.dump(s)

    return act


def play_on_in(game: Game) -> Callable[..., list[str]]:
    """``play_on(s, decisions, choice=0)``: plays on, in place, with a legal action here and there; their names."""

    def play_on(s, decisions, choice=0):
        names: list[str] = []
        while len(names) < decisions and not game.is_terminal(s):
            actions = game.legal_actions(s)
            action = actions[(choice + 7 * len(names)) % len(actions)]
            names.append(game.action_name(action, s))
            game.apply_action(s, action)
        return names

    return play_on
