"""Ways of learning by name: those of this package, and those that installed packages add.

What a config needs to know of one is a LearnerSpec; the code that learns is imported when a run begins.
"""

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Any

from .schema import LearnerSection, TrainConfig

ENTRY_POINTS = "poopdeck.learners"
PACKAGE = __name__.rpartition(".config.")[0]

# name -> where its LearnerSpec lies
BUILT_IN = {
    "maskable_ppo": f"{PACKAGE}.learners.maskable_ppo:LEARNER",
    "ppo": f"{PACKAGE}.learners.ppo:LEARNER",
    "mmd": f"{PACKAGE}.learners.mmd:LEARNER",
    "ppo_oracle": f"{PACKAGE}.learners.ppo_oracle:LEARNER",
    "expert": f"{PACKAGE}.learners.expert:LEARNER",
    "dqn": f"{PACKAGE}.learners.dqn:LEARNER",
    "dmc": f"{PACKAGE}.learners.dmc:LEARNER",
    "nfsp": f"{PACKAGE}.learners.nfsp:LEARNER",
}
_registered: dict[str, "LearnerSpec"] = {}  # by ``register``
RENAMED = {"selfplay": "ppo"}  # what a way of learning was called in earlier versions


@dataclass(frozen=True)
class LearnerSpec:
    """One way of learning.

    ``name`` is its ``algo`` and the key of its section in a config; ``section`` is the model of that section, every
    field with a default. ``make(task, pool)`` returns a Learner (see learners/base.py) for a Task, with a SnapshotPool
    of opponents; what it needs is imported there. ``every_role``: whether it learns all roles of a game, or one.
    """

    name: str
    title: str
    section: type[LearnerSection]
    make: Callable[[Any, Any], Any]
    every_role: bool = False

    def roles(self, config: TrainConfig, known: list[str]) -> list[str]:
        """Those that a run learns, of the roles that its game has; ValueError if the config names another one."""
        if self.every_role:
            return known
        chosen = config.role or known[0]
        if chosen not in known:
            raise ValueError(f"role={chosen!r}: {config.game} has {', '.join(known)}")
        return [chosen]


def register(learner: "LearnerSpec") -> None:
    """Adds a way of learning in this process; a module that does so when it is loaded does it in worker processes, too.

    Raises:
        ValueError: the name is that of one of this package.
        TypeError: it is no LearnerSpec, or its name is that of a key of every config.
    """
    if getattr(learner, "name", None) in BUILT_IN:
        raise ValueError(f"learner {learner.name!r}: one of this package is called so; give it another name")
    checked = _checked(learner, getattr(learner, "name", ""), f"learner {learner!r}")
    _registered[checked.name] = checked


def names() -> list[str]:
    """The ways of learning of this package, then those that installed packages and this process add."""
    added = {point.name for point in entry_points(group=ENTRY_POINTS)} | set(_registered)
    return [*BUILT_IN, *sorted(name for name in added if name not in BUILT_IN)]


def spec(name: str) -> LearnerSpec:
    """A way of learning by name.

    Raises:
        ValueError: there is none of this name; it lists those that there are.
        TypeError: an installed package registers something else under the name.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return getattr(importlib.import_module(module), attribute)
    if name in _registered:
        return _registered[name]
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            return _checked(point.load(), name, f"entry point {name!r} of {ENTRY_POINTS}")
    if name in RENAMED:
        raise ValueError(f"algo={name!r}: it is called {RENAMED[name]} now")
    known = names()
    near = get_close_matches(str(name), known, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise ValueError(f"algo={name!r}: {hint}there are {', '.join(known)}")


def _checked(found: Any, name: str, place: str) -> LearnerSpec:
    if not isinstance(found, LearnerSpec) or found.name != name:
        raise TypeError(f"{place}: a LearnerSpec of this name is wanted, not {found!r}")
    if name in TrainConfig.model_fields:
        raise TypeError(f"{place}: every config has a key of this name")
    return found


@functools.cache
def config_model(learner: LearnerSpec) -> type[TrainConfig]:
    """TrainConfig with the section of one way of learning."""
    from pydantic import Field, create_model

    field = Field(default=learner.section(), description=learner.title)
    return create_model("TrainConfig", __base__=TrainConfig, **{learner.name: (learner.section, field)})  # type: ignore[call-overload]
