"""The functions that a game is made of, by module: what each takes and gives, and the check that they are there.

In what follows ``s`` is a record of the game's state dtype, changed in place; P, A and D are the numbers of seats,
actions and features. A function whose first argument is ``s`` is compiled: it is marked ``@rule``, and its module is a
module or a package, since compiled code looks functions up there. The other modules may be any objects with these
functions. Names of arguments are part of the contract.
"""

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .errors import ContractError

if TYPE_CHECKING:
    from .game import Game, State
    from .scenario import Schema
    from .scene import Scene
    from .spec import Block, Settings

# How alike two names must be for one to count as a misspelling of the other.
ALIKE = 0.8


class Parameters(Protocol):
    """What follows from the parameters, in ordinary Python."""

    def complete(self, values: dict[str, Any]) -> dict[str, Any]:
        """The settings: fills in what follows from other parameters. ValueError for what cannot be."""

    def prepare(self, record: np.void, settings: "Settings") -> None:
        """Writes the settings into a record that is all zeros."""

    def payoff_bounds(self, settings: "Settings") -> tuple[float, float]:
        """The lowest and the highest return of a seat."""

    def payoff_sum(self, settings: "Settings") -> float | None:
        """What all returns add up to; None where that is not fixed."""

    def length_bound(self, settings: "Settings") -> int:
        """No game has more decisions."""

    def rates(self, settings: "Settings") -> Mapping[str, Callable[[np.ndarray, np.ndarray], np.ndarray]]:
        """What is counted when agents are measured: name -> hits, bool (n,), from returns (n, P) and seats (n,)."""


class Rules(Protocol):
    """The game itself; compiled but for ``state_dtype``."""

    def state_dtype(self, settings: "Settings") -> np.dtype:
        """The record's layout, made by ``layout``; its field ``rng`` is the state of the game's chance stream."""

    def deal(self, s: Any) -> None:
        """A new game, from the record's own chance stream."""

    def current_player(self, s: Any) -> int:
        """The seat to act, -1 when the game is over."""

    def legal_actions(self, s: Any, mask: np.ndarray) -> None:
        """Writes int8 (A,), 1 for legal: at least one until the game is over, then none."""

    def apply_action(self, s: Any, action: int) -> None:
        """Plays a legal action of the seat to act, with all that follows."""

    def is_terminal(self, s: Any) -> bool:
        """Whether the game is over."""

    def is_truncated(self, s: Any) -> bool:
        """Whether it is over because it reached its decision cap."""

    def returns(self, s: Any, out: np.ndarray) -> None:
        """Writes float32 (P,): what each seat has been paid so far. Rewards are the differences."""

    def truncated_returns(self, s: Any, out: np.ndarray) -> None:
        """Writes float32 (P,): what a truncated game counts as in training."""


class Observation(Protocol):
    """What a seat sees; compiled but for ``blocks``."""

    def blocks(self, settings: "Settings") -> "tuple[Block, ...]":
        """The named parts of an observation, in order; their sizes add up to D."""

    def observe(self, s: Any, seat: int, out: np.ndarray) -> None:
        """Writes float32 (D,): what this seat sees, with a perfect memory. Any seat, also when the game is over."""

    def resample(self, s: Any, seat: int) -> None:
        """Deals anew, from the record's chance stream, what this seat cannot know, in agreement with what it does."""


class Scenario(Protocol):
    """Positions as JSON."""

    def dump(self, state: "State") -> dict[str, Any]:
        """The whole position, chance stream included."""

    def load(self, game: "Game", scenario: Mapping[str, Any]) -> "State":
        """The position that a scenario describes; what is left out is dealt. ValueError names a field that is wrong."""


class Display(Protocol):
    """Names, words and pictures."""

    def action_names(self, settings: "Settings") -> tuple[str, ...]:
        """The name of every action by number; A of them, all different."""

    def describe(self, state: "State", seat: int | None) -> str:
        """The position in words, as a seat sees it; with None, all of it."""

    def scene(self, state: "State", seat: int | None) -> "Scene":
        """The position as the parts of a picture, as a seat sees it; with None, all of it."""

    def is_public(self, state: "State", action: int) -> bool:
        """Whether all seats see which action the seat to act takes."""


class OptionalObservation:
    """What an observation module may leave out; the bodies are what holds then."""

    def rewind(self, s: Any, after: Any, action: int, viewer: int) -> int:
        """Takes a position back over one decision, so that one can ask how likely that decision was.

        ``s`` is the position before it, dealt anew for the viewer; ``after`` a determinization of the position behind
        it, of which it agrees with all that is public. What other seats held in ``s`` is overwritten by what they must
        have held if ``after`` is true; what is drawn for that comes from the stream of ``s``. Returns 0 if it cannot
        be told, or cannot have been, and 1 otherwise; by default 0: nothing is inferred from what others did.
        """
        return 0


