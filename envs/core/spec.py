"""What a game says of itself: the facts that adapters, agents, tests, pages and learners read."""

import json
import marshal
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeVar

import numpy as np

from . import contract, plain_yaml
from .contract import Display, Hooks, Observation, Parameters, Rules, Scenario
from .errors import ContractError, IllegalActionError, UnknownParameterError


@dataclass(frozen=True)
class Block:
    """A named part of the observation: ``shape`` float32 features, each within [low, high]."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: float = 0.0
    high: float = 1.0

    @property
    def size(self) -> int:
        """Number of features."""
        return int(np.prod(self.shape))


NONE_WORDS = ("", "none", "null", "~")


def _number(word: str) -> int | float | str:
    """The number that a word is, or the word itself."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def option_text(value: Any) -> str:
    """A parameter's value as a text that ``Option.parse`` reads."""
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True)
class Option:
    """A parameter of a game: a number in [low, high] (whole unless ``default`` is a float), a yes or no, one of
    ``choices``, or a structure that ``read`` understands.

    ``default`` None means that the value follows from others, as ``meaning`` says; ``assumed`` that the rulebook is
    silent and the value is ours. ``read(value)`` returns a structure's one JSON-able form (dicts with str keys, lists,
    numbers, words) or raises ValueError with what is wrong; ``form`` says in words what it allows.
    """

    name: str
    default: Any
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    assumed: bool = False
    read: Callable[[Any], Any] | None = None
    form: str = ""
    implicit: bool = False  # settings have it only where it is not its default

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.read is not None:
            return self.form
        if self.choices:
            return " or ".join(repr(choice) for choice in self.choices)
        if isinstance(self.default, bool):
            return "True or False"
        kind = "number" if isinstance(self.default, float) else "whole number"
        return f"a {kind} from {self.low} to {self.high}"

    def check(self, value: Any) -> Any:
        """The value in its own type, or ValueError that names the parameter, the value and what is allowed."""
        if value is None and self.default is None:
            return None
        if self.read is not None:
            try:
                return self.read(value)
            except ValueError as error:
                raise ValueError(f"{self.name}={value!r}: {error}; allowed is {self.allowed}") from None
        if self.choices:
            good = isinstance(value, str) and value in self.choices
        elif isinstance(self.default, bool):
            good = isinstance(value, bool | np.bool_)
            value = bool(value) if good else value
        else:
            good, value = self._number(value)
        if not good:
            raise ValueError(f"{self.name}={value!r}: allowed is {self.allowed}")
        return value

    def parse(self, text: str) -> Any:
        """The value that a text means, read as this parameter's type demands, then checked as ``check`` does.

        A choice is the word itself (``off`` stays a word), a yes or no true, yes, on, false, no or off, a number
        written as Python writes it (``1e-3`` too), a structure YAML or JSON (``{balancer: 4}``).
        """
        word = text.strip()
        if word in self.choices:
            return word
        if self.default is None and word.lower() in NONE_WORDS:
            return None
        if self.read is not None:
            return self.check(self._structure(word))
        if self.choices:
            return self.check(word)
        if isinstance(self.default, bool):
            return self.check(plain_yaml.yes_or_no(word))
        return self.check(_number(word))

    def _structure(self, text: str) -> Any:
        try:
            return plain_yaml.load(text)
        except plain_yaml.YAMLError as error:
            reason = getattr(error, "problem", None) or error
            raise ValueError(f"{self.name}={text}: not YAML ({reason}); allowed is {self.allowed}") from None

    def _number(self, value: Any) -> tuple[bool, Any]:
        """Whether the value is a number as wanted, and it in its own type."""
        real = isinstance(self.default, float)
        kinds = (int, np.integer, float, np.floating) if real else (int, np.integer)
        good = isinstance(value, kinds) and not isinstance(value, bool)
        good = good and self.low <= value <= self.high  # not so for NaN
        return good, ((float(value) if real else int(value)) if good else value)


@dataclass(frozen=True)
class Role:
    """A part that seats play; seats of one role can share a network."""

    name: str
    meaning: str


# A complete, validated set of parameters: num_players and every option, with the value in force.
Settings = Mapping[str, Any]

