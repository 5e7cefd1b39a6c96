"""A game between agents to look at: moment by moment in the terminal, or as an animated file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .agents.base import Agent
from .envs.core.game import Game, State
from .envs.core.scene import Scene
from .play import ask


@dataclass(frozen=True)
class Moment:
    """What a viewer sees after a decision; ``done`` tells in words what was done since the moment before."""

    scene: Scene
    done: tuple[str, ...]


def moments(
    game: Game, state: State, agents: Sequence[Agent], seed: int = 0, viewer: int | None = None
) -> Iterator[Moment]:
    """Plays a state to its end between agents, one for every seat, and yields what a viewer sees.

    ``viewer`` is a seat, which is shown what it may see, or None for everything. Decisions that change nothing on the
    table, such as choices that nobody may see yet, are told with the next moment.
    """
    rng = np.random.default_rng(seed)
    names = game.spec.agent_names(state.settings)
    shown = game.scene(state, viewer)
    yield Moment(shown, ())
    done: list[str] = []
    while not game.is_terminal(state):
        seat = game.current_player(state)
        action = ask(game, state, agents[seat], rng)
        public = viewer is None or seat == viewer or game.spec.text.is_public(state, action)
        game.apply_action(state, action)
        if public:
            done.append(f"{names[seat]}: {game.action_name(action)}")
        scene = game.scene(state, viewer)
        if still(scene) != still(shown) or game.is_terminal(state):
            yield Moment(scene, tuple(done))
            shown, done = scene, []


def still(scene: Scene) -> Scene:
    """A scene without what tells whose turn it is."""
    return replace(scene, lines=(), places=tuple(replace(place, active=False) for place in scene.places))


def with_words(moment: Moment, most: int = 3) -> Scene:
    """The scene with what was done as a line below it; of many decisions the last ones."""
    if not moment.done:
        return moment.scene
    last = moment.done[-most:]
    line = ("… " if len(last) < len(moment.done) else "") + "; ".join(last)
    return replace(moment.scene, lines=(*moment.scene.lines, line))


def film(found: Sequence[Moment], path: Any, seconds: float, width: int, overwrite: bool, update: Any) -> None:
    """Draws moments into an animated file; the last one stays three times as long."""
    from .envs.render import film, rgb

    height = round(width * rgb.HEIGHT / rgb.WIDTH)

    def frames() -> Iterator[np.ndarray]:
        for number, moment in enumerate(found, 1):
            yield rgb.draw(with_words(moment), width, height)
            update(number)

    film.write(path, frames(), [*[seconds] * (len(found) - 1), 3 * seconds], overwrite)