class OptionalScenario:
    """What a scenario module may leave out; the bodies are what holds then."""

    def census(self, state: "State") -> Counter[str] | None:
        """All cards, wherever they lie; by default None, nobody counts them."""
        return None

    def rotate(self, scenario: Mapping[str, Any], seats: int) -> dict[str, Any] | None:
        """The same position, everybody that many seats further clockwise.

        By default None: that is another game, for example because seats act in their order.
        """
        return None

    def possible(self, state: "State") -> bool:
        """Whether a game can come to this position, beyond what ``load`` refuses; by default it can."""
        return True


class OptionalDisplay:
    """What a display module may leave out; the bodies are what holds then."""

    def simultaneous(self, state: "State") -> tuple[tuple[int, ...], int] | None:
        """The seats that choose unseen by each other, in the order asked, and how many of these choices are made.

        By default None: the seat to act chooses alone.
        """
        return None


class Hooks(NamedTuple):
    """What may be left out, each as the game has it, else its default: functions, and the scenario module's SCHEMA."""

    census: Callable[["State"], Counter[str] | None]
    rotate: Callable[[Mapping[str, Any], int], dict[str, Any] | None]
    possible: Callable[["State"], bool]
    simultaneous: Callable[["State"], tuple[tuple[int, ...], int] | None]
    rewind: Callable[[Any, Any, int, int], int]
    schema: "Schema | None"


REQUIRED: dict[str, type] = {
    "parameters": Parameters,
    "rules": Rules,
    "observation": Observation,
    "scenario": Scenario,
    "display": Display,
}
OPTIONAL: dict[str, Any] = {
    "observation": OptionalObservation(),
    "scenario": OptionalScenario(),
    "display": OptionalDisplay(),
}


def required(module: str) -> dict[str, tuple[str, ...]]:
    """The functions that a module of a game must have, and the names of their arguments."""
    return {name: _arguments(function)[1:] for name, function in _functions(REQUIRED[module])}


def optional(module: str) -> dict[str, tuple[str, ...]]:
    """The functions that a module of a game may have, and the names of their arguments."""
    return {name: _arguments(function)[1:] for name, function in _functions(type(OPTIONAL.get(module)))}


def hooks(modules: Mapping[str, Any]) -> Hooks:
    """What the modules of a game (by name, as in ``REQUIRED``) have of that which may be left out."""
    found: dict[str, Any] = {name: getattr(modules[module], name, default) for module, name, default in _defaults()}
    return Hooks(**found, schema=getattr(modules["scenario"], "SCHEMA", None))


@functools.cache
def _defaults() -> tuple[tuple[str, str, Callable[..., Any]], ...]:
    """(module, name, default) of every function that may be left out."""
    return tuple(
        (module, name, getattr(defaults, name)) for module, defaults in OPTIONAL.items() for name in optional(module)
    )


def check(game: str, modules: Mapping[str, Any]) -> None:
    """Raises ContractError that names every function which is missing, misspelt or wrongly shaped. Compiles nothing."""
    problems = [problem for name, module in modules.items() for problem in _problems(name, module)]
    if problems:
        raise ContractError(game, problems)


def _problems(name: str, module: Any) -> Iterator[str]:
    """What is wrong with one module, in words."""
    must, may = required(name), optional(name)
    others = [found for found in dir(module) if found not in (*must, *may) and _is_public_function(module, found)]
    for function, arguments in (*must.items(), *may.items()):
        wanted = f"{function}({', '.join(arguments)})"
        found = getattr(module, function, None)
        near = get_close_matches(function, others, 1, ALIKE)
        if found is None and function in must:
            hint = f"; did you mean it by {near[0]}?" if near else ""
            yield f"{name} has no function {wanted}{hint}"
        elif found is None and near:
            yield f"{name}.{near[0]} is too like {wanted}, which may be left out: one of the two names is wrong"
        elif found is not None:
            wrong = _wrong_shape(found, arguments)
            if wrong:
                yield f"{name}.{function}{wrong}; wanted is {wanted}"


def _wrong_shape(found: Any, arguments: tuple[str, ...]) -> str:
    """What is wrong with a function that takes these arguments, in words; empty if nothing is."""
    from .compiler import PLAIN_PYTHON  # loads numba, as any module with rules does

    if not callable(found):
        return f" is {found!r}, no function"
    if arguments[:1] == ("s",) and not PLAIN_PYTHON and not hasattr(found, "py_func"):
        return " is not marked @rule, so it cannot be compiled"
    try:
        signature = inspect.signature(_python(found))
        signature.bind(*arguments)
    except TypeError:
        return str(signature)
    except ValueError:
        return " does not say what it takes"
    return "" if tuple(signature.parameters)[: len(arguments)] == arguments else str(signature)


def _is_public_function(module: Any, name: str) -> bool:
    value = getattr(module, name, None)
    return not name.startswith("_") and callable(value) and not isinstance(value, type)


def _python(function: Any) -> Callable[..., Any]:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


def _functions(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    return (
        (name, value) for name, value in vars(kind).items() if not name.startswith("_") and inspect.isfunction(value)
    )


def _arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]
