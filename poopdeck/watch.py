"""A game between agents to look at: frame by frame in the terminal, or as an animated file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .agents.base import AnyAgent
from .envs.core.game import Game, State
from .envs.core.scene import Scene
from .envs.tables.context import ask_about
from .envs.tables.past import PastDecisions, past_wanted

if TYPE_CHECKING:
    from .training.storage.replay import Replay


@dataclass(frozen=True)
class Frame:
    """What a viewer sees after a decision; ``done`` tells in words what was done since the frame before."""

    scene: Scene
    done: tuple[str, ...]


def frames(
    game: Game, state: State, agents: Sequence[AnyAgent], seed: int = 0, viewer: int | None = None
) -> Iterator[Frame]:
    """Plays a state to its end between agents, one for every seat, and yields what a viewer sees.

    ``viewer`` is a seat, which is shown what it may see, or None for everything. Decisions that change nothing on the
    table, such as choices that nobody may see yet, are told with the next frame.
    """
    rng = np.random.default_rng(seed)
    asked: set[int] = set()
    before = PastDecisions(past_wanted(agents))

    def choose(seat: int) -> int:
        action = ask_about(agents[seat], game, state, rng, seat not in asked, before)
        asked.add(seat)
        before.note(state, seat, action)
        return action

    return shown_frames(game, state, choose, viewer)


def replay_frames(replay: "Replay", viewer: int | None = None) -> Iterator[Frame]:
    """The same of a game that was written down; ReplayError where the rules do not play it so."""
    replay.verify()
    game = replay.game()
    state = replay.first(game)
    actions = iter(replay.actions)
    return shown_frames(game, state, lambda seat: next(actions, None), viewer)


def shown_frames(game: Game, state: State, choose: Callable[[int], int | None], viewer: int | None) -> Iterator[Frame]:
    """Plays by ``choose``, which gives a seat's action, to the end of the game, or until it gives None."""
    names = game.spec.agent_names(state.settings)
    shown = game.scene(state, viewer)
    yield Frame(shown, ())
    done: list[str] = []
    while not game.is_terminal(state):
        seat = game.current_player(state)
        action = choose(seat)
        if action is None:
            if done:
                yield Frame(game.scene(state, viewer), tuple(done))
            return
        public = viewer is None or seat == viewer or game.spec.display.is_public(state, action)
        game.apply_action(state, action)
        if public:
            done.append(f"{names[seat]}: {game.action_name(action, state)}")
        scene = game.scene(state, viewer)
        if still(scene) != still(shown) or game.is_terminal(state):
            yield Frame(scene, tuple(done))
            shown, done = scene, []


def still(scene: Scene) -> Scene:
    """A scene without what tells whose turn it is."""
    return replace(scene, lines=(), places=tuple(replace(place, active=False) for place in scene.places))


def with_words(frame: Frame, most: int = 3) -> Scene:
    """The scene with what was done as a line below it; of many decisions the last ones."""
    if not frame.done:
        return frame.scene
    last = frame.done[-most:]
    line = ("… " if len(last) < len(frame.done) else "") + "; ".join(last)
    return replace(frame.scene, lines=(*frame.scene.lines, line))


def film(found: Sequence[Frame], path: Any, seconds: float, width: int, overwrite: bool, update: Any) -> None:
    """Draws frames into an animated file; the last one stays three times as long."""
    from .envs.render import film, rgb

    height = round(width * rgb.HEIGHT / rgb.WIDTH)

    def frames() -> Iterator[np.ndarray]:
        for number, frame in enumerate(found, 1):
            yield rgb.draw(with_words(frame), width, height)
            update(number)

    film.write(path, frames(), [*[seconds] * (len(found) - 1), 3 * seconds], overwrite)
