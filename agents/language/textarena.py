"""The games in TextArena, all seats by texts; importing this registers them: ``textarena.make("poopdeck/poop-v0")``."""

from typing import Any, Literal

try:
    import textarena
    from textarena.envs.registration import ENV_REGISTRY
except ImportError as error:  # pragma: no cover - said where the extra is missing
    raise ImportError('this interface needs TextArena: pip install "poopdeck[textarena]"') from error

from ...envs.core import registry
from ...envs.core.chance import fresh_seed
from ...envs.core.game import Game, State
from .answers import check_retries, read_answer
from .rules import Extent, check_extent, system_text
from .told import decision_text, position_text

Kind = textarena.ObservationType
DIGITS = 6  # of payoffs, which are float32


class TextArenaEnv(textarena.Env):
    """A game whose every seat is a player of TextArena's.

    Each player is told the rules, then at each of its decisions the position as its seat sees it, made from one in
    which all that it cannot know was dealt anew; no player sees another's answers. Answers are read by
    ``answers.read_answer``. One that is not exactly one legal action is an invalid move; after ``retries`` of them in a
    decision its player forfeits: it gets -1 and the others share 1. Decisions with one legal action are asked only with
    ``forced=True``. ``told`` "changes" tells what changed since the player's last decision, "full" the whole position;
    ``rules`` is "short", "full" or "none". Other arguments are the game's parameters.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        told: Literal["full", "changes"] = "changes",
        rules: Extent = "short",
        retries: int = 2,
        forced: bool = False,
        **parameters: Any,
    ):
        if told not in ("full", "changes"):
            raise ValueError(f"told={told!r}: allowed is 'full' or 'changes'")
        self.game = registry.game(game) if isinstance(game, str) else game
        self.told, self.rules = told, check_extent(rules)
        self.retries, self.forced = check_retries(retries), forced
        self.parameters = parameters
        self.position: State | None = None

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deals; ``num_players`` are all seats, those of further roles, too. The same seed deals the same game."""
        players = num_players - len(self.game.spec.extra_roles)
        settings = self.game.spec.settings(players, **self.parameters)
        self.position = self.game.new_state(fresh_seed() if seed is None else seed, **settings)
        self._told: dict[int, str] = {}
        # TextArena would begin Python's own generator anew by a seed, for everybody; our chance is the position's.
        self.state = textarena.FFAMultiPlayerState(num_players, error_allowance=self.retries)
        text = system_text(self.game, settings, self.rules)
        self.state.reset(
            game_state={}, player_prompt_function=lambda player_id, game_state: f"{text}\n\nYou are seat {player_id}."
        )
        self._go_on()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """The answer of the player that is to act; (whether the game is over, TextArena's info)."""
        assert self.position is not None, "reset() first"
        game, seat = self.game, self.state.current_player_id
        self.state.add_observation(action, Kind.PLAYER_ACTION, from_id=seat, to_id=seat)
        names = game.spec.action_names(self.position.settings)
        reading = read_answer(action, names, game.legal_actions(self.position))
        if reading.action is None:
            if self.state.set_invalid_move(f"{reading.problem}."):
                others = 1.0 / (self.state.num_players - 1)
                paid = {one: -1.0 if one == seat else others for one in range(self.state.num_players)}
                self.state.set_game_outcome(paid, f"Player {seat} forfeits: {reading.problem}")
            return self.state.step(rotate_player=False)
        game.apply_action(self.position, reading.action)
        _, info = self.state.step(rotate_player=False)
        self._go_on()
        return self.state.done, info

    def _go_on(self) -> None:
        """To the next decision that is asked for, or to the end."""
        game, position = self.game, self.position
        assert position is not None
        while len(game.legal_actions(position)) == 1 and not self.forced:
            game.apply_action(position, game.legal_actions(position)[0])
        if game.is_terminal(position):
            paid = {seat: round(value, DIGITS) for seat, value in enumerate(game.returns(position).tolist())}
            end = "ended by its cap of decisions" if game.is_truncated(position) else "over"
            self.state.set_game_outcome(paid, f"The game is {end}; payoffs {paid}")
            return
        seat = game.current_player(position)
        shown = game.resample(position, seat, 0)
        before = self._told.get(seat) if self.told == "changes" else None
        self._told[seat] = position_text(game, shown, seat)
        self.state.manually_set_current_player_id(seat, force=True)
        self.state.add_observation(decision_text(game, shown, seat, before), Kind.GAME_BOARD, to_id=seat)


def register_games() -> None:
    """Registers every game of the registry, installed ones included, by its id; ``-raw`` gives messages one by one."""
    from textarena.wrappers import LLMObservationWrapper

    for name in registry.names():
        known = registry.spec(name).id
        if known not in ENV_REGISTRY:
            for end, wrappers in (("", [LLMObservationWrapper]), ("-raw", None)):
                textarena.envs.registration.register(f"{known}{end}", TextArenaEnv, wrappers, game=name)


register_games()