Found = TypeVar("Found")
KEY_VERSION = 2  # of marshal, the last one in which equal values give equal bytes
PLAIN = {bool, float, int, str, type(None)}
MOST_KNOWN = 1000  # facts kept of each game, of all settings together


@dataclass(frozen=True)
class GameSpec:
    """One game: its compiled rules, what it shows, how it speaks, and its facts.

    The functions of the five modules, and what they take and give, are those of ``contract``. Building a spec checks
    that they are there and compiles nothing.

    Raises:
        ContractError: names every function that is missing, misspelt or wrongly shaped.
    """

    name: str
    version: int
    title: str
    summary: str
    parameters: Parameters
    rules: Rules
    observation: Observation
    scenario: Scenario
    display: Display
    num_actions: int
    min_players: int
    max_players: int
    default_players: int
    options: tuple[Option, ...]
    sources: tuple[str, ...]
    status: str
    roles: tuple[Role, ...] = (Role("player", "every seat plays by the same rules"),)
    extra_roles: tuple[str, ...] = ()  # agents beside the players, one seat each, after them
    # Whole numbers that the record carries in fields of these names, -1 for none. They change nothing in the game;
    # an environment's reset takes them as options.
    labels: tuple[Option, ...] = ()
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"default": {}})
    _known: dict[tuple[str, bytes], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        contract.check(self.name, self._modules)
        names = self.action_names(self.settings())
        if not isinstance(names, tuple) or len(names) != self.num_actions:
            wanted = f"a tuple of {self.num_actions} names is wanted, as num_actions says"
            raise ContractError(self.name, [f"display.action_names(settings) gives {len(names)} names; {wanted}"])

    @property
    def _modules(self) -> dict[str, Any]:
        return {module: getattr(self, module) for module in contract.REQUIRED}

    @property
    def hooks(self) -> Hooks:
        """The functions that a game may leave out, each as this game has it, else its default."""
        return contract.hooks(self._modules)

    def _of(self, what: str, find: Callable[[Settings], Found], settings: Settings) -> Found:
        """What depends on the settings alone, found once: environments and searchers ask for it at every decision."""
        try:
            key = (what, marshal.dumps(settings, KEY_VERSION))  # type: ignore[arg-type]
        except ValueError:  # not a plain dict of plain values
            return find(settings)
        found = self._known.get(key)  # other threads may clear at any time
        if found is None:
            found = find(settings)
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = found
        return found

    @property
    def id(self) -> str:
        """The name in the registries, such as ``poopdeck/poo_head-v0``."""
        return f"poopdeck/{self.name}-v{self.version}"

    def action_names(self, settings: Settings) -> tuple[str, ...]:
        """The name of every action in a game with these settings, by number; all different."""
        return self._of("action_names", self.display.action_names, settings)

    def show_action(self, settings: Settings, action: Any) -> str:
        """Number and name of an action, whatever was given."""
        if isinstance(action, int | np.integer) and 0 <= action < self.num_actions:
            return f"{int(action)} ({self.action_names(settings)[action]})"
        return f"{action!r} (no action: they go from 0 to {self.num_actions - 1})"

    def illegal_action(self, settings: Settings, agent: str, action: Any, legal: Sequence[int]) -> IllegalActionError:
        """The error for an action that is not among the legal ones; it names all of these."""
        names = self.action_names(settings)
        allowed = ", ".join(f"{a} ({names[a]})" for a in legal)
        message = f"{self.name}: {agent} may not choose {self.show_action(settings, action)}; legal now: {allowed}"
        return IllegalActionError(message, agent, action, legal)

    def settings(self, num_players: int | None = None, variant: Any = None, **options: Any) -> dict[str, Any]:
        """All parameters, checked and complete; ValueError names what is wrong and what is allowed.

        ``variant`` names a set of parameters (see ``variant_options``), which single ``options`` override.
        """
        asked = {"num_players": num_players, "variant": variant, **options}
        if not all(type(value) in PLAIN for value in asked.values()):
            return self._complete(num_players, {**self.variant_options(variant), **options})

        def find(_: Settings) -> dict[str, Any]:
            return self._complete(num_players, {**self.variant_options(variant), **options})

        found = self._of("settings", find, asked)  # everybody gets a dict of their own
        return {name: value if type(value) in PLAIN else deepcopy(value) for name, value in found.items()}

    def variant_settings(
        self, variant: str | None, num_players: int | None = None, options: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """As ``settings``, for options of which one may be a game's own parameter ``variant`` beside a named variant.

        Raises:
            ValueError: names the variant that there is not and those that there are, or what ``settings`` refuses.
        """
        return self._complete(num_players, {**self.variant_options(variant), **(options or {})})

    def variant_options(self, variant: Any) -> dict[str, Any]:
        """The parameters that a variant's name stands for; None names none.

        A name is one of ``variants``, or, in a game that has a parameter ``variant``, one of its choices.
        """
        own = next((option for option in self.options if option.name == "variant"), None)
        if variant is None:
            return {}
        if isinstance(variant, str) and variant in self.variants:
            return dict(self.variants[variant])
        if own is not None and isinstance(variant, str) and variant in own.choices:
            return {"variant": variant}
        known = [*self.variants, *(own.choices if own else ())]
        near = get_close_matches(str(variant), known, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        allowed = f"allowed is {own.allowed}; by name, " if own else ""
        raise ValueError(f"variant={variant!r}: {hint}{allowed}{self.name} has {', '.join(self.variants)}")

    def parse_options(self, texts: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters with each value that is a text read as its parameter's type demands; unknown ones stay."""
        known = {option.name: option for option in self.options}
        return {
            name: known[name].parse(value) if isinstance(value, str) and name in known else value
            for name, value in texts.items()
        }

    def _complete(self, num_players: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
        players = Option("num_players", self.default_players, "seats", self.min_players, self.max_players)
        values = {"num_players": players.check(self.default_players if num_players is None else num_players)}
        known = [option.name for option in self.options]
        for name in options:
            if name not in known:
                near = get_close_matches(name, ["num_players", *known], 1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                raise UnknownParameterError(
                    f"{self.name} has no parameter {name!r}: {hint}it has num_players, {', '.join(known)} "
                    f"(unexpected keyword argument {name!r})"
                )
        for option in self.options:
            value = option.check(options.get(option.name, option.default))
            if not option.implicit or value != option.default:
                values[option.name] = value
        return self.parameters.complete(values)

    def num_seats(self, settings: Settings) -> int:
        """Seats at the table: the players and the extra roles."""
        return settings["num_players"] + len(self.extra_roles)

    def agent_names(self, settings: Settings) -> list[str]:
        """PettingZoo's names of the seats: player_0, player_1, ..., then the extra roles."""
        return [f"player_{seat}" for seat in range(settings["num_players"])] + list(self.extra_roles)

    def seat_roles(self, settings: Settings) -> list[int]:
        """Index into ``roles`` for every seat."""
        names = [role.name for role in self.roles]
        return [0] * settings["num_players"] + [names.index(name) for name in self.extra_roles]

    def state_dtype(self, settings: Settings) -> np.dtype:
        """The layout of a record."""
        return self._of("state_dtype", self.rules.state_dtype, settings)

    def prepared(self, settings: Settings) -> bytes:
        """A record with the parameters written, nothing dealt and no chance stream."""
        return self._of("prepared", self._prepared, settings)

    def _prepared(self, settings: Settings) -> bytes:
        records = np.zeros(1, self.state_dtype(settings))
        self.parameters.prepare(records[0], settings)
        return records.tobytes()

    def blocks(self, settings: Settings) -> tuple[Block, ...]:
        """The named parts of an observation, in order."""
        return self._of("blocks", self.observation.blocks, settings)

    def card_blocks(self, settings: Settings) -> list[list[Any]]:
        """Name and shape of each part of an observation, as the card of a network has them."""
        return [[block.name, list(block.shape)] for block in self.blocks(settings)]

    def observation_size(self, settings: Settings) -> int:
        """Number of features of an observation."""
        return self._of("size", lambda settings: sum(block.size for block in self.blocks(settings)), settings)

    def observation_slices(self, settings: Settings) -> dict[str, slice]:
        """Where each block lies in the observation."""
        places, start = {}, 0
        for block in self.blocks(settings):
            places[block.name] = slice(start, start + block.size)
            start += block.size
        return places
